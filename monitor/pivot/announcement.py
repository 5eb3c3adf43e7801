"""The announcement of a threshold that a session has just reached: noted, recommended or acted upon."""

import msgspec

from monitor import command_line
from monitor.measuring.snapshot import Snapshot
from monitor.memory.memory import LastPivot, Memory
from monitor.numbered_folder import OutsideProjectError
from monitor.pivot import messages
from monitor.pivot import state as states
from monitor.pivot.analysis import analyse
from monitor.pivot.decision import Strategy, decide
from monitor.pivot.strategies import carry_out
from monitor.pivot.strategies.strategy import Context, Outcome
from shared import paths
from shared.gauge.levels import PivotLevel
from shared.process.boundary import report
from shared.text.plain import elide, one_line, path_end

_LONGEST_REASON = 90
"""Characters of the reason for a failure, with a path."""


def announce(snapshot: Snapshot, memory: Memory) -> str:
    """Return the agent's message on the threshold just reached; empty for one without a message.

    The person's notice comes with their next prompt: at a tool use the monitor answers only with context, and nobody
    may be there while the agent works.
    """
    session, verdict = snapshot.session, snapshot.verdict
    analysis = analyse(snapshot.conversation, session, verdict, memory.pivot_state)
    memory.pivot_export = ""
    saved = _save(snapshot, memory) if analysis.level is PivotLevel.EMERGENCY else ""
    unasked = decide(analysis.level, (), analysis.complexity)  # patterns change nothing unasked
    how = messages.fitting(unasked.strategy, verdict)
    command = command_line.pivot(session, how, snapshot.conversation.session_id) if how else ""
    recommended = f"{messages.HOW[how]}: {command}" if how else ""
    state = memory.pivot_state
    memory.pivot_state = msgspec.structs.replace(
        states.with_usage(state, state.session_id, analysis.usage, session),
        session_start=analysis.activity.log.started or state.session_start,
        degradation_patterns=tuple(finding.name for finding in analysis.findings if finding.counts),
        warnings_shown=state.warnings_shown + 1,
    )
    memory.pivot_notice = saved or (f"You can {recommended}" if recommended else "")
    return messages.for_agent(recommended, saved) if analysis.level >= PivotLevel.CRITICAL else ""


def _save(snapshot: Snapshot, memory: Memory) -> str:
    """Save the session; return what was done, for the agent and the person, or "" if there is nothing to do.

    If the client compacts and continues, the checkpoint is the save, and an export is a setting.
    """
    session, verdict, project = snapshot.session, snapshot.verdict, snapshot.project
    settings = session.config.pivot
    is_wanted = settings.auto_export_enabled and (settings.export_before_compaction or not verdict.continues)
    if project is None or not is_wanted:
        return ""
    context = Context(snapshot.conversation, session, project, verdict, is_asked=False)
    strategies = (Strategy.EXPORT,) if verdict.continues else (Strategy.EXPORT, Strategy.SPAWN)
    results = [session.attempt(_result_of, name, context) for name in strategies]
    outcomes = [result for result in results if isinstance(result, Outcome)]
    if outcomes:
        files = tuple(file.path for outcome in outcomes for file in outcome.files)
        pivot = LastPivot(outcomes[-1].strategy, states.time(session.now), "emergency", files)
        memory.pivot_state = msgspec.structs.replace(memory.pivot_state, last_pivot=pivot)
    export = results[0]
    if isinstance(export, Outcome):
        memory.pivot_export = export.files[0].path
        return f"The session is being exported to {messages.export_path(memory.pivot_export, project)}."
    reason = export or f"{path_end(paths.log_file(session.root), _LONGEST_REASON)} says why"
    return f"The session's export failed: {reason}."


def _result_of(name: str, context: Context) -> Outcome | str:
    """The outcome of the strategy called `name`, or why there is none."""
    try:
        return carry_out(name, context)
    except (OSError, OutsideProjectError) as problem:
        report("monitor", context.session.root, problem)
        return _reason(problem)


def _reason(problem: Exception) -> str:
    """Why something failed, for the agent and the person."""
    from shared.secrets.masking import masked  # noqa: PLC0415  only for a failure

    text = str(problem)
    if isinstance(problem, OSError) and problem.strerror:
        text = ": ".join(str(part) for part in (problem.strerror, problem.filename) if part)
    return elide(one_line(masked(text), 1_000), _LONGEST_REASON)
