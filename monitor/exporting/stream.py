"""Read a whole transcript with its secrets masked, in constant memory however long the file and its lines are."""

import io
import itertools
from collections.abc import Iterator

import msgspec

from shared.files import files
from shared.secrets import masking
from shared.transcript.jsonl import LONGEST

CHUNK = 1 << 15
"""Bytes read at once: few, as a part with invisible characters is searched twice."""
_OVERLAP = 32 << 10
"""Characters of a long line that are searched again with the following part: a secret and its name take less."""


class Piece(msgspec.Struct, frozen=True):
    """Some lines of a transcript, or a part of a very long line."""

    data: bytes
    is_whole: bool
    """Whether these are lines, each with its newline."""
    is_end: bool = True
    """Whether a line ends with it."""
    masked: int = 0
    """Secrets that were masked in it."""


def masked(transcript: str) -> Iterator[Piece]:
    """Yield the transcript's present contents with secrets masked. Raises OSError.

    A last line without a newline is left out: it is still being written. Each part of a long line is searched together
    with the ends of its neighbours, and yielded as far as the following part can't change it.
    """
    text, start = "", 0  # the end of what was yielded of such a line, then what wasn't; the length of the first
    with open(files.open_regular(transcript), "rb", buffering=0) as file:
        for data, is_whole in itertools.chain(_parts(file), [(b"", False)]):
            text += data.decode("utf-8", "surrogateescape")
            if start == len(text):
                continue
            is_end = is_whole or data.endswith(b"\n") or not data
            end = len(text) if is_end else max(start, len(text) - _OVERLAP)
            spans = [span for span in masking.spans(text) if span.end > start and span.start < end]
            if spans and spans[-1].end > end:
                end = max(start, spans.pop().start)
            result = masking.mask_spans(text, spans, start, end).encode("utf-8", "surrogateescape")
            yield Piece(result, is_whole, is_end, len(spans))
            seam = max(0, end - _OVERLAP)
            text, start = ("", 0) if is_end else (text[seam:], end - seam)


def _parts(file: io.FileIO) -> Iterator[tuple[bytes, bool]]:
    """Yield the file's lines in parts, and whether a part consists of whole lines."""
    unread = _end(file)
    file.seek(0)
    rest, is_within = b"", False
    while unread and (chunk := file.read(min(CHUNK, unread))):
        unread -= len(chunk)
        rest += chunk
        if is_within and (end := rest.find(b"\n") + 1):
            yield rest[:end], False
            rest, is_within = rest[end:], False
        if not is_within and (end := rest.rfind(b"\n") + 1):
            yield rest[:end], True
            rest = rest[end:]
        if len(rest) > LONGEST:
            yield rest, False
            rest, is_within = b"", True


def _end(file: io.FileIO) -> int:
    """Bytes up to and including the last newline."""
    at = file.seek(0, 2)
    newline = 0
    while at > 0 and not newline:
        start = max(0, at - CHUNK)
        file.seek(start)
        newline = file.read(at - start).rfind(b"\n") + 1
        at = start
    return at + newline
