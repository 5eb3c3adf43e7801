"""The measurement behind a message: a fresh bridge, else the transcript's tail, else nothing."""

import time
from datetime import datetime

import msgspec

from monitor.session import Conversation, Session
from shared import bridge as bridges
from shared import compaction_settings, learned, models, window, window_note
from shared.bridge import Bridge
from shared.forecast import BYTES_PER_TOKEN, TURN_TOKENS, largest_turn
from shared.learned import Learned
from shared.levels import Level, begins_at, level_of
from shared.limit import Limit, LimitFacts, compaction_before_end, limit_of
from shared.reading import Reading, remaining_percentage
from shared.transcript import Tail, read_tail
from shared.window import WindowFacts, WindowSize
from shared.window_note import WindowNote

LAG_SECONDS = 0.150
"""How long the client may take to write the answer whose tool has just run (measured: up to 127 ms)."""
STEP_SECONDS = 0.010


class Measurement(msgspec.Struct, frozen=True):
    """A reading, its level, and the tail of the transcript that it was compared with."""

    reading: Reading
    level: Level
    limit: Limit | None
    """Where the window really ends; None while its size is unknown."""
    tail: Tail | None
    bridge: Bridge | None
    """The session's bridge, whether or not it was believed."""
    known: Learned
    """What earlier sessions had shown when this was measured."""

    @property
    def compaction_at(self) -> int | None:
        """Tokens at which the client is expected to compact before the window's end; None when it isn't."""
        return compaction_before_end(self.limit, self.reading.window)


class _Sources(msgspec.Struct, frozen=True):
    """Where a conversation's numbers may come from, beside its transcript."""

    conversation: Conversation
    session: Session
    bridge: Bridge | None
    """The session's bridge; a subagent's numbers are not in it, but the session's window and model are."""
    known: Learned
    note: WindowNote | None
    """What the client said of the session's window, where there is no bridge."""


def measure(conversation: Conversation, session: Session, tool_use_id: str) -> Measurement | None:
    """The newest measurement of `conversation`; None when nothing is known. It leaves no trace (see learning).

    Near a level it waits until the transcript holds `tool_use_id`, so that a crossing is told with the very
    result that follows it.
    """
    sources = _sources(conversation, session)
    deadline = time.monotonic() + LAG_SECONDS
    while True:
        tail = read_tail(conversation.transcript, tool_use_id, is_subagent=conversation.is_subagent)
        found = _judge(sources, tail)
        is_up_to_date = not tool_use_id or (tail is not None and tail.holds_tool_use)
        if is_up_to_date or time.monotonic() >= deadline or not _is_near(found, session):
            break
        time.sleep(STEP_SECONDS)
    return found


def transcript_reading(
    conversation: Conversation, session: Session, tool_use_id: str = "", window_size: int | None = None
) -> Reading | None:
    """What the transcript alone says, with the window from wherever it is known; None when it says nothing.

    `window_size` in tokens, where somebody knows better than all our sources. With a `tool_use_id` it waits for
    the answer that calls the tool.
    """
    sources = _sources(conversation, session)
    deadline = time.monotonic() + LAG_SECONDS
    tail = read_tail(conversation.transcript, tool_use_id, is_subagent=conversation.is_subagent)
    while tool_use_id and not (tail and tail.holds_tool_use) and time.monotonic() < deadline:
        time.sleep(STEP_SECONDS)
        tail = read_tail(conversation.transcript, tool_use_id, is_subagent=conversation.is_subagent)
    return _from_tail(sources, tail, window_size) if tail else None


def readings(conversation: Conversation, session: Session, tail: Tail | None) -> tuple[Reading | None, Reading | None]:
    """What the transcript, which ends in `tail`, and what a fresh bridge says: each for itself."""
    sources = _sources(conversation, session)
    bridge = sources.bridge if not conversation.is_subagent else None
    is_current = bridge is not None and _is_current(bridge, session.now, tail)
    return _from_tail(sources, tail) if tail else None, _from_bridge(bridge, session) if bridge and is_current else None


def _sources(conversation: Conversation, session: Session) -> _Sources:
    bridge = _bridge(conversation, session)
    note = None if bridge else window_note.read(session.root, conversation.session_id)
    return _Sources(conversation, session, bridge, learned.read(session.root), note)


def _bridge(conversation: Conversation, session: Session) -> Bridge | None:
    path = bridges.path_of(session.root, conversation.session_id, session.config.bridge.directory)
    return bridges.read(path, conversation.session_id) if path else None


def _judge(sources: _Sources, tail: Tail | None) -> Measurement | None:
    session, bridge = sources.session, sources.bridge
    if bridge and not sources.conversation.is_subagent and _is_current(bridge, session.now, tail):
        reading, model = _from_bridge(bridge, session), bridge.model_id or ""
    else:
        found = _from_tail(sources, tail) if tail else None
        if tail is None or found is None:
            return None
        reading, model = found, _model(sources, tail)
    limit = _limit(sources, reading, model, tail)
    level = level_of(reading, session.config.levels, compaction_before_end(limit, reading.window))
    return Measurement(reading, level, limit, tail, bridge, sources.known)


