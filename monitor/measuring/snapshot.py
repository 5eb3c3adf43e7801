"""A snapshot: one conversation at one moment, with every text about it drawn from the same reading."""

import time
from collections.abc import Callable

import msgspec

from monitor.measuring import sources
from monitor.measuring.sources import Sources
from monitor.session import Conversation, Project, Session, project_of
from shared import paths
from shared.client.client_settings import Run, read_run
from shared.client.models import STANDARD
from shared.gauge.bridge import Bridge, written_since
from shared.gauge.levels import Level, begins_at
from shared.gauge.limit import Learned
from shared.gauge.verdict import Verdict, limit_under, usual_turn, verdict_on
from shared.gauge.window import Reading
from shared.transcript.records import BYTES_PER_TOKEN, PADDED, TURN_TOKENS
from shared.transcript.tail import NO_TAIL, OpenTranscript, Tail, open_transcript, read_tail

LAG_SECONDS = 0.150
"""Seconds that the client may take to write an answer whose tool has run (docs/client.md, "Order and delay")."""
_STEP_SECONDS = 0.002


class Snapshot(msgspec.Struct, frozen=True):
    """All that a hook or a command knows about a conversation; taken once per process."""

    conversation: Conversation
    session: Session
    verdict: Verdict
    tail: Tail
    """The end of the transcript that the reading was compared with."""
    bridge: Bridge | None
    """The session's bridge, whether or not the reading comes from it."""
    learned: Learned
    """What earlier sessions had taught by then."""
    run: Run = Run()
    transcript_file: OpenTranscript | None = None
    """The transcript, whose end is `tail`; None if it can't be read."""
    uses: int = 1
    """Tool uses since a monitor last looked, including the present one; 0 at a prompt."""
    is_planning: bool = False
    """Whether the client is in plan mode, in which the agent may write nothing."""
    working_directory: str = ""
    """The session's current directory; empty if the event doesn't name it."""
    result_bytes: int = 0
    """Bytes of the present tool result, which no answer has counted yet."""
    tool_use_id: str = ""
    """The id of the present tool use."""

    @property
    def project(self) -> Project | None:
        return project_of(self.session, self.working_directory)

    @property
    def bridge_of_run(self) -> Bridge | None:
        """The bridge, unless it is from an earlier run of the session."""
        return self.bridge if self.bridge and written_since(self.bridge, self.run.started_at) else None

    @property
    def is_instructive(self) -> bool:
        """Whether it may show anything about the client that later sessions can use (learning.py)."""
        return bool(self.bridge or self.learned.compactions or self.tail.identity or self.tail.compaction)

    @property
    def is_near_pivot(self) -> bool:
        settings, used = self.session.config, self.verdict.reading.used
        is_near = used is not None and used >= settings.pivot.levels.warning - 1
        return is_near and settings.hooks.pivot and not self.conversation.is_subagent

    @property
    def reading(self) -> Reading:
        return self.verdict.reading

    @property
    def level(self) -> Level:
        return self.verdict.level

    @property
    def limit_tokens(self) -> int | None:
        """Tokens at which the window really ends; None if its size is unknown."""
        return self.verdict.limit.tokens if self.verdict.limit else None


def snapshot_of(
    conversation: Conversation,
    session: Session,
    tool_use_id: str = "",
    result_bytes: int = 0,
    *,
    pending_bytes: int = 0,
    is_at_prompt: bool = False,
    is_due: Callable[[Snapshot], bool] = lambda _: False,
    prepare: Callable[[], None] = lambda: None,
) -> Snapshot | None:
    """Take the newest snapshot of `conversation`; None if nothing is known about its window. Writes no file.

    Waits until the transcript holds `tool_use_id` if a message is due by what it holds so far (`is_due`), or if another
    turn of the usual size, or the present result of `result_bytes`, could reach a level. So a crossing is reported with
    the very result that follows it, in its own numbers. `pending_bytes` is the size of what came before, which the
    transcript may lack as well. `prepare` is called before each pause.
    """
    own, transcript = sources.gather(conversation, session, is_at_prompt=is_at_prompt), None
    deadline, read_bytes, snapshot = time.monotonic() + LAG_SECONDS, -1, None
    while True:
        transcript = transcript or open_transcript(conversation.transcript, is_subagent=conversation.is_subagent)
        size = transcript.size if transcript else 0
        if size != read_bytes:
            read_bytes = size
            own.read(transcript.tail(size, tool_use_id, own.run.started_at) if transcript else NO_TAIL)
            snapshot = _from_sources(own, transcript, result_bytes)
        if not tool_use_id or own.tail.holds_tool_use or time.monotonic() >= deadline:
            return snapshot
        if not (_may_reach_level(snapshot, max(pending_bytes, result_bytes)) or (snapshot and is_due(snapshot))):
            return snapshot
        prepare()
        time.sleep(_STEP_SECONDS)


def tail_of(conversation: Conversation, session: Session) -> Tail:
    """The tail of the conversation's transcript, with what the client recorded in this run of the session."""
    since = read_run(paths.session_run(session.root, conversation.session_id)).started_at
    return read_tail(conversation.transcript, is_subagent=conversation.is_subagent, since=since) or NO_TAIL


def _from_sources(own: Sources, transcript: OpenTranscript | None, result_bytes: int) -> Snapshot | None:
    reading, tail = sources.reading_of(own), own.tail
    if reading is None:
        return None
    verdict = verdict_on(
        reading,
        limit_under(sources.conditions(own, reading), reading, tail.answers),
        own.session.config.levels,
        tail.answers,
        result_bytes,
        is_subagent=own.conversation.is_subagent,
        is_padded_reminder=tail.reminder == PADDED,
    )
    known = own.conversation, own.session, verdict, tail, own.bridge, own.learned, own.run
    return Snapshot(*known, transcript_file=transcript, result_bytes=result_bytes)


def _may_reach_level(snapshot: Snapshot | None, pending_bytes: int) -> bool:
    """Whether the answer that isn't written yet, or the present result, may bring the conversation to a new level."""
    if snapshot is None:
        return True
    reading, tail = snapshot.reading, snapshot.tail
    above = [rule for _, rule in snapshot.session.config.levels.above(snapshot.level)]
    if not above or reading.remaining is None:
        return False
    if reading.tokens is None or reading.window is None:
        return reading.remaining <= above[0].remaining + 100 * TURN_TOKENS / STANDARD
    usual = usual_turn(tail.answers)
    if usual is None:
        return True
    written = (tail.size - tail.answers[0].offset) // BYTES_PER_TOKEN  # results that no answer has counted yet
    growth = max(usual, written, pending_bytes // BYTES_PER_TOKEN)
    return reading.tokens + growth >= min(begins_at(rule, reading.window, snapshot.limit_tokens) for rule in above)
