"""The sources of a conversation's numbers: a fresh bridge, else its transcript's tail, else none."""

import msgspec

from monitor.measuring.current_bridge import DRAW_SECONDS, is_current
from monitor.session import Conversation, Session
from shared import paths
from shared.client import client, client_settings, models
from shared.client.client_settings import ClientSettings, Run, read_run
from shared.files.lenient import epoch_of
from shared.gauge import bridge as bridges
from shared.gauge.bridge import Bridge, WindowNote
from shared.gauge.limit import Learned, read_learned, window_key
from shared.gauge.verdict import Conditions
from shared.gauge.window import Reading, WindowFacts, WindowSource, reading_of_tokens
from shared.transcript.tail import NO_TAIL, Tail, read_tail


class Sources(msgspec.Struct):
    """Everything known about one conversation's window."""

    conversation: Conversation
    session: Session
    bridge: Bridge | None
    """The session's bridge; a subagent's numbers are not in it, but the session's window and model are."""
    learned: Learned
    run: Run
    report: Bridge | WindowNote | None
    """The client's own report of the window in this run."""
    settings: tuple[ClientSettings, ...] = ()
    """The client's settings, from its command line and its files; the first wins."""
    tail: Tail = NO_TAIL
    answered_at: float | None = None
    """The time of the tail's newest answer, in epoch seconds."""
    is_at_prompt: bool = False
    """Whether the person's prompt is measured, which goes to the model that they have chosen."""

    def read(self, tail: Tail) -> None:
        self.tail, self.answered_at = tail, epoch_of(tail.answers[0].timestamp) if tail.answers else None

    @property
    def is_of_earlier_run(self) -> bool:
        return self.answered_at is not None and self.answered_at < self.run.started_at


def gather(conversation: Conversation, session: Session, *, is_at_prompt: bool = False) -> Sources:
    """Read all sources of `conversation` but its transcript."""
    path = paths.bridge(session.root, conversation.session_id, session.config.bridge.directory)
    bridge = bridges.read(path, conversation.session_id)
    run = read_run(paths.session_run(session.root, conversation.session_id))
    report: Bridge | WindowNote | None = bridge
    if bridge is None or not bridges.written_since(bridge, run.started_at):
        note = bridges.read_note(session.root, conversation.session_id)
        report = note if note and bridges.written_since(note, run.started_at) else None
    elif bridge.window_source not in (None, WindowSource.BRIDGE):
        report = None  # the status line has inferred it
    if conversation.is_subagent:  # for the session's model when the subagent started
        report = bridges.read_note(session.root, conversation.id) or report
    settings = client_settings.read_layers(session.client_directory, session.project, run)
    learned, layers = read_learned(session.root), tuple(settings)
    return Sources(conversation, session, bridge, learned, run, report, layers, is_at_prompt=is_at_prompt)


def note_window(agent: Conversation, caller: Conversation, session: Session, named: str = "") -> None:
    """Save the session's window for a starting subagent, as the person may choose another model meanwhile.

    If no status line reports it, save the model's name with `[1m]`, which a fork, and in older clients any subagent,
    lacks. `named`, an id or an alias in the agent's own file, takes precedence if it has that mark: clients add the
    session's mark to a name without one.
    """
    own = gather(caller, session)
    if models.is_marked_long(named):
        note = WindowNote(named, 0, session.now)
    elif own.report is not None and own.report.context_window_size is not None:
        note = WindowNote(own.report.model_id or "", own.report.context_window_size, session.now)
    else:
        own.read(read_tail(caller.transcript, since=own.run.started_at) or NO_TAIL)
        is_long = _from_tail(own).window_source in {WindowSource.REQUEST, WindowSource.MODEL}
        name = f"{own.tail.model or models.base_model(_identity(own))}[1m]" if is_long else _identity(own)
        if not name:
            return
        note = WindowNote(name, 0, session.now)
    bridges.write_note(session.root, agent.id, note)


def reading_of(own: Sources) -> Reading | None:
    """The newest reading; None if nothing is known.

    It is that of a tail with the present tool use, as a line written between the client's payload and the status line
    may make the bridge of an older answer look current. Otherwise it is a fresh bridge's, then the tail's.
    """
    tail = own.tail
    if not tail.holds_tool_use:
        if _is_rewound_to_start(own) or (own.run.is_rewound and own.is_of_earlier_run):
            return None
        if (bridge := _current_bridge(own)) is not None:
            return _from_bridge(bridge, own)
    return _from_tail(own) if tail.answers else None


