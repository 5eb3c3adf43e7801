"""A transcript's lines, in bounded memory, and which of them may hold information."""

from collections.abc import Iterator
from hashlib import blake2b
from typing import BinaryIO

BUFFER = 1 << 18
"""Bytes that are read at once: few enough that they stay in the processor's cache."""
LONGEST = 64 << 20
"""A line of so many bytes is skipped: tool results can be 50 MB."""
_SEALED = 256
"""Bytes before a position by which a file is recognised."""
_NEWLINE = b"\n"
_TYPE = b'{"type":"'
_TELLING = (b'user"', b'assistant"', b'system"', b'attachment"', b'api-request"')
_PROGRESS, _MESSAGE = b'"type":"progress","data":{', b'"message":'
_HEAD = 1_000
"""The first bytes of a line, which show whether it is a progress line; older clients write very many of those."""


def lines_from(file: BinaryIO, position: int) -> Iterator[tuple[int, bytes]]:
    """(position after it, line with its newline) from `position` to the end; a line too long is left empty.

    What is at the end without a newline comes without one, unless it is too long already.
    """
    file.seek(position)
    while line := file.readline(LONGEST):
        position += len(line)
        if len(line) == LONGEST:
            while line and not line.endswith(_NEWLINE):
                line = file.readline(LONGEST)
                position += len(line)
            if not line:
                return
            line = _NEWLINE
        yield position, line
        if not line.endswith(_NEWLINE):
            return  # what the client has added since would pass for a line


def seal_of(file: BinaryIO, position: int) -> bytes:
    """A digest of the bytes before `position`."""
    start = max(0, position - _SEALED)
    file.seek(start)
    return blake2b(file.read(position - start), digest_size=8).digest()


def is_whole(line: bytes) -> bool:
    """Whether the client has written all of a line, as far as its end shows."""
    return line.endswith(_NEWLINE)


def is_telling(line: bytes) -> bool:
    """Whether a line may hold information, judged without decoding it."""
    if line.startswith(_TYPE):
        return line.startswith(_TELLING, len(_TYPE))
    progress = line.find(_PROGRESS, 0, _HEAD)
    return progress < 0 or line.find(_MESSAGE, 0, progress) >= 0
