"""32-bit hashes of texts, which show whether two texts are the same, but not what they say."""

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
    """The fingerprint of a command, regardless of its spacing."""
    return of_text(" ".join(command.split()))


def of_error(text: bytes) -> int:
    """The fingerprint of an error, regardless of times, addresses and counts in it."""
    return zlib.crc32(_NUMBERS.sub(b"#", text[:_ERROR_BYTES]))


def of_lines(text: str) -> set[int]:
    """The fingerprints of meaningful lines, regardless of indentation; a lone line is always meaningful."""
    lines = [line.strip() for line in text.splitlines()]
    if len(lines) == 1:
        return {of_text(lines[0])} if lines[0] else set()
    return {
        of_text(line) for line in lines if len(line) > 2 and line not in _COMMONPLACE and any(map(str.isalnum, line))
    }


def change(before: str, after: str) -> tuple[list[int], list[int]]:
    """The hashes of the lines that an edit removes and of those that it adds, at most forty of each."""
    old, new = of_lines(before), of_lines(after)
    return sorted(old - new)[:_MOST_LINES], sorted(new - old)[:_MOST_LINES]


def overlap(one: Collection[int], other: Collection[int]) -> bool:
    """Whether both share at least half of the shorter one."""
    shared = len(set(one).intersection(other))
    return shared > 0 and 2 * shared >= min(len(one), len(other))