def conditions(own: Sources, reading: Reading) -> Conditions:
    """The conditions that decide where the window of `reading` ends."""
    return Conditions(
        environ=own.session.environ,
        learned=own.learned,
        client_directory=own.session.client_directory,
        settings=own.settings,
        model=(own.bridge.model_id or "") if reading.source == "bridge" and own.bridge else _model(own),
        client=own.tail.client,
    )


def _current_bridge(own: Sources) -> Bridge | None:
    """The conversation's own bridge, if it is of this run and model, fresh, and nothing newer is in the transcript."""
    bridge = own.bridge
    if bridge is None or own.conversation.is_subagent or not bridges.written_since(bridge, own.run.started_at):
        return None
    is_other = bridge.model_id and own.tail.model and not models.is_same(bridge.model_id, _model(own))
    return None if is_other or not is_current(bridge, own.session.now, own.tail) else bridge


def _is_rewound_to_start(own: Sources) -> bool:
    """Whether the client has drawn a line without figures since the newest answer: a rewind to before the first one.

    The transcript doesn't show that until the next prompt, and never for a rewind to the very beginning.
    """
    if own.answered_at is None or own.is_of_earlier_run or own.conversation.is_subagent:
        return False
    note = bridges.read_note(own.session.root, own.conversation.session_id)
    drawn_at = own.bridge and own.bridge.written_at
    return note is not None and note.written_at > max(own.answered_at + DRAW_SECONDS, drawn_at or 0)


def _from_bridge(bridge: Bridge, own: Sources) -> Reading:
    """The reading of the bridge, with its own percentage unless another window size is more credible."""
    # The source is a word from a file: only our own words may reach the agent.
    name = bridge.window_source or ""
    source = WindowSource(name) if name in list(WindowSource) else WindowSource.BRIDGE
    size = bridge.context_window_size
    own_reading = Reading(bridge.remaining_percentage, bridge.tokens, size, "bridge", source, bridge.timestamp)
    if bridge.tokens is None:
        return own_reading
    facts = WindowFacts(
        bridge.tokens,
        models.base_model(bridge.model_id or ""),
        own.session.environ,
        client=own.tail.client,
        configured=own.session.config.window.size,
        configured_models=own.session.config.window.models,
        reported=size,
        is_switched=bridge.tokens > (size or bridge.tokens) and _is_of_other_model(bridge.model_id or "", own),
        identity=bridge.model_id or "",
    )
    if source == WindowSource.CONFIG:  # not reported by the client: the person may have set another size since
        # Without a transcript the client's version is unknown, and so is what was learned about it.
        remembered = None if own.tail is NO_TAIL else _remembered(own, facts.model, facts.client)
        facts = msgspec.structs.replace(facts, reported=None, remembered=remembered)
        return reading_of_tokens(facts, "bridge", bridge.timestamp)
    reading = reading_of_tokens(facts, "bridge", bridge.timestamp, bridge.remaining_percentage)
    return own_reading if reading.window in (None, size) else reading


def _from_tail(own: Sources) -> Reading:
    session, tail = own.session, own.tail
    model, report, version = _model(own), own.report, tail.client
    identity = _identity(own, model)
    is_other = identity and report and models.is_marked_long(identity) != models.is_marked_long(report.model_id or "")
    if own.conversation.is_subagent and is_other:
        report = None  # it runs the session's model in another window
    is_added = "context-1m" in session.environ.get(client.BETAS_VARIABLE, "")  # only to the requests
    facts = WindowFacts(
        tail.answers[0].tokens if tail.answers else 0,
        model,
        session.environ,
        client=version,
        configured=session.config.window.size,
        configured_models=session.config.window.models,
        reported=report.context_window_size if report else None,
        reported_model=(report.model_id or "") if report else "",
        is_switched=bool(tail.answers) and tail.answers[0].model not in model and _is_of_other_model(model, own),
        asked_model=_asked_model(own),
        is_long=tail.is_long if own.run.has_betas or not is_added else None,
        identity=identity,
        countdown=tail.countdown,
        remembered=_remembered(own, model, version),
    )
    return reading_of_tokens(facts, "transcript", own.answered_at or session.now)


