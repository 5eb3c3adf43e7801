"""How often the client has compacted a session: counted in its transcript, of which each redraw reads what is new."""

import msgspec

from shared import files
from shared.reading import Count
from shared.transcript_line import line_in
from shared.transcript_records import compaction_in

CHUNK = 1 << 20
"""Bytes that are read at a time; a longer line is no boundary."""
MOST_BYTES = 8 << 20
"""That one redraw reads: some milliseconds. A resumed session of many MB is counted by several."""
_BOUNDARY = b'"compact_boundary"'


class CompactionCount(msgspec.Struct, frozen=True):
    """The compactions in the first bytes of a transcript."""

    number: Count = 0
    offset: Count = 0
    """So many bytes."""
    is_whole: bool = False
    """Whether that was all of the transcript: a smaller number would be wrong."""


def count(path: str, size: int, before: CompactionCount) -> CompactionCount:
    """The count after `before`, of a transcript of `size` bytes; a shorter one than before is counted from its start.

    Raises OSError.
    """
    number, at = (before.number, before.offset) if before.offset <= size else (0, 0)
    end, is_whole = min(size, at + MOST_BYTES), False
    with open(files.open_regular(path), "rb", buffering=0) as file:
        file.seek(at)
        while at < end and (chunk := file.read(min(CHUNK, size - at))):
            lines = chunk.rfind(b"\n") + 1
            if not lines and len(chunk) < CHUNK:  # a line that is still being written
                is_whole = True
                break
            number += _boundaries(chunk[:lines])
            at += lines or len(chunk)
            file.seek(at)
    return CompactionCount(number, at, is_whole or at == size)


def _boundaries(lines: bytes) -> int:
    """Compactions in whole lines; a tool's result may hold the word as well."""
    found, at = 0, lines.find(_BOUNDARY)
    while at >= 0:
        end = lines.find(b"\n", at)
        line = line_in(lines[lines.rfind(b"\n", 0, at) + 1 : end])
        found += line is not None and compaction_in(line) is not None
        at = lines.find(_BOUNDARY, end)
    return found