def _limit(sources: _Sources, reading: Reading, model: str, tail: Tail | None) -> Limit | None:
    if reading.window is None:
        return None
    session, client = sources.session, _client(tail)
    key = learned.compaction_key(models.base_model(model), client, reading.window, session.environ)
    facts = LimitFacts(
        model,
        WindowSize(reading.window, reading.window_source),
        session.environ,
        client=client,
        settings=compaction_settings.read(model, session.environ, session.client_directory, session.project),
        learnt=sources.known.compactions.get(key),
        tokens=reading.tokens or 0,
    )
    return limit_of(facts)


def _client(tail: Tail | None) -> str:
    """The version of the client, by its newest answer; empty when none is known."""
    return tail.answers[0].client if tail and tail.answers else ""


def _is_current(bridge: Bridge, now: float, tail: Tail | None) -> bool:
    """Whether the bridge is fresh and the transcript holds nothing from after its sample."""
    if not bridges.is_fresh(bridge, now, tail.size if tail else -1):
        return False
    if tail is None or bridge.transcript_size is not None:
        return True
    stamps = [answer.timestamp for answer in tail.answers[:1]]
    stamps += [tail.compaction.timestamp] if tail.compaction else []
    after = bridge.timestamp + 1  # in whole seconds: it may be up to one second younger than it says
    return all((_epoch(stamp) or 0) <= after for stamp in stamps)


def _from_bridge(bridge: Bridge, session: Session) -> Reading:
    """The bridge's own percentage, unless its window is not the one to believe."""
    remaining, size, source = bridge.remaining_percentage, bridge.context_window_size, bridge.window_source
    if source not in window.SOURCES:  # a word from a file; only ours may reach the agent
        source = window.BRIDGE
    if bridge.tokens is not None:
        facts = WindowFacts(
            bridge.tokens,
            models.base_model(bridge.model_id or ""),
            session.environ,
            configured=session.config.window.size,
            configured_models=session.config.window.models,
            reported=size,
            identity=bridge.model_id or "",
        )
        found = window.resolve(facts)
        if found.tokens and found.tokens != size and (size is not None or found.certainty == "known"):
            remaining, size, source = remaining_percentage(bridge.tokens, found.tokens), found.tokens, found.source
    return Reading(remaining, bridge.tokens, size, "bridge", source, bridge.timestamp)


def _model(sources: _Sources, tail: Tail) -> str:
    """The conversation's model, as transcripts name it; before its first answer, the status line's."""
    if tail.answers:
        return tail.answers[0].model
    return models.base_model((sources.bridge and sources.bridge.model_id) or "")


def _from_tail(sources: _Sources, tail: Tail, window_size: int | None = None) -> Reading | None:
    tokens, model = tail.tokens, _model(sources, tail)
    if tokens is None:
        return None
    size = window.resolve(_window_facts(sources, tail, tokens, model, window_size))
    if size.tokens is None:
        return None
    stamp = tail.answers[0].timestamp if tail.answers else tail.compaction.timestamp if tail.compaction else ""
    sampled_at = _epoch(stamp) or sources.session.now
    remaining = remaining_percentage(tokens, size.tokens)
    return Reading(remaining, tokens, size.tokens, "transcript", size.source, sampled_at)


def _window_facts(sources: _Sources, tail: Tail, tokens: int, model: str, window_size: int | None) -> WindowFacts:
    session, client = sources.session, _client(tail)
    told = _told(sources)
    return WindowFacts(
        tokens,
        model,
        session.environ,
        client=client,
        is_subagent=sources.conversation.is_subagent,
        configured=window_size or session.config.window.size,
        configured_models={} if window_size else session.config.window.models,
        reported=told.context_window_size if told else None,
        reported_model=(told.model_id or "") if told else "",
        is_long=tail.is_long,
        remembered=sources.known.windows.get(learned.window_key(model, client, session.environ)),
    )


def _told(sources: _Sources) -> Bridge | WindowNote | None:
    """What holds the client's own word on the window; a bridge may hold a size that the status line found out."""
    if sources.bridge is None:
        return sources.note
    return sources.bridge if sources.bridge.window_source in (None, window.BRIDGE) else None


def _is_near(found: Measurement | None, session: Session) -> bool:
    """Whether one more turn could reach a level, or a level has been reached and is to be told exactly."""
    if found is None or found.level is not Level.NORMAL:
        return True
    reading, first = found.reading, session.config.levels.warning
    if reading.tokens is None or reading.window is None:
        return reading.remaining <= first.remaining + 100 * TURN_TOKENS / models.STANDARD
    most = largest_turn(found.tail.answers) if found.tail else None
    if most is None or found.tail is None:
        return True
    results = (found.tail.size - found.tail.answers[0].offset) // BYTES_PER_TOKEN  # written, but not yet counted
    return reading.tokens + results + most >= begins_at(first, reading.window, found.compaction_at)


def _epoch(stamp: str) -> float | None:
    try:
        return datetime.fromisoformat(stamp).timestamp()
    except ValueError:
        return None
