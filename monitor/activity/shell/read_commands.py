"""Shell commands that only show something, which count as a search."""

import re

from monitor.activity.shell.command_line import simple_commands

_READERS = frozenset({"bat", "cat", "head", "less", "more", "nl", "sed", "tail"})
_SEARCHES = frozenset({"ag", "egrep", "fd", "fgrep", "find", "grep", "jq", "ls", "rg", "tree", "wc"})
_FILTERS = frozenset({"awk", "column", "cut", "sort", "tr", "uniq"})
_HARMLESS = frozenset({"cd", "echo", "printf", "true"})
_OF_GIT = frozenset({"blame", "cat-file", "grep", "ls-files", "ls-tree", "show"})
"""Subcommands of git that show contents, which don't change by themselves."""
_SHOWS, _ACCOMPANYING = _READERS | _SEARCHES, _FILTERS | _HARMLESS
_LOOKS = _SHOWS | _HARMLESS | {"git"}
_LONGEST = 1_000
"""Characters; anything longer is a script."""
_FIRST = re.compile(r"\s*(?:cd\s[^;&|\n]*(?:&&|;|\n)\s*)*([^\s;&|]+)")
_SILENCED = re.compile(r"[12&]?>\s*/dev/null|2>&1")
_HELP = re.compile(r"\s*[\w./-]+(?:\s+[\w-]+)*\s+(?:--help|help)\s*|\s*man\s+[\w-]+\s*")
_CHANGES = re.compile(r"[<>`]|\$\(|(?:^|\s)-(?:i|delete|exec|execdir|ok|fprint)\b")


def is_look(command: str) -> bool:
    """Whether `command` only shows what is there; False if in doubt."""
    if _looks(command):
        return True
    may_ask = len(command) <= _LONGEST and ("help" in command or "man " in command)
    return may_ask and _HELP.fullmatch(unsilenced(command)) is not None


def _looks(command: str) -> bool:
    if len(command) > _LONGEST or _first(command) not in _LOOKS:
        return False
    parts = [unsilenced(part.bare) for part in simple_commands(command)]
    rest = [words for part in parts if (words := part.split()) and words[0] not in _ACCOMPANYING]
    is_changing = any(_CHANGES.search(part) for part in parts)
    return bool(rest) and not is_changing and all(map(_shows, rest))


def unsilenced(command: str) -> str:
    """`command` without the redirections that only merge or silence its output."""
    return _SILENCED.sub("", command) if ">" in command else command


def _first(command: str) -> str:
    match = _FIRST.match(command)
    return match[1] if match else ""


def _shows(words: list[str]) -> bool:
    if words[0] == "git":
        return len(words) > 1 and words[1] in _OF_GIT
    if words[0] == "sed":
        return any(word.startswith("-") and "n" in word for word in words[1:])
    return words[0] in _SHOWS
