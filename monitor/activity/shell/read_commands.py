"""Shell commands that only show something, which count as a read or a search."""

import re

from monitor.activity.shell.command_line import simple_commands

_READERS = frozenset({"bat", "cat", "head", "less", "more", "nl", "sed", "tail"})
_SEARCHES = frozenset({"ag", "egrep", "fd", "fgrep", "find", "grep", "jq", "ls", "rg", "tree", "wc"})
_FILTERS = frozenset({"awk", "column", "cut", "sort", "tr", "uniq"})
_HARMLESS = frozenset({"cd", "echo", "printf", "true"})
_OF_GIT = frozenset({"blame", "cat-file", "grep", "ls-files", "ls-tree", "show"})
"""Subcommands of git that show contents, which don't change by themselves."""
_STATE_OF_GIT = frozenset({"diff", "log", "status"})
"""Subcommands of git that show the state of the work, and are run again because it has changed."""
_SHOWS, _ACCOMPANYING = _READERS | _SEARCHES, _FILTERS | _HARMLESS
_LOOKS = _SHOWS | _HARMLESS | {"git"}
LINES = 2_000
"""Lines that a read shows by default, by the client's own description of its tool; assumed for `cat`, too."""
_HEAD = 10
"""Lines that `head` shows by default."""
_LONGEST = 1_000
"""Characters; anything longer is a script."""
_FIRST = re.compile(r"\s*(?:cd\s[^;&|\n]*(?:&&|;|\n)\s*)*([^\s;&|]+)")
_SILENCED = re.compile(r"[12&]?>\s*/dev/null|2>&1")
_HELP = re.compile(r"\s*[\w./-]+(?:\s+[\w-]+)*\s+(?:--help|help)\s*|\s*man\s+[\w-]+\s*")
_COUNT = re.compile(r"\bhead(?:\s+(?:-n\s*|-))?(\d{1,7})?")
_RANGE = re.compile(r"(?<!\d)(\d{1,7}),(\d{1,7})p\b")
_CHANGES = re.compile(r"[<>`]|\$\(|(?:^|\s)-(?:i|delete|exec|execdir|ok|fprint)\b")


def is_look(command: str) -> bool:
    """Whether `command` only shows what is there; False if in doubt."""
    if _looks(command, _OF_GIT):
        return True
    may_ask = len(command) <= _LONGEST and ("help" in command or "man " in command)
    return may_ask and _HELP.fullmatch(unsilenced(command)) is not None


def is_look_at_state(command: str) -> bool:
    """Whether `command` only shows, by git, the work so far."""
    return "git" in command and _first(command) == "git" and _looks(command, _STATE_OF_GIT)


def _looks(command: str, of_git: frozenset[str]) -> bool:
    if len(command) > _LONGEST or _first(command) not in _LOOKS:
        return False
    parts = [unsilenced(part.bare) for part in simple_commands(command)]
    rest = [words for part in parts if (words := part.split()) and words[0] not in _ACCOMPANYING]
    is_changing = any(_CHANGES.search(part) for part in parts)
    return bool(rest) and not is_changing and all(_shows(words, of_git) for words in rest)


def unsilenced(command: str) -> str:
    """`command` without the redirections that only merge or silence its output."""
    return _SILENCED.sub("", command) if ">" in command else command


def file_part(command: str) -> tuple[str, int, int]:
    """The only file that `command` shows, as named there, and its first and last line, from 1.

    The name is empty where it shows several files, or anything else; the lines are 0 where they aren't known.
    """
    command = unsilenced(command)
    show, _, rest = command.partition("|")
    words = show.rstrip("; ").split()
    names = [word for word in words[1:] if "." in word and word[0] not in "-'\"" and not word.startswith("2>")]
    if len(names) != 1 or words[0] not in _READERS or "&&" in command or ";" in command.rstrip(";"):
        return "", 0, 0
    return names[0], *_line_range(show, rest)


def _line_range(show: str, rest: str) -> tuple[int, int]:
    """The lines of its file that `show` shows, its output going through `rest`; 0 when they aren't known."""
    most = _COUNT.fullmatch(rest.strip()) if rest else None
    program, head = show.split(maxsplit=1)[0], _COUNT.match(show)
    ranges = _RANGE.findall(show) if program == "sed" else [(1, head[1] or _HEAD if head else LINES)]
    if (rest and not most) or program == "tail" or len(ranges) != 1:
        return 0, 0
    first, last = map(int, ranges[0])
    return first, min(last, first + int(most[1] or _HEAD) - 1) if most else last


def _first(command: str) -> str:
    match = _FIRST.match(command)
    return match[1] if match else ""


def _shows(words: list[str], of_git: frozenset[str]) -> bool:
    if words[0] == "git":
        return len(words) > 1 and words[1] in of_git
    if words[0] == "sed":
        return any(word.startswith("-") and "n" in word for word in words[1:])
    return words[0] in _SHOWS
