"""What is new in one transcript, in batches that can each be written on their own."""

from collections.abc import Iterator
from hashlib import blake2b
from typing import BinaryIO

import msgspec

from history.reading.calls.conversation import ConversationReading
from history.reading.calls.state import ConversationState
from history.reading.calls.windows import Windows
from history.reading.transcripts import TranscriptFile
from history.store.rows import NewRows
from history.store.schema import PARSER
from history.store.stored_paths import StoredPaths
from shared.files.lenient import seconds_of
from shared.settings.config import Config
from shared.transcript.jsonl import SHORT, forwards

_BATCH = 8 << 20
"""Bytes of a transcript that are read before the batch is written."""
_HURRIED_BATCH = 1 << 18
"""Bytes of a batch if there is a time limit: a few milliseconds' worth, or a tenth of a second's of calls alone."""
_BUFFER = 1 << 18
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


class StoredReading(msgspec.Struct, frozen=True, array_like=True):
    """How far the store has read a transcript: columns of `transcripts`."""

    position: int
    modified: int
    checksum: bytes
    parser: int
    state: bytes


class Batch(msgspec.Struct, array_like=True, tag=True):
    """What one stretch of a transcript adds, and how far the reading then is."""

    file: TranscriptFile
    before: int | None
    """The position that the store must have for this batch to fit; None: the store doesn't know the transcript."""
    is_reread: bool
    """Whether the store's rows of this transcript must be removed first, because another version read it."""
    start: int
    """The position that it was read from."""
    position: int
    checksum: bytes = b""
    state: bytes = b""
    rows: NewRows = msgspec.field(default_factory=NewRows)
    stored_path: str = ""
    """The file's; empty if paths are hashed."""
    directory: str = ""
    version: str = ""
    first_at: int | None = None
    last_at: int | None = None


class TranscriptReader:
    """The reading of transcripts under the settings of one sync."""

    def __init__(self, config: Config, paths: StoredPaths, until: float | None = None) -> None:
        """`until`, in time.monotonic, makes batches small."""
        self._windows, self._summary_file = Windows(config), config.messages.summary_file
        self._paths, self.until = paths, until
        self._batch_bytes = _BATCH if until is None else _HURRIED_BATCH

    def batches(self, file: TranscriptFile, stored: StoredReading | None) -> Iterator[Batch]:
        """Yield what is new in `file`, in order. Raises OSError."""
        is_reread = stored is not None and stored.parser != PARSER
        start, before = (stored.position, stored.position) if stored else (0, None)
        with open(file.path, "rb", buffering=_BUFFER) as opened:
            if stored and (is_reread or file.size < start or _checksum_of(opened, start) != stored.checksum):
                start = 0  # read by another version, or no longer the same file
            state = ConversationState()
            if stored and start:
                state = msgspec.msgpack.decode(stored.state, type=ConversationState)
            reading = ConversationReading(
                state, self._windows, self._paths, self._summary_file, is_subagent=file.agent is not None
            )
            is_known = stored is not None and start == stored.position and file.modified == stored.modified
            end = begun = start
            for position, line in forwards(opened, start, LONGEST, is_dense=True):
                if (_is_relevant(line) and reading.add(line)) or line.endswith(b"\n"):
                    end = position  # else the client is still writing it
                if end - begun >= self._batch_bytes:
                    yield self._batch(opened, reading, Batch(file, before, is_reread, begun, end))
                    before, begun, is_reread, is_known = end, end, False, True
            if end > begun or not is_known:
                yield self._batch(opened, reading, Batch(file, before, is_reread, begun, end))

    def _batch(self, opened: BinaryIO, reading: ConversationReading, batch: Batch) -> Batch:
        """`batch` with what `reading` knows up to its position."""
        state, offset = reading.state, opened.tell()
        batch.checksum = _checksum_of(opened, batch.position)
        opened.seek(offset)
        batch.rows, batch.state = reading.finish(), msgspec.msgpack.encode(state)
        batch.stored_path = "" if self._paths.is_hashed else batch.file.path_text
        batch.directory, batch.version = state.directory, state.version
        batch.first_at = None if state.first_at is None else seconds_of(state.first_at) or 0
        batch.last_at = seconds_of(state.last_at)
        return batch


def _checksum_of(file: BinaryIO, position: int) -> bytes:
    """A digest of the bytes before `position`."""
    start = max(0, position - _SEALED)
    file.seek(start)
    return blake2b(file.read(position - start), digest_size=8).digest()


def _is_relevant(line: bytes) -> bool:
    """Whether a line may hold information, judged without decoding it."""
    if len(line) <= SHORT:
        return False
    if line.startswith(_TYPE):
        return line.startswith(_RELEVANT, len(_TYPE))
    progress = line.find(_PROGRESS, 0, _HEAD)
    return progress < 0 or line.find(_MESSAGE, 0, progress) >= 0
