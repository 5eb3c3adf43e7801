"""A conversation's memory: what it was told and what was done for it, in one record that parallel hooks share."""

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

import msgspec

from monitor.memory.reminder import Reminder, Severity
from shared import paths
from shared.files import files, lenient, locked_file
from shared.files.lenient import Count
from shared.files.locked_file import LockedFile
from shared.transcript.tail import NO_TAIL, Tail

LARGE_BYTES = 16 << 10
"""Bytes from which a result or prompt is noted, as the transcript may lack it at the next tool use."""


class NotifiedLimit(msgspec.Struct, frozen=True):
    used: int
    """Percent."""
    resets_at: float
    """Epoch seconds."""


class SavedLevel(msgspec.Struct, frozen=True, omit_defaults=True):
    """The checkpoints saved at levels since the last compaction."""

    level: Severity = 0
    """The highest level with a checkpoint; 0 before any."""
    path: str = ""
    """The newest of these checkpoints."""
    number: Count = 0
    """The number of that checkpoint."""
    tried_at: float = 0.0
    """Epoch seconds of a save that failed or was interrupted; 0 after a successful one."""


class SummaryFile(msgspec.Struct, frozen=True, omit_defaults=True):
    """The state of the file that the last message named, at that time."""

    path: str = ""
    size: int = -1
    """Bytes; -1 if it didn't exist."""
    modified: int = 0
    """Nanoseconds since the epoch."""
    since: Count = 0
    """Bytes of the transcript then: the conversation's own writes are after them."""


class PromptMemory(msgspec.Struct, frozen=True, omit_defaults=True):
    """What the next prompt must know about the last one."""

    size: int = 0
    """Bytes of the transcript; -1 until the first prompt of a session that had none at its start."""
    tokens: Count | None = None
    """Tokens in the window."""
    is_compacted: bool = False
    """Whether the window was compacted since."""
    alerted_at: float = 0.0
    """Epoch seconds of the last alert, which covers all earlier compactions, whenever they are written down."""
    has_alert: bool = False
    """Whether the last prompt had an alert."""
    has_retraction: bool = False
    """Whether the last prompt retracted an earlier message."""
    offered: str = ""
    """Another session's checkpoint, announced to this one at its start and before its first prompt."""
    tagged: Severity = 0
    """The level in the last tag, or less if the level has fallen since; a compaction resets it."""
    cost_tokens: Count = 0
    """Tokens in use at the person's last notice on a full window's cost; 0 before any, and after a compaction."""


class CompactionTimes(msgspec.Struct, frozen=True, omit_defaults=True):
    """The start times of compactions that may not have ended, in epoch seconds; 0 for none."""

    own: float = 0.0
    subagents: float = 0.0


class LastPivot(msgspec.Struct, frozen=True):
    """The last pivot of a session."""

    strategy: str
    timestamp: str
    """ISO 8601."""
    trigger: str
    """`emergency` for a pivot that this level triggered, or `person` for one that was asked for."""
    files: tuple[str, ...] = ()


class PivotState(msgspec.Struct, frozen=True):
    """The pivot's last state of a session, which `/token-status --json` prints and other programs may read."""

    session_id: str = ""
    session_start: str = ""
    """ISO 8601."""
    tool_calls: int = 0
    estimated_tokens: int = 0
    """Tokens in the window, measured if possible."""
    context_percent: float = 0.0
    """The fraction of the window in use, 0 to 1."""
    context_source: str = "tool_calls"
    """`bridge`, `transcript`, or `tool_calls`, which is a guess."""
    thresholds_triggered: tuple[str, ...] = ()
    """All thresholds that the session has reached, in order, even if it has fallen since."""
    degradation_patterns: tuple[str, ...] = ()
    """The patterns that count, the clearest first."""
    last_pivot: LastPivot | None = None
    warnings_shown: int = 0
    auto_export_enabled: bool = True


