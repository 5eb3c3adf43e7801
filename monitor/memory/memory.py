"""What a conversation has been told and what was done for it: one record, which parallel hooks change in turns."""

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
"""The size from which a result or prompt is noted: the transcript may lack it at the next tool use."""


class NotifiedLimit(msgspec.Struct, frozen=True):
    used: int
    """Percent."""
    resets_at: float
    """Epoch seconds."""


class SavedLevel(msgspec.Struct, frozen=True, omit_defaults=True):
    """The checkpoints that levels have brought since the last compaction."""

    level: Severity = 0
    """The highest level that was saved at; 0 before any."""
    path: str = ""
    """The newest checkpoint of these."""
    number: Count = 0
    """The number by which a person names it."""
    tried_at: float = 0.0
    """Epoch seconds of a save that failed, or was broken off; 0 after one that succeeded."""


class SummaryFile(msgspec.Struct, frozen=True, omit_defaults=True):
    """The file that the last message named, as it was then."""

    path: str = ""
    size: int = -1
    """Bytes; -1 if it didn't exist."""
    modified: int = 0
    """Nanoseconds since the epoch."""
    since: Count = 0
    """Bytes of the transcript then: what the conversation has written lies behind."""


class PromptMemory(msgspec.Struct, frozen=True, omit_defaults=True):
    """What the next prompt has to know of the last one."""

    size: int = 0
    """Bytes of the transcript; -1 until the first prompt of a session that had none at its start."""
    tokens: Count | None = None
    """Tokens in the window."""
    is_compacted: bool = False
    """Whether the window was compacted since."""
    alerted_at: float = 0.0
    """Epoch seconds of the last alert: a compaction from before it was reported, whenever it is written down."""
    has_alert: bool = False
    """Whether the last prompt brought an alert."""
    has_retraction: bool = False
    """Whether it took back what was said before."""
    offered: str = ""
    """Another session's checkpoint, announced to this one at its start and before its first prompt."""
    tagged: Severity = 0
    """The level that the last tag gave, or less where the level has fallen since; a compaction takes it away."""
    cost_tokens: Count = 0
    """Tokens in use when the person was last told what a full window costs; 0 before, and after a compaction."""


class CompactionTimes(msgspec.Struct, frozen=True, omit_defaults=True):
    """When compactions began that may not have ended, in epoch seconds; 0 for none."""

    own: float = 0.0
    subagents: float = 0.0


class LastPivot(msgspec.Struct, frozen=True):
    """What was last done with a session."""

    strategy: str
    timestamp: str
    """ISO 8601."""
    trigger: str
    """`emergency`, the level that brings one unasked, or `person` for one that was asked for."""
    files: tuple[str, ...] = ()


class PivotState(msgspec.Struct, frozen=True):
    """A session as the pivot last saw it: what `/token-status --json` prints, and other programs may read."""

    session_id: str = ""
    session_start: str = ""
    """ISO 8601."""
    tool_calls: int = 0
    estimated_tokens: int = 0
    """Tokens in the window: measured where that is possible."""
    context_percent: float = 0.0
    """The part of the window in use, 0 to 1."""
    context_source: str = "tool_calls"
    """`bridge`, `transcript`, or `tool_calls`, which is a guess."""
    thresholds_triggered: tuple[str, ...] = ()
    """Every threshold that the session has reached, in order; unchanged when it falls."""
    degradation_patterns: tuple[str, ...] = ()
    """The patterns that count, the clearest first."""
    last_pivot: LastPivot | None = None
    warnings_shown: int = 0
    auto_export_enabled: bool = True