def _remembered(own: Sources, model: str, version: str) -> int | None:
    """The size that an earlier run showed: this session's, if this run has recorded nothing yet, or another's."""
    if own.tail.was_long and own.is_of_earlier_run and not _identity(own, model):
        return models.LONG
    if own.bridge is not None and _still_holds(own.bridge, own, model):
        return own.bridge.context_window_size
    return own.learned.windows.get(window_key(model, version, own.session.environ))


def _identity(own: Sources, model: str = "") -> str:
    """The client's name of `model`, or of any, in this run, with `[1m]` if it has that; empty if unknown.

    Until the client has named it, and in older clients always, it is the model that the client was started with; for
    subagents, that of a variable, or the session's.
    """
    of_main = own.run.identity or own.run.model
    of_session = (own.report.model_id or "") if own.report and own.report.context_window_size == 0 else ""
    of_subagents = own.session.environ.get(client.SUBAGENT_MODEL_VARIABLE) or of_session
    identity = own.tail.identity or (of_subagents if own.conversation.is_subagent else of_main)
    if not identity or not model or models.is_same(identity, model):
        return identity
    is_alias = own.conversation.is_subagent and models.names(identity, model)
    return f"{model}{'[1m]' if models.is_marked_long(identity) else ''}" if is_alias else ""


def _asked_model(own: Sources) -> str:
    """The model requested for the main conversation: since its start, on the command line, or in the settings."""
    named = own.tail.identity or own.run.identity or own.run.model
    of_main = named, own.session.environ.get(client.MODEL_VARIABLE), *(one.model for one in own.settings)
    is_other = not named and (own.run.is_named or any(one.agent for one in own.settings))
    return "" if own.conversation.is_subagent or is_other else next(filter(None, of_main), "")


def _model(own: Sources) -> str:
    """The conversation's model, as transcripts name it; before the first answer of this run, the status line's."""
    report, tail, model = own.report, own.tail, own.tail.model
    if not model.startswith("claude") and not models.family_of(model, tail.client) and model:
        named = models.base_model(_identity(own))  # a gateway answers under an id of its own
        model = named if models.family_of(named, tail.client) else model
    named = tail.identity or own.run.identity or own.run.model
    is_other = bool(named) and not own.conversation.is_subagent and own.is_of_earlier_run
    if is_other and not models.names(named, model):
        if models.family_of(named, tail.client):
            return models.base_model(named)
        if models.is_marked_long(named):
            return ""  # whichever model the alias names: its window is known
    if report is None or not report.model_id or own.conversation.is_subagent:
        return model
    is_outdated = not tail.model or (not tail.identity and own.is_of_earlier_run) or _is_switched(report, own)
    return models.base_model(report.model_id) if is_outdated else model


def _is_switched(report: Bridge | WindowNote, own: Sources) -> bool:
    """Whether the person has chosen another model since the newest answer; the client writes it with the next prompt.

    The line is redrawn then: the same tokens, in another window. A fallback for an overloaded model isn't a choice, and
    lasts until the next prompt: the line has shown the chosen model all the time (docs/client.md, "Sessions").
    """
    if not isinstance(report, Bridge) or own.answered_at is None or own.tail.holds_tool_use:
        return False
    is_chosen = own.is_at_prompt or report.timestamp > own.answered_at + DRAW_SECONDS
    return is_chosen and report.tokens == own.tail.tokens


def _is_of_other_model(model: str, own: Sources) -> bool:
    """Whether the newest answer is surely from another model than `model`, which was chosen since."""
    return bool(own.tail.answers) and models.is_another(model, own.tail.answers[0].model, own.tail.client)


def _still_holds(bridge: Bridge, own: Sources, model: str) -> bool:
    """Whether the size in an earlier run's bridge still holds for this run, which has recorded nothing itself."""
    is_recorded = own.tail.is_long is not None or bool(_identity(own, model))
    if is_recorded or own.conversation.is_subagent or client.is_on(own.session.environ, client.DISABLE_LONG_VARIABLE):
        return False
    before, requested = bridge.model_id or "", _asked_model(own)
    if models.is_same(requested, before) and models.is_marked_long(requested) != models.is_marked_long(before):
        return False
    return bridge.window_source in (None, WindowSource.BRIDGE) and models.is_same(before, model)
