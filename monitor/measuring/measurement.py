"""The measurement behind a message: a fresh bridge, else the transcript's tail, else nothing."""

import time

import msgspec

from monitor.measuring import run as runs
from monitor.measuring.current_bridge import is_current
from monitor.measuring.run import Run
from monitor.session import Conversation, Session
from shared import bridge as bridges
from shared import compaction_settings, learned, models, window
from shared.bridge import Bridge, WindowNote
from shared.forecast import BYTES_PER_TOKEN, TURN_TOKENS, largest_turn, pending_tokens
from shared.learned import Learned
from shared.levels import Level, begins_at
from shared.limit import Limit, LimitFacts, limit_of
from shared.reading import Reading, remaining_percentage
from shared.timestamp import epoch_of
from shared.transcript import Tail, read_tail
from shared.verdict import Verdict, judge
from shared.window import WindowFacts, WindowSize

LAG_SECONDS = 0.150
"""How long the client may take to write the answer whose tool has just run (measured: up to 127 ms)."""
STEP_SECONDS = 0.010


class Measurement(msgspec.Struct, frozen=True):
    """A verdict, and what it was drawn from."""

    verdict: Verdict
    tail: Tail | None
    """The end of the transcript that the reading was compared with."""
    bridge: Bridge | None
    """The session's bridge, whether or not it was believed."""
    known: Learned
    """What earlier sessions had shown when this was measured."""
    run: Run = Run()
    """The session's run that this was measured in."""

    @property
    def bridge_of_run(self) -> Bridge | None:
        """The bridge, unless an earlier run of the session has left it."""
        return self.bridge if self.bridge and bridges.written_since(self.bridge, self.run.started_at) else None

    @property
    def reading(self) -> Reading:
        return self.verdict.reading

    @property
    def level(self) -> Level:
        return self.verdict.level

    @property
    def limit_tokens(self) -> int | None:
        """Tokens at which the window really ends; None while its size is unknown."""
        return self.verdict.limit.tokens if self.verdict.limit else None


class _Sources(msgspec.Struct, frozen=True):
    """Where a conversation's numbers may come from, beside its transcript."""

    conversation: Conversation
    session: Session
    bridge: Bridge | None
    """The session's bridge; a subagent's numbers are not in it, but the session's window and model are."""
    known: Learned
    run: Run
    note: WindowNote | None
    """What the client said of the session's window, where this run has no bridge."""

    @property
    def is_own(self) -> bool:
        """Whether the bridge is of this conversation and of this run of its session."""
        is_main = not self.conversation.is_subagent
        return is_main and self.bridge is not None and bridges.written_since(self.bridge, self.run.started_at)


def measure(
    conversation: Conversation, session: Session, tool_use_id: str = "", result_bytes: int = 0
) -> Measurement | None:
    """The newest measurement of `conversation`; None when nothing is known. It leaves no trace (see learning).

    Near a level it waits until the transcript holds `tool_use_id`, so that a crossing is told with the very
    result that follows it. `result_bytes` is the size of the tool result in hand, which isn't in the window yet.
    """
    sources = _sources(conversation, session)
    deadline = time.monotonic() + LAG_SECONDS
    while True:
        tail = _tail(sources, tool_use_id)
        found = _judge(sources, tail, result_bytes)
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
    tail = _tail(sources, tool_use_id)
    while tool_use_id and not (tail and tail.holds_tool_use) and time.monotonic() < deadline:
        time.sleep(STEP_SECONDS)
        tail = _tail(sources, tool_use_id)
    return _from_tail(sources, tail, window_size) if tail else None


def tail_of(conversation: Conversation, session: Session) -> Tail | None:
    """The tail of the conversation's transcript, with what the client has recorded in this run of its session."""
    since = runs.read(session.root, conversation.session_id).started_at
    return read_tail(conversation.transcript, is_subagent=conversation.is_subagent, since=since)


def _sources(conversation: Conversation, session: Session) -> _Sources:
    bridge, run = _bridge(conversation, session), runs.read(session.root, conversation.session_id)
    is_known = bridge is not None and bridges.written_since(bridge, run.started_at)
    note = None if is_known else bridges.read_note(session.root, conversation.session_id)
    note = note if note and bridges.written_since(note, run.started_at) else None
    return _Sources(conversation, session, bridge, learned.read(session.root), run, note)


def _bridge(conversation: Conversation, session: Session) -> Bridge | None:
    path = bridges.path_of(session.root, conversation.session_id, session.config.bridge.directory)
    return bridges.read(path, conversation.session_id) if path else None


def _tail(sources: _Sources, tool_use_id: str) -> Tail | None:
    own, since = sources.conversation, sources.run.started_at
    return read_tail(own.transcript, tool_use_id, is_subagent=own.is_subagent, since=since)


