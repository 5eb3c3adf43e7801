"""The copies of a transcript in an export's directory: the whole of it, compressed, and one that a person reads."""

import gzip
import os
from typing import BinaryIO

import msgspec

from monitor.exporting import stream
from monitor.exporting.readable import SessionMarkdown
from shared.files.directory import Directory
from shared.project_files import ARCHIVE, PARTIAL, READABLE
from shared.text.plain import one_line
from shared.text.quantities import counted

_LEVEL = 3
"""Of compression: twice as fast as gzip's own choice, and a tenth larger."""


class Copied(msgspec.Struct, frozen=True):
    """What has been copied."""

    masked: int
    """Secrets."""
    prompts: int
    answers: int
    calls: int

    @property
    def text(self) -> str:
        counts = (counted(self.prompts, "prompt"), counted(self.answers, "answer"), counted(self.calls, "tool call"))
        if not self.masked:
            return f"{', '.join(counts)}."
        masked = (
            "1 secret that looks like a key is"
            if self.masked == 1
            else f"{self.masked} secrets that look like keys are"
        )
        return f"{', '.join(counts)}; {masked} masked."


def copy(transcript: str, directory: Directory) -> Copied:
    """Write both copies into an export's new directory, where no half of one has its name. Raises OSError."""
    with directory.create(ARCHIVE + PARTIAL) as archive, directory.create(READABLE + PARTIAL) as text:
        copied = _fill(transcript, archive, text)
    for name in (ARCHIVE, READABLE):
        directory.rename(name + PARTIAL, name)
    return copied


def _fill(transcript: str, archive: BinaryIO, text: BinaryIO) -> Copied:
    readable, masked = SessionMarkdown(), 0
    session = os.path.basename(transcript).removesuffix(".jsonl")
    _write(text, f"# Session {one_line(session, 140)}\n")
    with gzip.GzipFile(f"{session}.jsonl", "wb", _LEVEL, archive, mtime=0) as compressed:
        for piece in stream.masked(transcript):
            masked += piece.masked
            compressed.write(piece.data)
            if piece.is_end:
                for part in readable.of(piece.data) if piece.is_whole else readable.without():
                    _write(text, part)
    copied = Copied(masked, readable.prompts, readable.answers, readable.calls)
    _write(text, f"\n---\n\n{copied.text}\n")
    return copied


def _write(file: BinaryIO, text: str) -> None:
    file.write(text.encode("utf-8", "replace"))
