"""The overview of a session: how full its window is, how well it works, and what to do best."""

from collections.abc import Callable

import msgspec

from monitor import command_line
from monitor.guards.ceiling import SWITCH, ceiling_of
from monitor.measuring.snapshot import Snapshot
from monitor.memory import memory as memories
from monitor.memory.memory import LastPivot, PivotState
from monitor.pivot.analysis import Analysis, analyse
from monitor.pivot.cost import cost_of
from monitor.pivot.decision import Complexity, Decision, Strategy
from monitor.pivot.messages import fitting
from monitor.pivot.patterns.finding import Finding
from monitor.pivot.state import SessionUsage
from monitor.session import Conversation, Session, project_of
from shared.gauge import wording
from shared.gauge.levels import Tier, fill_of, tokens_at
from shared.gauge.verdict import Verdict


class SessionOverview(SessionUsage, frozen=True, kw_only=True):
    session_id: str
    transcript: str
    verdict: Verdict | None
    """None without a bridge or transcript; `used` is then a guess from the number of tool calls."""
    ladders: dict[str, str]
    """The session's level on each scale of thresholds. Only for programs: texts use one word for the level."""
    patterns: tuple[Finding, ...]
    complexity: Complexity
    decision: Decision
    thresholds_triggered: tuple[str, ...]
    last_pivot: LastPivot | None
    summary_file: str = ""
    """The file in which the agent is asked to save its state, relative to the project's directory."""
    cost: str = ""
    """The cost of a full window, in words; empty if it isn't large."""
    next: str = ""
    """The person's step; empty if nothing is measured."""
    how: Strategy | None = None
    """The best way to do the step; None if the step says all."""
    run: str = ""
    """The command for the strategy in `how`."""


def overview_of(
    conversation: Conversation,
    session: Session,
    snapshot: Snapshot | None,
    command: Callable[[Session, str, str], str],
    *,
    is_elsewhere: bool = False,
) -> SessionOverview:
    """The overview of a session; `command` gives a strategy's command for its reader, perhaps in another project."""
    verdict, session_id = snapshot.verdict if snapshot else None, conversation.session_id
    memory = memories.read(session.root, session_id)
    state = memory.pivot_state if memory.pivot_state.session_id == session_id else PivotState(session_id)
    analysis = analyse(conversation, session, verdict, state)
    how = fitting(analysis.decision.strategy, verdict)
    next_command = command_line.resume_or_spawn(session, memory.saved.number, session_id, is_elsewhere=is_elsewhere)
    return SessionOverview(
        **msgspec.structs.asdict(analysis.usage),
        session_id=session_id,
        transcript=conversation.transcript,
        verdict=verdict,
        ladders=_ladders(session, analysis, snapshot),
        patterns=analysis.findings,
        complexity=analysis.complexity,
        decision=analysis.decision,
        thresholds_triggered=state.thresholds_triggered,
        last_pivot=state.last_pivot,
        summary_file=session.config.messages.summary_file,
        cost=_cost(session, verdict),
        next=wording.person_step(verdict, next_command) if verdict else "",
        how=how,
        run=command(session, how, session_id) if how else "",
    )


def _cost(session: Session, verdict: Verdict | None) -> str:
    first, tokens = session.config.notices.cost_tokens, (verdict and verdict.reading.tokens) or 0
    return cost_of(tokens, session, project_of(session, session.project)) if first and tokens >= first else ""


def _ladders(session: Session, analysis: Analysis, snapshot: Snapshot | None) -> dict[str, str]:
    """The levels of the monitor, the tag, the pivot and the ceiling guard, if measured and switched on."""
    config, usage = session.config, analysis.usage
    ladders = {"pivot": analysis.level.name.lower()}
    if snapshot is None:
        return ladders
    ladders["monitor"] = snapshot.level.name
    fill = fill_of(snapshot.reading)
    if fill is not None:
        ladders["prompt tag"] = Tier(config.prompt_tag.tiers.reached(fill)).name
    if config.hooks.ceiling_guard and session.environ.get(SWITCH, "").lower() != "off" and usage.window:
        begins = tokens_at(ceiling_of(session, usage.window, snapshot.limit_tokens), usage.window)
        ladders["ceiling"] = "above" if usage.tokens >= begins else "below"
    return ladders
