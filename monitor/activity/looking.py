"""Commands of a shell that only look at something: what they show is looked up, as a read or a search is."""

import re

_READERS = frozenset({"bat", "cat", "head", "less", "more", "nl", "sed", "tail"})
_SEARCHES = frozenset({"ag", "egrep", "fd", "fgrep", "find", "grep", "jq", "ls", "rg", "tree", "wc"})
_FILTERS = frozenset({"awk", "column", "cut", "sort", "tr", "uniq"})
_BESIDE = frozenset({"cd", "echo", "printf", "true"})
_OF_GIT = frozenset({"blame", "cat-file", "grep", "ls-files", "ls-tree", "show"})
"""What of git shows contents; `status`, `log` and `diff` are asked for again because something was done."""
_SHOWN = _READERS | _SEARCHES | {"curl", "docker", "gh", "git", "kubectl", "ps"}
"""What they show is there anyhow, and its parts are looked at one by one."""
_LOOKING = _SHOWN | _BESIDE
_SHOWS, _ALONGSIDE = _READERS | _SEARCHES, _FILTERS | _BESIDE
_LONGEST = 1_000
"""Characters; what is longer is a program of its own."""
_FIRST = re.compile(r"\s*(?:cd\s[^;&|\n]*(?:&&|;|\n)\s*)*([^\s;&|]+)")
_QUOTED = re.compile(r"'[^']*'|\"(?:[^\"\\]|\\.)*\"")
_SILENCED = re.compile(r"[12&]?>\s*/dev/null|2>&1")
_BETWEEN = re.compile(r"&&|\|\||[;|\n]")
_PIPE = re.compile(r"(?<!\|)\|(?!\|)")
_CHANGES = re.compile(r"[<>`]|\$\(|(?:^|\s)-(?:i|delete|exec|execdir|ok|fprint)\b")


def is_look(command: str) -> bool:
    """Whether nothing is done by `command` but to show what is there. In doubt it isn't."""
    if len(command) > _LONGEST or _first(command) not in _LOOKING:
        return False
    bare = _QUOTED.sub("_", command) if "'" in command or '"' in command else command
    bare = _SILENCED.sub("", bare) if ">" in bare else bare
    if _CHANGES.search(bare):
        return False
    rest = [words for part in _BETWEEN.split(bare) if (words := part.split()) and words[0] not in _ALONGSIDE]
    return bool(rest) and all(_shows(words) for words in rest)


def program_in(command: str) -> str:
    """What `command` runs, whatever filters its output; empty for what shows something that is there anyhow."""
    if len(command) > _LONGEST or _first(command) in _SHOWN:
        return ""
    if "|" in command:
        bare = _QUOTED.sub(lambda quoted: "_" * len(quoted[0]), command)
        command = command[: len(_PIPE.split(bare, maxsplit=1)[0])]
    return _SILENCED.sub("", command) if ">" in command else command


def file_in(command: str) -> str:
    """The one file that `command` shows, as it names it; empty when it shows several, or anything else."""
    words = command.split("|", maxsplit=1)[0].rstrip("; ").split()
    if len(words) < 2 or words[0] not in _READERS or "&&" in command or ";" in command.rstrip(";"):
        return ""
    names = [word for word in words[1:] if "." in word and word[0] not in "-'\"" and not word.startswith("2>")]
    return names[0] if len(names) == 1 else ""


def _first(command: str) -> str:
    found = _FIRST.match(command)
    return found[1] if found else ""


def _shows(words: list[str]) -> bool:
    if words[0] == "git":
        return len(words) > 1 and words[1] in _OF_GIT
    if words[0] == "sed":
        return any(word.startswith("-") and "n" in word for word in words[1:])
    return words[0] in _SHOWS