class Memory(msgspec.Struct, omit_defaults=True):
    """One conversation's memory; the defaults are its initial state."""

    compaction: str = ""
    """Id of the newest compaction that a hook has read: it begins a window cycle."""
    compaction_times: CompactionTimes = CompactionTimes()
    """Only a session's: its subagents' events may look like its own (monitor.measuring.compaction_owner)."""
    offset: int = 0
    """Byte offset in the transcript of the newest answer that a hook has read, or of its end at a compaction."""
    has_outdated: bool = False
    """Whether the conversation has a message whose figures no longer hold, which the next text retracts."""
    pending_bytes: Count = 0
    """Bytes of the last large result or prompt, which the transcript may not hold at the next tool use."""
    level: Reminder = Reminder()
    pivot: Reminder = Reminder()
    notification: Reminder = Reminder()
    ceiling: Count | None = None
    """Percent in use, in steps of five, at which the ceiling guard last warned."""
    limits: Mapping[str, NotifiedLimit] = {}
    saved: SavedLevel = SavedLevel()
    summary_file: SummaryFile = SummaryFile()
    prompt: PromptMemory | None = None
    """None before the session's first event."""
    pivot_state: PivotState = PivotState()
    pivot_notice: str | None = None
    """The notice for the person's next prompt, without numbers, which are measured then; None if nothing is due."""
    pivot_export: str = ""
    """The directory of an export, on whose progress the notice then reports."""

    def observe(self, tail: Tail, transcript: str = "") -> bool:
        """Note how far the transcript is; return False if a parallel hook has already read a newer answer.

        `transcript` is its path. If the file now holds what this memory has read of it, `tail` is merely older: it was
        read before the answer that a parallel hook has reported meanwhile was written. But if it holds the present tool
        use, the newer answer is that of another client of the same session.
        """
        if self.is_newer_than(tail, transcript):
            return tail.holds_tool_use
        if tail.compaction and tail.compaction.id not in ("", self.compaction):
            self.begin_cycle()
            self.compaction = tail.compaction.id
        self.offset = tail.answers[0].offset if tail.answers else 0
        return True

    def is_newer_than(self, tail: Tail, transcript: str = "") -> bool:
        """Whether this memory has read more of the file `transcript` than `tail` holds."""
        newest = tail.answers[0].offset if tail.answers else 0
        return tail is not NO_TAIL and newest < self.offset <= max(tail.size, files.size(transcript))

    def pass_over(self, tail: Tail, size: int) -> None:
        """Treat all `size` bytes, which end in `tail`, as older than a compaction, unless that is already written."""
        if tail.compaction is None or tail.compaction.id in ("", self.compaction):
            self.offset = max(self.offset, size)

    def begin_cycle(self) -> None:
        """Begin a window cycle: earlier messages no longer hold, though the client may keep one of them, or a tag."""
        tagged = self.prompt.tagged if self.prompt else 0
        self.has_outdated = self.has_outdated or self.level.notified > 0 or tagged > 0
        self.level, self.pivot, self.notification = Reminder(), Reminder(), Reminder()
        self.saved, self.summary_file, self.ceiling = SavedLevel(), SummaryFile(), None
        if self.prompt is not None:
            self.prompt = msgspec.structs.replace(self.prompt, cost_tokens=0, tagged=0)

    def fall(self, level: int, answer: str = "") -> None:
        """Note that the window is less full than was reported: after a rewind, or in a larger window.

        Levels above `level` are then reported again; `answer` is the one that called the present tool.
        """
        is_of_batch = bool(answer) and answer == self.level.answer
        if level < self.level.notified and not is_of_batch:
            fallen = msgspec.structs.replace(self.level, level=min(level, self.level.level), notified=level)
            self.level, self.has_outdated = fallen, True
        if self.prompt is not None and level < self.prompt.tagged:
            self.prompt, self.has_outdated = msgspec.structs.replace(self.prompt, tagged=level), True

    def claim_retraction(self) -> bool:
        """Return whether the next text must retract the last one, and note that it does."""
        has_outdated, self.has_outdated = self.has_outdated, False
        return has_outdated

    @property
    def is_at_rest(self) -> bool:
        """Whether there is nothing to forget at the next tool use at NORMAL."""
        levels = (self.level.level, self.level.notified, self.pivot.level, self.notification.level, self.saved.level)
        tagged = self.prompt.tagged if self.prompt else 0
        return not (any(levels) or tagged or self.pending_bytes or self.has_outdated)


class LockedMemory:
    """A memory that only this process may change."""

    def __init__(self, file: LockedFile | None = None) -> None:
        """`file` is None for a memory that can't be written, and ends with the process."""
        self._file = file
        self.memory = lenient.decode_or(file.content, Memory, Memory()) if file is not None else Memory()

    def write(self) -> None:
        """Write the changes: at the end, and before a step during which the client may kill the process."""
        if self._file is not None:
            self._file.write(lenient.encode(self.memory))


@contextmanager
def locked(root: str, conversation: str) -> Iterator[LockedMemory]:
    """Lock the memory of `conversation`, and write its changes unless the body fails. Raises OSError, TimeoutError."""
    with locked_file.locked(paths.memory(root, conversation)) as file:
        lock = LockedMemory(file)
        yield lock
        lock.write()


def read(root: str, conversation: str) -> Memory:
    """The stored memory, read without a lock; empty if there is none."""
    return files.load(paths.memory(root, conversation), Memory, Memory(), locked_file.LIMIT)


def exists(root: str, conversation: str) -> bool:
    return os.path.exists(paths.memory(root, conversation))
