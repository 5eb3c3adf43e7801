"""Commands that take away what a session has written: `rm`, and git where it puts an older state in its place."""

import os
import re
from typing import NamedTuple

from monitor.activity.shell.command_line import simple_commands

_LONGEST = 1_000
"""Characters; what is longer is a program of its own."""
_MAY = re.compile(r"(?:^|[;&|\n])\s*(?:rm|git\s[^;&|\n]*(?:checkout|restore|reset|revert|stash|rm))\s")
_QUOTES = re.compile(r"['\"]")


class Discarded(NamedTuple):
    """What a command takes away."""

    names: frozenset[str]
    """Names of files, without their directories."""
    is_all: bool
    """Whether it is everything, whatever the names."""
    by_git: bool
    is_committed: bool = False
    """Whether commits go, too."""


def discarded_by(command: str) -> Discarded | None:
    """What `command` takes away; None when that is nothing."""
    if len(command) > _LONGEST or not ("rm" in command or "git" in command) or not _MAY.search(command):
        return None
    parts = [_QUOTES.sub("", part.text).split() for part in simple_commands(command)]
    has_stashed = False
    for words in parts:
        if words[:1] == ["rm"]:
            return Discarded(_names(words[1:]), is_all=False, by_git=False)
        if words[:1] != ["git"]:
            continue
        words = words[3:] if words[1:2] == ["-C"] else words[1:]  # noqa: PLW2901  the option says only where
        if result := _by_git(words, has_stashed=has_stashed):
            return result
        has_stashed = words == ["stash"] or words[:2] == ["stash", "push"]
    return None


def _by_git(words: list[str], *, has_stashed: bool) -> Discarded | None:
    action, arguments = words[:1], words[1:]
    if action == ["revert"] and "--abort" not in arguments:
        return Discarded(frozenset(), is_all=True, by_git=True, is_committed=True)
    if (action == ["reset"] and "--hard" in arguments) or (has_stashed and words[:2] == ["stash", "drop"]):
        is_committed = any("~" in word or "^" in word for word in arguments)
        return Discarded(frozenset(), is_all=True, by_git=True, is_committed=is_committed)
    if action == ["rm"]:
        return Discarded(_names(arguments), is_all=False, by_git=False)
    if action == ["checkout"] and "--" in arguments:
        arguments = arguments[arguments.index("--") + 1 :]
    elif action not in (["checkout"], ["restore"]) or not {"-b", "-B", "--staged"}.isdisjoint(arguments):
        return None
    return Discarded(_names(arguments), is_all="." in arguments, by_git=True)


def _names(words: list[str]) -> frozenset[str]:
    return frozenset(os.path.basename(word) for word in words if word[:1] != "-") - {"", "."}
