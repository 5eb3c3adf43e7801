"""Shell commands that only show something, which count as a search."""

import re

from monitor.activity.shell.command_line import simple_commands
from shared.text.word_set import word_set

_SHOWS = word_set("bat cat head less more nl sed tail ag egrep fd fgrep find grep jq ls rg tree wc")
_ACCOMPANYING = frozenset({"awk", "column", "cut", "sort", "tr", "uniq", "cd", "echo", "printf", "true"})
_OF_GIT = frozenset({"blame", "cat-file", "grep", "ls-files", "ls-tree", "show"})
"""Subcommands of git that show contents, which don't change by themselves."""
_LONGEST = 1_000
"""Characters of the longest command that isn't a script."""
_SILENCED = re.compile(r"[12&]?>\s*/dev/null|2>&1")
_CHANGES = re.compile(r"[<>`]|\$\(|(?:^|\s)-(?:i|delete|exec|execdir|ok|fprint)\b")


def is_read_only(command: str) -> bool:
    """Whether `command` only shows something; False if in doubt."""
    if len(command) > _LONGEST:
        return False
    parts = [unsilenced(part.bare) for part in simple_commands(command)]
    rest = [words for part in parts if (words := part.split()) and words[0] not in _ACCOMPANYING]
    return bool(rest) and not any(map(_CHANGES.search, parts)) and all(map(_shows, rest))


def unsilenced(command: str) -> str:
    """`command` without the redirections that only merge or silence its output."""
    return _SILENCED.sub("", command) if ">" in command else command


def _shows(words: list[str]) -> bool:
    if words[0] == "git":
        return len(words) > 1 and words[1] in _OF_GIT
    if words[0] == "sed":
        return any(word.startswith("-") and "n" in word for word in words[1:])
    return words[0] in _SHOWS
