"""One transcript, read from its first line to its last."""

import time

import msgspec

from history.reading.calls.conversation import ConversationReading
from history.reading.calls.windows import Windows
from history.reading.transcripts import TranscriptFile
from history.store.rows import TranscriptRows
from history.store.stored_paths import StoredPaths
from shared import effort
from shared.files.lenient import seconds_of
from shared.settings.config import Config
from shared.transcript.jsonl import SHORT, forwards

_STRETCH = 1 << 20
"""Bytes between two looks at the clock, if time is limited: a few milliseconds' worth."""
_BUFFER = 1 << 18
"""Bytes that are read at once: few enough to stay in the processor's cache."""
LONGEST = 64 << 20
"""A line of this many bytes is skipped: tool results can be 50 MB."""
_TYPE = b'{"type":"'
_RELEVANT = (b'user"', b'assistant"', b'system"', b'attachment"', b'api-request"')
_PROGRESS, _MESSAGE = b'"type":"progress","data":{', b'"message":'
_HEAD = 1_000
"""The first bytes of a line, which show whether it is a progress line; older clients write very many of those."""


class TranscriptReading(msgspec.Struct, array_like=True, tag=True):
    """Everything that the store takes from a transcript."""

    file: TranscriptFile
    rows: TranscriptRows
    stored_path: str
    """The file's path; empty if paths are hashed."""
    directory: str
    version: str
    first_at: int | None
    last_at: int | None


class TranscriptReader:
    """A reader of transcripts, with the settings of one sync."""

    def __init__(self, config: Config, paths: StoredPaths, until: float | None = None) -> None:
        """`until`, in time.monotonic, is when the reading ends."""
        self._windows, self._summary_file = Windows(config), config.messages.summary_file
        self._paths, self._until = paths, until

    def read(self, file: TranscriptFile) -> TranscriptReading | None:
        """Read `file` from its first line to its last; None if time runs out before. Raises OSError."""
        is_subagent = file.agent is not None
        reading = ConversationReading(self._windows, self._paths, self._summary_file, is_subagent=is_subagent)
        next_look = _STRETCH
        with open(file.path, "rb", buffering=_BUFFER) as opened:
            for position, line in forwards(opened, 0, LONGEST, is_dense=True):
                if _is_relevant(line):
                    reading.add(line)
                if position >= next_look:
                    next_look = position + _STRETCH
                    if self._is_over():
                        return None
        if self._is_over():  # and so the lines may have ended early
            return None
        reading.finish()
        stored_path = "" if self._paths.is_hashed else file.path_text
        first_at = None if reading.first_at is None else seconds_of(reading.first_at) or 0
        last_at = seconds_of(reading.last_at)
        return TranscriptReading(file, reading.rows, stored_path, reading.directory, reading.version, first_at, last_at)

    def _is_over(self) -> bool:
        return self._until is not None and (time.monotonic() > self._until or effort.is_over())


def _is_relevant(line: bytes) -> bool:
    """Whether a line may hold information, judged without decoding it."""
    if len(line) <= SHORT:
        return False
    if line.startswith(_TYPE):
        return line.startswith(_RELEVANT, len(_TYPE))
    progress = line.find(_PROGRESS, 0, _HEAD)
    return progress < 0 or line.find(_MESSAGE, 0, progress) >= 0
