"""A transcript's lines, a stretch at a time, in bounded memory; most lines without information are left out."""

from collections.abc import Iterator
from hashlib import blake2b
from typing import BinaryIO

STRETCH = 1 << 18
"""Bytes that are read at once: few enough that their memory is reused and stays in the processor's cache."""
LONGEST = 64 << 20
"""A line of more bytes is skipped: tool results can be 50 MB."""
_SEALED = 256
"""Bytes before a position by which a file is recognised."""
_TYPE = b'{"type":"'
_TELLING = (b'user"', b'assistant"', b'system"', b'attachment"', b'api-request"')
_PROGRESS, _MESSAGE = b'"type":"progress","data":{', b'"message":'
_HEAD = 1_000
"""The first bytes of a line, which show whether it is a progress line; older clients write very many of those."""


def stretches(file: BinaryIO, position: int) -> Iterator[tuple[int, list[bytes], bool]]:
    """(position after them, lines without their newlines, whether they had any) from `position` to the end.

    What is at the end without a newline comes last and alone.
    """
    file.seek(position)
    pieces: list[bytes] = []  # of a line that is longer than what is read at once
    held = 0
    while more := file.read(STRETCH):
        *lines, rest = more.split(b"\n")
        if lines:
            lines[0] = b"".join((*pieces, lines[0])) if held <= LONGEST else b""
            position, pieces, held = position + held + len(more) - len(rest), [], 0
            yield position, lines, True
        held += len(rest)
        pieces = [*pieces, rest] if held <= LONGEST else []
    if pieces and held:
        yield position + held, [b"".join(pieces)], False


def seal_of(file: BinaryIO, position: int) -> bytes:
    """A digest of the bytes before `position`."""
    start = max(0, position - _SEALED)
    file.seek(start)
    return blake2b(file.read(position - start), digest_size=8).digest()


def is_telling(line: bytes) -> bool:
    """Whether a line may hold information, judged without decoding it."""
    if line.startswith(_TYPE):
        return line.startswith(_TELLING, len(_TYPE))
    progress = line.find(_PROGRESS, 0, _HEAD)
    return progress < 0 or line.find(_MESSAGE, 0, progress) >= 0
