"""What the pivot does beside a tool use: notes the level, and at a new one tells, recommends, or saves."""

from datetime import UTC, datetime

import msgspec

from monitor.hook import Reply
from monitor.measurement import Measurement
from monitor.pivot import state as states
from monitor.pivot.analysis import Analysis, analyse, usage_of
from monitor.pivot.crossing import Sighting, step
from monitor.pivot.level import PivotLevel, level_of
from monitor.pivot.state import LastPivot
from monitor.project import Project, project_of
from monitor.session import Conversation, Session
from monitor.texts import pivot as texts
from shared.boundary import attempt

_MOST_BYTES = 24 << 20
"""Of a transcript that is exported while the client waits, for ten seconds at most."""
_OFF = "Nothing was saved: pivot.auto_export_enabled is off."
_NOWHERE = "Nothing was saved: the project's directory is not known."
_FAILED = "Saving it failed; `tidegauge doctor` says why."


def watch(conversation: Conversation, session: Session, found: Measurement | None, cwd: str) -> Reply | None:
    """What is to be told with a tool use of a main session that was measured as `found`; None while nothing is new."""
    reading = found.reading if found else None
    with states.hold(session.root, conversation.session_id) as held:
        calls = held.state.tool_calls
        if reading is None:
            calls += 1
            held.state = msgspec.structs.replace(held.state, tool_calls=calls)
        level = level_of(usage_of(reading, session, calls).percent, session.config.pivot.levels)
        held.crossing, is_crossing = step(held.crossing, _sighting(level, found))
    if not is_crossing:
        return None
    analysis = analyse(conversation, session, reading, calls)
    _note(conversation, session, analysis)
    if analysis.level is PivotLevel.ALERT:
        return Reply(notice=texts.notice(analysis))
    if analysis.level is PivotLevel.CRITICAL:
        return Reply(texts.context(analysis), texts.notice(analysis))
    return _emergency(conversation, session, found, analysis, cwd) if analysis.level is PivotLevel.EMERGENCY else None


def _sighting(level: PivotLevel, found: Measurement | None) -> Sighting:
    tail = found.tail if found else None
    if tail is None:
        return Sighting(level)
    newest = tail.answers[0] if tail.answers else None
    return Sighting(
        level,
        answer=newest.id if newest and tail.holds_tool_use else "",
        compaction=tail.compaction.id if tail.compaction else "",
        offset=newest.offset if newest else 0,
        size=tail.size,
    )


def _note(conversation: Conversation, session: Session, analysis: Analysis) -> None:
    with states.hold(session.root, conversation.session_id) as held:
        state = states.reached(states.measured(held.state, session, analysis), analysis.level)
        shown = state.warnings_shown + (analysis.level >= PivotLevel.ALERT)
        held.state = msgspec.structs.replace(state, warnings_shown=shown)


def _emergency(
    conversation: Conversation, session: Session, found: Measurement | None, analysis: Analysis, cwd: str
) -> Reply:
    project = project_of(session, cwd)
    saved: tuple[str, ...] = ()
    problem = _OFF if not session.config.pivot.auto_export_enabled else _NOWHERE if project is None else ""
    if project is not None and not problem:
        saved = _save(conversation, session, found, project)
        problem = "" if saved else _FAILED
    return Reply(texts.context(analysis, saved, problem), texts.notice(analysis, saved, problem))


def _save(conversation: Conversation, session: Session, found: Measurement | None, project: Project) -> tuple[str, ...]:
    """The files of the export and of the prompt with which a new session goes on; each as far as it succeeds."""
    from monitor.pivot.strategies import carry_out  # noqa: PLC0415  only in an emergency
    from monitor.pivot.strategies.strategy import Context  # noqa: PLC0415  see above

    reading = found.reading if found else None
    context = Context(conversation, session, project, reading, is_asked=False, most_bytes=_MOST_BYTES)
    outcomes = [attempt("monitor", session.root, carry_out, name, context) for name in ("export", "spawn")]
    saved = tuple(file.path for outcome in outcomes if outcome for file in outcome.files)
    if saved:
        now = datetime.fromtimestamp(session.now, UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
        strategy = "export" if outcomes[0] else "spawn"
        states.record(session.root, conversation.session_id, LastPivot(strategy, now, "emergency", saved))
    return saved
