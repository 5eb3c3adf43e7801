"""Hashes of texts: 32 bits that say whether two texts are the same, and nothing of what they are."""

import re
import zlib
from collections.abc import Collection

_MOST_LINES = 40
_NUMBERS = re.compile(rb"0x[0-9a-f]+|\d+(?:\.\d+)?")
_ERROR_BYTES = 8_000
_COMMONPLACE = frozenset({"else:", "try:", "pass", "return", "break", "continue", "finally:", "end", "fi", "done"})


def of(text: bytes) -> int:
    return zlib.crc32(text)


def of_text(text: str) -> int:
    return zlib.crc32(text.encode("utf-8", "replace"))


def of_command(command: str) -> int:
    """The fingerprint of a command, the same however it is spaced."""
    return of_text(" ".join(command.split()))


def of_error(text: bytes) -> int:
    """The fingerprint of an error, the same whatever the times, addresses and counts in it."""
    return zlib.crc32(_NUMBERS.sub(b"#", text[:_ERROR_BYTES]))


def of_lines(text: str) -> set[int]:
    """A fingerprint for each line that says something, however it is indented; a lone line always does."""
    lines = [line.strip() for line in text.splitlines()]
    if len(lines) == 1:
        return {of_text(lines[0])} if lines[0] else set()
    return {
        of_text(line) for line in lines if len(line) > 2 and line not in _COMMONPLACE and any(map(str.isalnum, line))
    }


def change(before: str, after: str) -> tuple[list[int], list[int]]:
    """The lines that an edit takes away and those that it brings, the first forty of each by their hashes."""
    old, new = of_lines(before), of_lines(after)
    return sorted(old - new)[:_MOST_LINES], sorted(new - old)[:_MOST_LINES]


def overlap(one: Collection[int], other: Collection[int]) -> bool:
    """Whether they share at least half of the shorter one."""
    shared = len(set(one).intersection(other))
    return shared > 0 and 2 * shared >= min(len(one), len(other))
