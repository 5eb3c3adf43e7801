"""Where a session stands: how full its window is, how well it is, and what is best done."""

import math

import msgspec

from monitor.guards.ceiling import SWITCH, ceiling_of
from monitor.measuring.measurement import Measurement
from monitor.pivot import state as states
from monitor.pivot.analysis import Analysis, analyse
from monitor.pivot.complexity import Complexity
from monitor.pivot.decision import Decision
from monitor.pivot.patterns.finding import Finding
from monitor.pivot.state import LastPivot
from monitor.session import Conversation, Session
from shared.levels import Level, PivotLevel, Tier, begins_at, fill_of, tier_of
from shared.reading import Reading
from shared.verdict import Verdict


class CurrentLevel(msgspec.Struct, frozen=True):
    """The session's level on one ladder, and the one that comes next."""

    ladder: str
    level: str
    next: str | None = None
    begins: int | None = None
    """Tokens at which the next one does; None where the window's size is not known."""


class SessionOverview(msgspec.Struct, frozen=True):
    """Of one session."""

    session_id: str
    transcript: str
    verdict: Verdict | None
    """None when neither bridge nor transcript say anything: `used` is a guess from the number of tool calls then."""
    used: float
    """Percent of the window."""
    tokens: int
    window: int
    source: str
    """`bridge`, `transcript` or `tool_calls`."""
    age: float
    """Seconds since these numbers were first seen."""
    tool_calls: int
    ladders: tuple[CurrentLevel, ...]
    """Where the session stands on each scale of thresholds. A field for programs: no text has a second word."""
    patterns: tuple[Finding, ...]
    complexity: Complexity
    decision: Decision
    thresholds_triggered: tuple[str, ...]
    last_pivot: LastPivot | None


def overview_of(conversation: Conversation, session: Session, found: Measurement | None) -> SessionOverview:
    """Where a session stands that was measured as `found`."""
    verdict = found.verdict if found else None
    known = states.read(session.root, conversation.session_id) or states.SessionState(conversation.session_id)
    analysis = analyse(conversation, session, verdict, known.tool_calls)
    usage = analysis.usage
    return SessionOverview(
        session_id=conversation.session_id,
        transcript=conversation.transcript,
        verdict=verdict,
        used=usage.percent,
        tokens=usage.tokens,
        window=usage.window,
        source=usage.source,
        age=max(0.0, session.now - usage.sampled_at),
        tool_calls=usage.tool_calls,
        ladders=_ladders(session, analysis, found),
        patterns=analysis.findings,
        complexity=analysis.complexity,
        decision=analysis.decision,
        thresholds_triggered=known.thresholds_triggered,
        last_pivot=known.last_pivot,
    )


def _ladders(session: Session, analysis: Analysis, found: Measurement | None) -> tuple[CurrentLevel, ...]:
    rungs = []
    if found is not None:
        rungs.append(_monitor(session, found))
        rungs.extend(_tag(session, found.reading))
    rungs.append(_pivot(session, analysis))
    ceiling = _ceiling(session, analysis) if found is not None else None
    return tuple([*rungs, ceiling] if ceiling else rungs)


def _monitor(session: Session, found: Measurement) -> CurrentLevel:
    following = next((level for level in Level if level > found.level), None)
    rung = session.config.levels.rule(following) if following else None
    window = found.reading.window
    begins = begins_at(rung, window, found.limit_tokens) if rung and window else None
    return CurrentLevel("monitor", found.level.name, following.name if following else None, begins)


def _tag(session: Session, reading: Reading) -> list[CurrentLevel]:
    """The tag's; none where the window's size is unknown."""
    tiers, fill = session.config.prompt_tag.tiers, fill_of(reading)
    if fill is None:
        return []
    tier = tier_of(fill, tiers)
    following = next((one for one in Tier if one > tier), None)
    bounds = dict(zip(Tier, (0.0, tiers.low, tiers.warning, tiers.critical, tiers.emergency), strict=True))
    begins = math.ceil(round(bounds[following] * reading.window, 6)) if following and reading.window else None
    return [CurrentLevel("prompt tag", tier.name, following.name if following else None, begins)]


def _pivot(session: Session, analysis: Analysis) -> CurrentLevel:
    levels, level = session.config.pivot.levels, analysis.level
    following = next((one for one in PivotLevel if one > level), None)
    bounds = (0.0, levels.warning, levels.alert, levels.critical, levels.emergency)
    size = analysis.usage.window
    begins = math.ceil(round(bounds[following] * size / 100, 6)) if following and size else None
    return CurrentLevel("pivot", level.name.lower(), following.name.lower() if following else None, begins)


def _ceiling(session: Session, analysis: Analysis) -> CurrentLevel | None:
    """The ceiling guard's; None where it is switched off."""
    if not session.config.hooks.ceiling_guard or session.environ.get(SWITCH, "").lower() == "off":
        return None
    ceiling, usage = ceiling_of(session), analysis.usage
    if not usage.window:
        return None
    begins = -(-ceiling.percentage * usage.window // 100)
    if ceiling.max_tokens is not None:
        begins = min(begins, ceiling.max_tokens)
    if usage.tokens >= begins:
        return CurrentLevel("ceiling", "above")
    return CurrentLevel("ceiling", "below", "above", begins)
