"""What the person and the agent are told when a session nears its end: words and numbers of ours."""

from monitor.pivot.analysis import Analysis
from monitor.pivot.decision import Strategy
from shared.levels import PivotLevel
from shared.plain import escaped

OPENING, CLOSING = "<context-pivot>", "</context-pivot>"
_SIGNS = {PivotLevel.ALERT: "\u2139\ufe0f", PivotLevel.CRITICAL: "\u26a0\ufe0f", PivotLevel.EMERGENCY: "\u26a0\ufe0f"}
_ADVICE = {
    Strategy.CONTINUE: "The session can go on as it is.",
    Strategy.CHUNK: "The work that is left is best handed to subagents in parts: /token-status --pivot chunk.",
    Strategy.COMPRESS: "The window is best compacted with a focus: /token-status --pivot compress.",
    Strategy.EXPORT: "The session is best exported now: /token-status --pivot export.",
    Strategy.SPAWN: "The work is best continued in a new session: /token-status --pivot spawn.",
}


def notice(analysis: Analysis, saved: str = "") -> str:
    """For the person; `saved` is what an emergency has done, in lines."""
    parts = [f"{_SIGNS[analysis.level]} Tidegauge: {_reasons(analysis)}", saved or _advice(analysis)]
    return ("\n" if saved else " ").join(parts)


def context(analysis: Analysis, saved: str = "") -> str:
    """For the agent."""
    todo = f"{_advice(analysis)} The user can type this; it is worth telling them in your next answer."
    if saved:
        todo = f"{escaped(saved)}\nIt is worth telling the user where this is in your next answer."
    return "\n".join([OPENING, _reasons(analysis), todo, CLOSING])


def _reasons(analysis: Analysis) -> str:
    return f"{'; '.join(analysis.decision.reasons)}."


def _advice(analysis: Analysis) -> str:
    return _ADVICE[analysis.decision.strategy]
