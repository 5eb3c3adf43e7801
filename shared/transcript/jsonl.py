"""The lines of a file from its first to its last, or from its last to its first, in flat memory."""

import io
import itertools
import os
import re
from collections.abc import Iterator, Sequence
from typing import BinaryIO

import msgspec

from shared import effort
from shared.files import files

CHUNK = 128 * 1024
LONGEST = 1 << 20
"""Bytes of a line beyond which it is passed over: no answer is that long, tool results can be 50 MB."""
FARTHEST = 128 << 20
"""Bytes from the end beyond which nothing is looked for, so that a file without an answer costs a bounded time."""

SHORT = 32
"""Bytes of a line that are no record: each names its kind and its session."""
_SHORT_LINES = rb"(?:[^\n]{0,%d}\n)++" % (SHORT - 1)
_LAST_PART = 2 * CHUNK
"""Bytes in which the line of a tool use in hand lies."""


def line_at(path: str, offset: int) -> bytes:
    """The line that begins `offset` bytes into the file at an absolute `path`; empty where it cannot be read."""
    if not os.path.isabs(path):
        return b""
    try:
        with open(files.open_regular(path), "rb") as file:
            file.seek(offset)
            return file.readline(LONGEST)
    except (OSError, ValueError):
        return b""


class Scope(msgspec.Struct):
    """What is still looked for. The reader of the lines may change it on the way."""

    markers: list[bytes] = []
    """Lines that hold none of these may be left out, but for the last one; an empty list leaves none out."""
    until: int = 0
    """Byte offset before which nothing is looked for."""


def newest_first(path: str, markers: Sequence[bytes] = (), farthest: int = FARTHEST) -> Iterator[tuple[int, bytes]]:
    """The offset and the bytes of each line of the file at `path`, the last first; none where it cannot be read.

    With `markers` only lines that hold one of them, none further than `farthest` bytes from the end.
    """
    try:
        with open(files.open_regular(path), "rb", buffering=0) as file:
            yield from newest_first_in(file, markers, farthest)
    except (OSError, ValueError):
        return


def newest_first_in(
    file: BinaryIO, markers: Sequence[bytes] = (), farthest: int = FARTHEST
) -> Iterator[tuple[int, bytes]]:
    """What `newest_first` yields, of a file that is open. Raises OSError."""
    size = file.seek(0, 2)
    for offset, line in backwards(file, size, Scope(list(markers), max(0, size - farthest))):
        if not markers or any(marker in line for marker in markers):
            yield offset, line


def end_of_line_with(file: BinaryIO, size: int, marker: bytes) -> int:
    """The offset after the last line with `marker` in the last part of the file's first `size` bytes; 0 without one."""
    start = file.seek(max(0, size - _LAST_PART))
    data = file.read(size - start)
    at = data.rfind(marker)
    end = data.find(b"\n", at)
    return 0 if at < 0 or end < 0 else start + end + 1


def forwards(
    file: BinaryIO, position: int, longest: int = LONGEST, *, is_dense: bool = False
) -> Iterator[tuple[int, bytes]]:
    """(position after it, line with its newline) of each line from `position` on; one over `longest` bytes is empty.

    What is at the end without a newline comes without one, unless it is too long already. With `is_dense` the many
    lines that are too short to say anything come as one. The file is a buffered one.
    """
    file.seek(position)
    while line := file.readline(longest):
        position += len(line)
        if len(line) == longest and not line.endswith(b"\n"):
            while line and not line.endswith(b"\n"):
                if effort.is_over():  # a line of a sparse file has no end
                    return
                line = file.readline(longest)
                position += len(line)
            if not line:
                return
            line = b"\n"
        if is_dense and len(line) <= SHORT and isinstance(file, io.BufferedReader):
            short = re.match(_SHORT_LINES, file.peek())  # as far as they have been read already
            position += len(file.read(short.end())) if short else 0
        yield position, line
        if not line.endswith(b"\n"):
            return  # what the client has added since would pass for a line


def backwards(file: BinaryIO, size: int, scope: Scope | None = None) -> Iterator[tuple[int, bytes]]:
    """(offset, line without its newline) of each line that is neither empty nor too long, the last first.

    The last line may be one without a newline, still being written. With markers in `scope` a file of many short
    lines is gone through by the chunk. Where no time is left it ends with the first chunk.
    """
    return itertools.chain.from_iterable(_chunks_backwards(file, size, scope or Scope()))


def _chunks_backwards(file: BinaryIO, size: int, scope: Scope) -> Iterator[list[tuple[int, bytes]]]:
    """The lines that begin in each chunk; what `scope` says counts from the next chunk on."""
    start, rest, is_passing_over = size, b"", False
    while start > max(scope.until, size - FARTHEST, 0) and (start == size or not effort.is_over()):
        step = min(CHUNK if not is_passing_over else LONGEST, start)
        start -= step
        file.seek(start)
        chunk = file.read(step) + rest
        end, newline = len(chunk), chunk.find(b"\n", 0, step)
        # Only with the beginning of a line: a long one is looked through once.
        if newline >= 0 and scope.markers and start + end < size and not any(one in chunk for one in scope.markers):
            end, is_passing_over = newline, False
        lines = []
        while (newline := chunk.rfind(b"\n", 0, end)) >= 0:
            if not is_passing_over and 0 < end - newline - 1 <= LONGEST:
                lines.append((start + newline + 1, chunk[newline + 1 : end]))
            end, is_passing_over = newline, False
        rest = chunk[:end]
        if is_passing_over or len(rest) > LONGEST:
            rest, is_passing_over = b"", True
        if rest and start == 0:
            lines.append((0, rest))
        yield lines
