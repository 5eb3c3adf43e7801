"""Rules in gitignore's language, matched in linear time: whoever wrote them can't keep a tool call waiting.

All rules are one automaton whose states are the bits of one integer. Each character of a path moves all of them on at
once, in the same few operations whatever the rules say; nothing is tried twice.
"""

from bisect import bisect_right
from collections.abc import Iterable, Iterator

import msgspec

_LONGEST = 4_096
"""Characters of a path; no system opens a longer one."""


class _Characters(msgspec.Struct, frozen=True):
    """A class such as `[a-f]` or `[!.]`, or `?`; none accepts a slash."""

    members: str = ""
    ranges: tuple[tuple[str, str], ...] = ()
    is_negated: bool = True

    def accepts(self, character: str) -> bool:
        is_listed = character in self.members or any(first <= character <= last for first, last in self.ranges)
        return character != "/" and is_listed != self.is_negated


_NAME, _DIRECTORIES = "any part of a name", "any directories"
"""What `*` and `**/` stand for; a literal is one character."""


class GitignoreRules:
    """Rules of which the last that matches a path, or a directory that holds it, decides."""

    def __init__(self, rules: Iterable[str]) -> None:
        self._rules = [rule for rule in rules if _pattern(rule)]
        self._first: list[int] = []
        """Each rule's first state. Its others follow, one after each part of the pattern."""
        self._size = self._floating = self._final = 0
        self._states: dict[str | _Characters, int] = {}
        """The states of each part of a pattern."""
        for rule in self._rules:
            self._add(_pattern(rule))
        self._names, self._directories = self._states.get(_NAME, 0), self._states.get(_DIRECTORIES, 0)
        self._masks: dict[str, int] = {}
        self._start = self._entered(sum(1 << first for first in self._first))

    def match(self, path: str) -> str | None:
        """The rule that `path`, relative and with slashes, falls under; None for none, or for one with `!`."""
        states, matched = self._start, 0
        for character in path[:_LONGEST]:
            moved = (states & self._mask(character)) << 1 | states & self._directories
            if character == "/":
                matched |= states & self._final
                states = self._entered(moved | self._floating)
            else:
                states = self._after_stars(moved | states & self._names)
        matched |= states & self._final
        rule = self._rules[bisect_right(self._first, matched.bit_length() - 1) - 1] if matched else "!"
        return None if rule.startswith("!") else rule

    def _add(self, pattern: str) -> None:
        """Append the states of one rule."""
        self._first.append(self._size)
        if "/" not in pattern:  # it may begin in any directory
            self._floating |= 1 << self._size
        for token in _tokens(pattern.removeprefix("/")):
            self._states[token] = self._states.get(token, 0) | 1 << self._size
            self._size += 1
        self._final |= 1 << self._size
        self._size += 1

    def _entered(self, states: int) -> int:
        """`states` at the beginning of a name, where `**/` may stand for no directory."""
        return self._after_stars(states | (states & self._directories) << 1)

    def _after_stars(self, states: int) -> int:
        """`states`, and those after a `*` that stands for nothing."""
        return states | (states & self._names) << 1

    def _mask(self, character: str) -> int:
        """The states that `character` leads on from."""
        mask = self._masks.get(character)
        if mask is None:
            mask = self._states.get(character, 0)
            for token, states in self._states.items():
                mask |= states if isinstance(token, _Characters) and token.accepts(character) else 0
            self._masks[character] = mask
        return mask


def _pattern(rule: str) -> str:
    """The pattern in a line of a file; empty for a comment, or a line that says nothing."""
    text = rule.rstrip()
    text = f"{text} " if text.endswith("\\") else text
    if text.startswith("#"):
        return ""
    text = text.removeprefix("!").rstrip("/")
    while text.endswith("/**") and text not in {"/**", "**/**"}:
        text = text.removesuffix("/**").rstrip("/")  # all that a directory holds: the same as the directory
        text = text if "/" in text else f"/{text}"
    return text


def _tokens(pattern: str) -> Iterator[str | _Characters]:
    """The parts of a pattern, wildcards of one kind in a row as one."""
    at, token = 0, ""
    while at < len(pattern):
        last, sign = token, pattern[at]
        part: str | _Characters = sign
        length = 1
        token = ""
        if pattern.startswith("**/", at) and (at == 0 or pattern[at - 1] == "/"):
            part = token = _DIRECTORIES
            length = 3
        elif sign == "*":
            part = token = _NAME
        elif sign == "?":
            part = _Characters()
        elif sign == "\\":
            part = pattern[at + 1 : at + 2] or sign
            length = 2
        elif sign == "[" and (end := pattern.find("]", at + 2 + (pattern[at + 1 : at + 2] in {"!", "^"}))) > 0:
            part = _characters(pattern[at + 1 : end])
            length = end + 1 - at
        at += length
        if not token or token != last:
            yield part


def _characters(body: str) -> _Characters:
    """A class by what stands between its brackets."""
    is_negated = body[0] in "!^"
    body = body[is_negated:]
    members, ranges, at = "", [], 0
    while at < len(body):
        if body[at + 1 : at + 2] == "-" and at + 2 < len(body):
            ranges.append((body[at], body[at + 2]))
            at += 3
        else:
            members += body[at]
            at += 1
    return _Characters(members, tuple(ranges), is_negated)
