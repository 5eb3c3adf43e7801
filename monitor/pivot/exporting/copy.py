"""The copies of a transcript in an export's directory: the whole of it, compressed, and one that a person reads."""

import gzip
import os
from typing import BinaryIO

import msgspec

from monitor.pivot.exporting import folder, stream
from monitor.pivot.exporting.masking import MASK, Masker
from monitor.pivot.exporting.readable import Readable
from monitor.texts.safety import one_line

ARCHIVE, READABLE = "transcript.jsonl.gz", "session.md"
PARTIAL = ".partial"
"""What follows the name of a file that is still being written."""
_LEVEL = 3
"""Of compression: twice as fast as gzip's own choice, and a tenth larger."""


class Copied(msgspec.Struct, frozen=True):
    """What has been copied."""

    masked: int
    """Secrets."""
    prompts: int
    answers: int
    calls: int


def copy(transcript: str, directory: str) -> Copied:
    """Write both copies into an export's new directory, where no half of one has its name. Raises OSError."""
    masker, readable = Masker(), Readable()
    paths = [os.path.join(directory, name) for name in (ARCHIVE, READABLE)]
    with folder.create(paths[0] + PARTIAL) as archive, folder.create(paths[1] + PARTIAL) as text:
        _fill(transcript, archive, text, masker, readable)
    for path in paths:
        os.rename(path + PARTIAL, path)
    return Copied(masker.count, readable.prompts, readable.answers, readable.calls)


def _fill(transcript: str, archive: BinaryIO, text: BinaryIO, masker: Masker, readable: Readable) -> None:
    session = os.path.basename(transcript).removesuffix(".jsonl")
    _write(text, f"# Session {one_line(session, 140)}\n")
    with gzip.GzipFile(f"{session}.jsonl", "wb", _LEVEL, archive, mtime=0) as compressed:
        for piece in stream.masked(transcript, masker):
            compressed.write(piece.data)
            for part in readable.of(piece.data) if piece.is_whole else readable.without():
                _write(text, part)
    _write(
        text,
        f"\n---\n\n{readable.prompts} prompts, {readable.answers} answers, {readable.calls} tool calls."
        f" {masker.count} secrets that look like keys are masked as {MASK}.\n",
    )


def _write(file: BinaryIO, text: str) -> None:
    file.write(text.encode("utf-8", "replace"))
