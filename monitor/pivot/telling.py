"""The telling of a level that a session has just reached: noted, told, recommended, or acted upon."""

import os
from typing import NamedTuple

import msgspec

from monitor.pivot import messages
from monitor.pivot import state as states
from monitor.pivot.analysis import Analysis, analyse
from monitor.pivot.decision import Strategy
from monitor.pivot.state import LastPivot, SessionState
from monitor.pivot.strategies import carry_out
from monitor.pivot.strategies.strategy import Context
from monitor.session import Conversation, Session, project_of
from shared.levels import PivotLevel
from shared.plain import path_end
from shared.verdict import Verdict

_MOST_BYTES = 8 << 20
"""Of a transcript that is exported while the client waits: some seconds at most, of the ten that a hook has."""
_LONGEST_NOTICE = 8_000
"""Characters; what is kept for the person must fit into its file."""
_LONGEST_FOLDER = 60
"""Characters of what the agent reads."""
_OFF = "Nothing was saved: pivot.auto_export_enabled is off."
_NOWHERE = "Nothing was saved: the project's directory is not known."
_FAILED = "Saving it failed; `tidegauge doctor` says why."


class Saved(NamedTuple):
    """What was done to save a session, or why nothing was; empty where nothing was to be done."""

    whole: str = ""
    """For the person: every file."""
    line: str = ""
    """For the agent."""


def tell(conversation: Conversation, session: Session, verdict: Verdict | None, tool_calls: int, cwd: str) -> str:
    """What the level that has just been reached brings with it; empty for one that the agent isn't told of.

    The person is told with their next prompt: beside a tool use the monitor answers with context alone, and in the
    middle of the agent's work nobody may be there.
    """
    analysis = analyse(conversation, session, verdict, tool_calls)
    saved = _saved(conversation, session, verdict, cwd, analysis) if analysis.decision.by_itself else Saved()
    recommended = messages.recommendation(analysis, verdict) if verdict else ""
    with states.hold(session.root, conversation.session_id) as held:
        held.state = _noted(held.state, session, analysis)
        if analysis.level >= PivotLevel.ALERT:
            kept = saved.whole or (f"You can {recommended}" if recommended else "")
            held.reminder = msgspec.structs.replace(held.reminder, is_news=True, notice=kept[:_LONGEST_NOTICE])
    return messages.for_agent(recommended, saved.line) if analysis.level >= PivotLevel.CRITICAL else ""


def _noted(state: SessionState, session: Session, analysis: Analysis) -> SessionState:
    reached = (level.name.lower() for level in PivotLevel if PivotLevel.NORMAL < level <= analysis.level)
    return msgspec.structs.replace(
        states.measured(state, analysis.usage, session),
        session_start=analysis.activity.log.started or state.session_start,
        thresholds_triggered=tuple(dict.fromkeys([*state.thresholds_triggered, *reached])),
        degradation_patterns=tuple(finding.name for finding in analysis.findings if finding.counts),
        warnings_shown=state.warnings_shown + (analysis.level >= PivotLevel.ALERT),
    )


def _saved(
    conversation: Conversation, session: Session, verdict: Verdict | None, cwd: str, analysis: Analysis
) -> Saved:
    """What was done to save the session, or why nothing was.

    Where the client compacts and goes on, the checkpoint is the save, and an export is a setting.
    """
    settings, project = session.config.pivot, project_of(session, cwd)
    if verdict is not None and verdict.goes_on and not settings.export_before_compaction:
        return Saved()
    if not settings.auto_export_enabled:
        return Saved(_OFF, _OFF)
    if project is None:
        return Saved(_NOWHERE, _NOWHERE)
    context = Context(
        conversation,
        session,
        project,
        verdict.reading if verdict else None,
        is_asked=False,
        most_bytes=_MOST_BYTES,
    )
    goes_on = verdict is not None and verdict.goes_on
    strategies = tuple(one for one in analysis.decision.by_itself if not (goes_on and one is Strategy.SPAWN))
    return _save(context, strategies, analysis.level)


def _save(context: Context, strategies: tuple[str, ...], level: PivotLevel) -> Saved:
    """Export the session, and write the prompt for a new one where this one ends; each as far as it succeeds."""
    session = context.session
    attempts = (session.attempt(carry_out, name, context) for name in strategies)
    outcomes = [outcome for outcome in attempts if outcome is not None]
    if not outcomes:
        return Saved(_FAILED, _FAILED)
    files = tuple(file.path for outcome in outcomes for file in outcome.files)
    pivot = LastPivot(outcomes[-1].strategy, states.time(session.now), level.name.lower(), files)
    states.record(session.root, context.conversation.session_id, pivot)
    folder = context.project.shown(os.path.dirname(files[0])) if files else ""
    line = f"The session is saved in {path_end(folder, _LONGEST_FOLDER)}."
    return Saved("\n".join(outcome.text for outcome in outcomes), line)