class Memory(msgspec.Struct, omit_defaults=True):
    """One conversation's memory, each part with the default that it begins with."""

    compaction: str = ""
    """Id of the newest compaction that a hook has read: it begins a window cycle."""
    compaction_times: CompactionTimes = CompactionTimes()
    """In a session's memory; its subagents' events may look like its own (monitor.measuring.compaction_owner)."""
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
    """What the person learns with their next prompt, without numbers: those are measured then. None: nothing is due."""

    def observe(self, tail: Tail, transcript: str = "") -> bool:
        """Take note of how far the transcript is; False where a parallel hook has already read a newer answer.

        `transcript` is its path. Where it holds by now what this memory has read of it, `tail` is only older: it may
        have been read before the answer was written that a parallel hook has told of meanwhile. With the tool use in
        hand it isn't: then the newer answer is that of another client of the same session.
        """
        if self.is_newer_than(tail, transcript):
            return tail.holds_tool_use
        if tail.compaction and tail.compaction.id not in ("", self.compaction):
            self.begin_cycle()
            self.compaction = tail.compaction.id
        self.offset = tail.answers[0].offset if tail.answers else 0
        return True

    def is_newer_than(self, tail: Tail, transcript: str = "") -> bool:
        """Whether `tail`, read from the file `transcript`, is from before what this memory has read of it."""
        newest = tail.answers[0].offset if tail.answers else 0
        return tail is not NO_TAIL and newest < self.offset <= max(tail.size, files.size(transcript))

    def pass_over(self, tail: Tail, size: int) -> None:
        """Have all of a transcript of `size` bytes, which ends in `tail`, count as older: a compaction is written late.

        Unless it is there already.
        """
        if tail.compaction is None or tail.compaction.id in ("", self.compaction):
            self.offset = max(self.offset, size)

    def begin_cycle(self) -> None:
        """Begin a window cycle: what was told no longer holds, though the client may keep a message or a tag of it."""
        tagged = self.prompt.tagged if self.prompt else 0
        self.has_outdated = self.has_outdated or self.level.notified > 0 or tagged > 0
        self.level, self.pivot, self.notification = Reminder(), Reminder(), Reminder()
        self.saved, self.summary_file, self.ceiling = SavedLevel(), SummaryFile(), None
        if self.prompt is not None:
            self.prompt = msgspec.structs.replace(self.prompt, cost_tokens=0, tagged=0)

    def fall(self, level: int, answer: str = "") -> None:
        """Note that the window is less full than was said: after a rewind, or in a larger window.

        So a level above `level` is reported as soon as it is reached again. `answer` is the one that called the tool in
        hand.
        """
        is_of_batch = bool(answer) and answer == self.level.answer
        if level < self.level.notified and not is_of_batch:
            fallen = msgspec.structs.replace(self.level, level=min(level, self.level.level), notified=level)
            self.level, self.has_outdated = fallen, True
        if self.prompt is not None and level < self.prompt.tagged:
            self.prompt, self.has_outdated = msgspec.structs.replace(self.prompt, tagged=level), True

    def take_back(self) -> bool:
        """Whether a text that comes now has to retract the last one; noted as done."""
        has_outdated, self.has_outdated = self.has_outdated, False
        return has_outdated

    @property
    def is_at_rest(self) -> bool:
        """Whether there is nothing to forget at the next tool use at NORMAL."""
        levels = (self.level.level, self.level.notified, self.pivot.level, self.notification.level, self.saved.level)
        tagged = self.prompt.tagged if self.prompt else 0
        return not (any(levels) or tagged or self.pending_bytes or self.has_outdated)


class LockedMemory:
    """A memory that this process alone may change."""

    def __init__(self, file: LockedFile | None = None) -> None:
        """`file` is None for one that cannot be written down: what it knows ends with the process."""
        self._file = file
        self.memory = lenient.decode_or(file.content, Memory, Memory()) if file is not None else Memory()

    def write(self) -> None:
        """Write what has changed: at the end, and before a step in which the client may end the process."""
        if self._file is not None:
            self._file.write(lenient.encode(self.memory))


@contextmanager
def locked(root: str, conversation: str) -> Iterator[LockedMemory]:
    """The memory of `conversation` while this process alone may change it; written at the end where it has changed.

    A damaged one counts as the first. Where the body fails, nothing is written. Raises OSError, or TimeoutError where
    it stays locked.
    """
    with locked_file.locked(paths.memory(root, conversation)) as file:
        lock = LockedMemory(file)
        yield lock
        lock.write()


def read(root: str, conversation: str) -> Memory:
    """The memory as it stands, for who only looks; an empty one when there is none."""
    return files.load(paths.memory(root, conversation), Memory, Memory(), locked_file.LIMIT)


def exists(root: str, conversation: str) -> bool:
    return os.path.exists(paths.memory(root, conversation))
