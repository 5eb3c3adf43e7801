"""A transcript from its beginning to its end, masked, in flat memory however long the file and its lines are."""

import io
from collections.abc import Iterator

import msgspec

from monitor.exporting.masking import Masker
from shared import files, lenient
from shared.lines import LONGEST

CHUNK = 1 << 20
"""Bytes that are read at once."""
_LONGEST_KEY = 32 << 10
"""Bytes that a private key may take: a line is not cut in the middle of one."""
_BEGIN, _END = b"-----BEGIN ", b"-----END "
_BETWEEN_KEYS = (b" ", b",", b"{", b"}", b"[", b";", b"<")
_LONGEST_TAIL = 16 << 20
"""Bytes of a last line without a newline, beyond which it is not looked at."""


class Piece(msgspec.Struct, frozen=True):
    """Some lines of a transcript, or a part of one that is very long."""

    data: bytes
    is_whole: bool
    """Whether these are lines, each with its newline."""


def masked(transcript: str, masker: Masker) -> Iterator[Piece]:
    """What the transcript holds now, without its secrets. Raises OSError.

    A last line that is still being written is left out.
    """
    with open(files.open_regular(transcript), "rb", buffering=0) as file:
        end = _end(file)
        file.seek(0)
        for piece in _pieces(file, end):
            text = piece.data.decode("utf-8", "surrogateescape")
            yield Piece(masker.json(text).encode("utf-8", "surrogateescape"), piece.is_whole)


def _pieces(file: io.FileIO, left: int) -> Iterator[Piece]:
    """The next `left` bytes of the file."""
    rest, is_within = b"", False
    while left and (chunk := file.read(min(CHUNK, left))):
        left -= len(chunk)
        rest += chunk
        if is_within and (end := rest.find(b"\n") + 1 or (0 if left else len(rest))):
            yield Piece(rest[:end], is_whole=False)
            rest, is_within = rest[end:], False
        if not is_within and (end := rest.rfind(b"\n") + 1 if left else len(rest)):
            yield Piece(rest[:end], is_whole=True)
            rest = rest[end:]
        if len(rest) > LONGEST:
            end = _cut(rest)
            yield Piece(rest[:end], is_whole=False)
            rest, is_within = rest[end:], True


def _end(file: io.FileIO) -> int:
    """Bytes up to and with the last newline; all of them when what follows it is a document of its own."""
    size = at = file.seek(0, 2)
    newline = 0
    while at > 0 and not newline:
        at = max(0, at - CHUNK)
        file.seek(at)
        newline = file.read(min(CHUNK, size - at)).rfind(b"\n") + 1
        newline = at + newline if newline else 0
    if not 0 < size - newline <= _LONGEST_TAIL:
        return newline
    file.seek(newline)
    return newline if lenient.decode_or(file.read(size - newline), msgspec.Raw, None) is None else size


def _cut(line: bytes) -> int:
    """Where a long line may be cut: not within a key, nor within an escape."""
    begun = line.rfind(_BEGIN, -_LONGEST_KEY)
    if begun > 0 and line.find(_END, begun) < 0:
        return begun
    between = max(line.rfind(sign) for sign in _BETWEEN_KEYS) + 1
    return between or len(line) - _LONGEST_KEY  # without any it is no text
