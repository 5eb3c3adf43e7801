"""A transcript's lines, a stretch at a time, in bounded memory; most of those that say nothing are left out."""

from collections.abc import Iterator
from hashlib import blake2b
from typing import BinaryIO

STRETCH = 1 << 20
"""Bytes that are read at once."""
LONGEST = 64 << 20
"""Bytes of a line beyond which it is passed over: tool results can be 50 MB."""
_SEALED = 256
"""Bytes before a position by which a file is known again."""
_TYPE = b'{"type":"'
_TELLING = (b'user"', b'assistant"', b'system"', b'attachment"', b'api-request"')
_PROGRESS, _MESSAGE = b'"type":"progress","data":{', b'"message":'
_HEAD = 1_000
"""Bytes in which the kind of a line of progress stands; older clients write very many of them."""


def stretches(file: BinaryIO, position: int) -> Iterator[tuple[int, bytes]]:
    """(position, whole lines) from `position` to the end; at last what stands there without a newline, if anything."""
    file.seek(position)
    rest, is_passing_over = b"", False
    while more := file.read(STRETCH):
        data = rest + more
        if is_passing_over:
            newline = data.find(b"\n") + 1
            position += newline or len(data)
            is_passing_over, data = not newline, data[newline:] if newline else b""
        end = data.rfind(b"\n") + 1
        if end:
            yield position, data[:end]
            position, data = position + end, data[end:]
        if len(data) > LONGEST:
            position, is_passing_over, data = position + len(data), True, b""
        rest = data
    if rest:
        yield position, rest


def seal_of(file: BinaryIO, position: int) -> bytes:
    """A digest of the bytes before `position`."""
    start = max(0, position - _SEALED)
    file.seek(start)
    return blake2b(file.read(position - start), digest_size=8).digest()


def is_telling(line: bytes) -> bool:
    """Whether a line may say something, told without decoding it."""
    if line.startswith(_TYPE):
        return line.startswith(_TELLING, len(_TYPE))
    progress = line.find(_PROGRESS, 0, _HEAD)
    return progress < 0 or line.find(_MESSAGE, 0, progress) >= 0
