"""What the person and the agent are told when a session nears its end. Words and numbers of ours, and our paths."""

from monitor.pivot.analysis import Analysis
from monitor.pivot.decision import Strategy
from monitor.pivot.level import PivotLevel
from monitor.texts.safety import escaped, path_end

OPENING, CLOSING = "<context-pivot>", "</context-pivot>"
_SIGNS = {PivotLevel.ALERT: "\u2139\ufe0f", PivotLevel.CRITICAL: "\u26a0\ufe0f", PivotLevel.EMERGENCY: "\u26a0\ufe0f"}
_LONGEST_PATH = 300
_ADVICE = {
    Strategy.CONTINUE: "The session can go on as it is.",
    Strategy.CHUNK: "The work that is left is best handed to subagents in parts: /token-status --pivot chunk.",
    Strategy.COMPRESS: "The window is best compacted with a focus: /token-status --pivot compress.",
    Strategy.EXPORT: "The session is best exported now: /token-status --pivot export.",
    Strategy.SPAWN: "The work is best continued in a new session: /token-status --pivot spawn.",
}


def notice(analysis: Analysis, saved: tuple[str, ...] = (), problem: str = "") -> str:
    """For the person; `saved` are the paths that an emergency left, `problem` why it left none."""
    parts = [f"{_SIGNS[analysis.level]} Tidegauge: {'; '.join(analysis.decision.reasons)}."]
    parts += [*_saved(saved, problem), _advice(analysis)]
    return " ".join(part for part in parts if part)


def context(analysis: Analysis, saved: tuple[str, ...] = (), problem: str = "") -> str:
    """For the agent."""
    lines = [
        OPENING,
        f"{'; '.join(analysis.decision.reasons)}.",
        *(escaped(part) for part in _saved(saved, problem)),
        f"{_advice(analysis)} The user can type this; worth telling them in your next answer.",
        CLOSING,
    ]
    return "\n".join(lines)


def _advice(analysis: Analysis) -> str:
    return _ADVICE[analysis.decision.strategy]


def _saved(saved: tuple[str, ...], problem: str) -> list[str]:
    if saved:
        return [f"The session was saved: {', '.join(path_end(path, _LONGEST_PATH) for path in saved)}."]
    return [problem] if problem else []
