"""The lines of a file, read forwards or backwards in constant memory."""

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
"""The longest line that is read, in bytes: no answer is that long, but tool results can be 50 MB."""
FARTHEST = 128 << 20
"""Bytes from the end at which any search stops, so that a file without an answer costs a bounded time."""

SHORT = 32
"""Bytes of a line too short to be a record, since each names its type and its session."""
_SHORT_LINES = rb"(?:[^\n]{0,%d}\n)++" % (SHORT - 1)
_LAST_PART = 2 * CHUNK
"""Bytes at the end that contain the line of the current tool use."""


def line_at(path: str, offset: int) -> bytes:
    """The line that begins `offset` bytes into the file at the absolute `path`; empty if it can't be read."""
    if not os.path.isabs(path):
        return b""
    try:
        with open(files.open_regular(path), "rb") as file:
            file.seek(offset)
            return file.readline(LONGEST)
    except (OSError, ValueError):
        return b""


class SearchBounds(msgspec.Struct):
    """The lines that are still wanted. The caller may change it while reading."""

    markers: list[bytes] = []
    """Lines without any of these may be skipped, except the last one; an empty list skips none."""
    until: int = 0
    """Byte offset at which the search ends."""


def newest_first(path: str, markers: Sequence[bytes] = (), farthest: int = FARTHEST) -> Iterator[tuple[int, bytes]]:
    """Yield the offset and the bytes of each line of the file at `path`, the last first; nothing if it can't be read.

    With `markers`, only lines that contain one of them; none further than `farthest` bytes from the end.
    """
    try:
        with open(files.open_regular(path), "rb", buffering=0) as file:
            yield from newest_first_in(file, markers, farthest)
    except (OSError, ValueError):
        return


def newest_first_in(
    file: BinaryIO, markers: Sequence[bytes] = (), farthest: int = FARTHEST
) -> Iterator[tuple[int, bytes]]:
    """Yield what `newest_first` does, from an open file. Raises OSError."""
    size = file.seek(0, 2)
    for offset, line in backwards(file, size, SearchBounds(list(markers), max(0, size - farthest))):
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
    r"""Yield (position after it, line with its newline) for each line from `position` on.

    A line over `longest` bytes comes as `\n`. An end without a newline comes without one, unless it is too long. With
    `is_dense`, runs of lines too short to say anything come as one line. The file must be buffered.
    """
    file.seek(position)
    while line := file.readline(longest):
        position += len(line)
        if len(line) == longest and not line.endswith(b"\n"):
            while line and not line.endswith(b"\n"):
                if effort.is_over():  # a line of a sparse file may have no end
                    return
                line = file.readline(longest)
                position += len(line)
            if not line:
                return
            line = b"\n"
        if is_dense and len(line) <= SHORT and isinstance(file, io.BufferedReader):
            short = re.match(_SHORT_LINES, file.peek())  # those that are already in the buffer
            position += len(file.read(short.end())) if short else 0
        yield position, line
        if not line.endswith(b"\n"):
            return  # otherwise what the client has appended since would pass for a line


def backwards(file: BinaryIO, size: int, bounds: SearchBounds | None = None) -> Iterator[tuple[int, bytes]]:
    """Yield (offset, line without its newline) for each line that is neither empty nor too long, the last first.

    The last line may lack a newline, while it is being written. With markers in `bounds`, whole chunks without one are
    skipped. If no time is left, only the first chunk is read.
    """
    return itertools.chain.from_iterable(_chunks_backwards(file, size, bounds or SearchBounds()))


def _chunks_backwards(file: BinaryIO, size: int, bounds: SearchBounds) -> Iterator[list[tuple[int, bytes]]]:
    """Yield the lines that begin in each chunk; a change of `bounds` counts from the next chunk on."""
    start, rest, is_passing_over = size, b"", False
    while start > max(bounds.until, size - FARTHEST, 0) and (start == size or not effort.is_over()):
        step = min(CHUNK if not is_passing_over else LONGEST, start)
        start -= step
        file.seek(start)
        chunk = file.read(step) + rest
        end, newline = len(chunk), chunk.find(b"\n", 0, step)
        # Only where a line begins in the chunk, so that a long line is searched once.
        if newline >= 0 and bounds.markers and start + end < size and not any(one in chunk for one in bounds.markers):
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
