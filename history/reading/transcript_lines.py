"""Which lines of a transcript may hold information, and how a file is recognised that was read before."""

from hashlib import blake2b
from typing import BinaryIO

BUFFER = 1 << 18
"""Bytes that are read at once: few enough that they stay in the processor's cache."""
LONGEST = 64 << 20
"""A line of this many bytes is skipped: tool results can be 50 MB."""
_SEALED = 256
"""Bytes before a position by which a file is recognised."""
_TYPE = b'{"type":"'
_RELEVANT = (b'user"', b'assistant"', b'system"', b'attachment"', b'api-request"')
_PROGRESS, _MESSAGE = b'"type":"progress","data":{', b'"message":'
_HEAD = 1_000
"""The first bytes of a line, which show whether it is a progress line; older clients write very many of those."""


def checksum_of(file: BinaryIO, position: int) -> bytes:
    """A digest of the bytes before `position`."""
    start = max(0, position - _SEALED)
    file.seek(start)
    return blake2b(file.read(position - start), digest_size=8).digest()


def is_relevant(line: bytes) -> bool:
    """Whether a line may hold information, judged without decoding it."""
    if line.startswith(_TYPE):
        return line.startswith(_RELEVANT, len(_TYPE))
    progress = line.find(_PROGRESS, 0, _HEAD)
    return progress < 0 or line.find(_MESSAGE, 0, progress) >= 0
