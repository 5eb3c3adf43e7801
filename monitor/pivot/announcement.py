"""What a threshold brings that a session has just reached: noted, announced, recommended, or acted upon."""

import os

import msgspec

from monitor import command_line
from monitor.measuring.snapshot import Snapshot
from monitor.memory.memory import LastPivot, Memory, PivotNotice
from monitor.pivot import messages
from monitor.pivot import state as states
from monitor.pivot.analysis import analyse
from monitor.pivot.decision import Strategy
from monitor.pivot.strategies import carry_out
from monitor.pivot.strategies.strategy import Context
from shared.gauge.levels import PivotLevel
from shared.text.plain import path_end

_LONGEST_NOTICE = 8_000
"""Characters; what waits for the person must fit into the memory."""
_LONGEST_PATH = 300
_LONGEST_FOLDER = 60
"""Characters of what the agent reads."""
_OFF = "Nothing was saved: pivot.auto_export_enabled is off."
_NOWHERE = "Nothing was saved: the project's directory is not known."
_FAILED = "Saving it failed; `tidegauge doctor` says why."


def announce(snapshot: Snapshot, memory: Memory) -> str:
    """The agent's message on the threshold that has just been reached; empty for one without a message.

    The person is told with their next prompt: at a tool use the monitor answers with context alone, and in the middle
    of the agent's work nobody may be there.
    """
    session, verdict = snapshot.session, snapshot.verdict
    analysis = analyse(snapshot.conversation, session, verdict, memory.pivot_state)
    saved, line = _saved(snapshot, memory) if analysis.level is PivotLevel.EMERGENCY else ("", "")
    how = messages.fitting(analysis.unasked.strategy, verdict)
    command = command_line.pivot(session, how, snapshot.conversation.session_id) if how else ""
    recommended = f"{messages.HOW[how]}: {command}" if how else ""
    state = memory.pivot_state
    memory.pivot_state = msgspec.structs.replace(
        states.measured(state, state.session_id, analysis.usage, session),
        session_start=analysis.activity.log.started or state.session_start,
        degradation_patterns=tuple(finding.name for finding in analysis.findings if finding.counts),
        warnings_shown=state.warnings_shown + 1,
    )
    text = saved or (f"You can {recommended}" if recommended else "")
    memory.pivot_notice = PivotNotice(is_due=True, text=text[:_LONGEST_NOTICE])
    return messages.for_agent(recommended, line) if analysis.level >= PivotLevel.CRITICAL else ""


def _saved(snapshot: Snapshot, memory: Memory) -> tuple[str, str]:
    """What was done to save the session, or why nothing was: for the person a line for each, and for the agent in one.

    Where the client compacts and continues, the checkpoint is the save, and an export is a setting.
    """
    session, verdict = snapshot.session, snapshot.verdict
    settings, project = session.config.pivot, snapshot.project
    if verdict.goes_on and not settings.export_before_compaction:
        return "", ""
    if not settings.auto_export_enabled:
        return _OFF, _OFF
    if project is None:
        return _NOWHERE, _NOWHERE
    context = Context(snapshot.conversation, session, project, verdict.reading, is_asked=False)
    strategies = (Strategy.EXPORT,) if verdict.goes_on else (Strategy.EXPORT, Strategy.SPAWN)
    outcomes = [outcome for name in strategies if (outcome := session.attempt(carry_out, name, context))]
    if not outcomes:
        return _FAILED, _FAILED
    files = tuple(file.path for outcome in outcomes for file in outcome.files)
    pivot = LastPivot(outcomes[-1].strategy, states.time(session.now), "emergency", files)
    memory.pivot_state = msgspec.structs.replace(memory.pivot_state, last_pivot=pivot)
    lines = []
    for outcome in outcomes:
        path, what = outcome.files[0].path, "Prompt for a new session"
        if outcome.strategy == Strategy.EXPORT:
            path, what = _folder(path), "Session export"
        lines.append(f"{what}: {path_end(project.short_path(path), _LONGEST_PATH)}")
    folder = path_end(project.short_path(_folder(files[0])), _LONGEST_FOLDER)
    return "\n".join(lines), f"The session is being saved in {folder}."


def _folder(path: str) -> str:
    return path if os.path.isdir(path) else os.path.dirname(path)