def _judge(sources: _Sources, tail: Tail | None, result_bytes: int = 0) -> Measurement | None:
    """The newest truth is a tail that holds the tool use in hand: a line may land between the client's making of a
    payload and the status line, and make the bridge of an older answer look current. Else it is a fresh bridge.
    """
    session, bridge = sources.session, sources.bridge
    own = None if tail is not None and tail.holds_tool_use else _current_bridge(sources, tail)
    if own is not None:
        reading, model = _from_bridge(own, sources, tail), own.model_id or ""
    else:
        found = _from_tail(sources, tail) if tail else None
        if tail is None or found is None:
            return None
        reading, model = found, _model(sources, tail)
    limit = _limit(sources, reading, model, tail)
    answers = tail.answers if tail else ()
    verdict = judge(
        reading,
        limit,
        session.config.levels,
        answers=answers,
        pending=pending_tokens(answers, result_bytes),
        is_subagent=sources.conversation.is_subagent,
        is_padded_reminder=tail is not None and tail.reminder is not None and tail.reminder.left is None,
    )
    return Measurement(verdict, tail, bridge, sources.known, sources.run)


def _limit(sources: _Sources, reading: Reading, model: str, tail: Tail | None) -> Limit | None:
    if reading.window is None:
        return None
    session, client = sources.session, tail.client if tail else ""
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


def _current_bridge(sources: _Sources, tail: Tail | None) -> Bridge | None:
    """The conversation's own bridge, if it is of this run and model, fresh, and nothing newer is in the transcript."""
    bridge = sources.bridge if sources.is_own else None
    if bridge is None or not is_current(bridge, sources.session.now, tail):
        return None
    is_other = bridge.model_id and tail and tail.model and not models.is_same(bridge.model_id, tail.model)
    return None if is_other else bridge


def _from_bridge(bridge: Bridge, sources: _Sources, tail: Tail | None) -> Reading:
    """The bridge's own percentage, unless its window is not the one to believe."""
    session = sources.session
    remaining: float = bridge.remaining_percentage
    size, source = bridge.context_window_size, bridge.window_source
    if source not in window.SOURCES:  # a word from a file; only ours may reach the agent
        source = window.BRIDGE
    if bridge.tokens is not None:
        facts = WindowFacts(
            bridge.tokens,
            models.base_model(bridge.model_id or ""),
            session.environ,
            client=tail.client if tail else "",
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
    """The conversation's model, as transcripts name it; before the first answer of this run, the status line's."""
    told = None if sources.conversation.is_subagent else _told(sources)
    answered = epoch_of(tail.answers[0].timestamp) if tail.answers else None
    is_older = bool(tail.answers) and answered is not None and answered < sources.run.started_at
    if told is not None and told.model_id and (not tail.model or (is_older and not tail.identity)):
        return models.base_model(told.model_id)
    return tail.model


def _from_tail(sources: _Sources, tail: Tail, window_size: int | None = None) -> Reading | None:
    tokens, model = tail.tokens, _model(sources, tail)
    if tokens is None:
        return None
    size = window.resolve(_window_facts(sources, tail, tokens, model, window_size))
    sampled_at = epoch_of(tail.answers[0].timestamp) or sources.session.now
    remaining = remaining_percentage(tokens, size.tokens) if size.tokens else None
    return Reading(remaining, tokens, size.tokens, "transcript", size.source, sampled_at)


def _window_facts(sources: _Sources, tail: Tail, tokens: int, model: str, window_size: int | None) -> WindowFacts:
    session, client, is_subagent = sources.session, tail.client, sources.conversation.is_subagent
    told = _told(sources)
    identity = tail.identity or ("" if is_subagent else sources.run.identity)
    return WindowFacts(
        tokens,
        model,
        session.environ,
        client=client,
        is_subagent=is_subagent,
        configured=window_size or session.config.window.size,
        configured_models={} if window_size else session.config.window.models,
        reported=told.context_window_size if told else None,
        reported_model=(told.model_id or "") if told else "",
        is_long=tail.is_long,
        identity=identity if models.is_same(identity, model) else "",
        countdown=tail.countdown,
        usage_total=tail.usage_total,
        remembered=sources.known.windows.get(learned.window_key(model, client, session.environ)),
    )


def _told(sources: _Sources) -> Bridge | WindowNote | None:
    """What holds the client's own word on the window; a bridge may hold a size that the status line found out."""
    if sources.bridge is None or not bridges.written_since(sources.bridge, sources.run.started_at):
        return sources.note
    return sources.bridge if sources.bridge.window_source in (None, window.BRIDGE) else None


def _is_near(found: Measurement | None, session: Session) -> bool:
    """Whether one more turn could reach a level, or a level has been reached and is to be told exactly."""
    if found is None or found.level is not Level.NORMAL:
        return True
    reading, first = found.reading, session.config.levels.warning
    if reading.remaining is None:
        return False
    if reading.tokens is None or reading.window is None:
        return reading.remaining <= first.remaining + 100 * TURN_TOKENS / models.STANDARD
    most = largest_turn(found.tail.answers) if found.tail else None
    if most is None or found.tail is None:
        return True
    results = (found.tail.size - found.tail.answers[0].offset) // BYTES_PER_TOKEN  # written, but not yet counted
    return reading.tokens + results + most >= begins_at(first, reading.window, found.limit_tokens)
