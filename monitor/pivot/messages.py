"""What the pivot adds to a verdict: how the step is best done, for the agent and for the person."""

from monitor.pivot.analysis import Analysis
from monitor.pivot.decision import Strategy
from shared import wording
from shared.levels import Level
from shared.plain import path_end, untagged
from shared.verdict import Verdict

_HOW = {
    Strategy.CHUNK: "hand what is left to subagents: /token-status --pivot chunk",
    Strategy.COMPRESS: "compact with a focus: /token-status --pivot compress",
    Strategy.EXPORT: "export the session: /token-status --pivot export",
    Strategy.SPAWN: "continue in a new session: /token-status --pivot spawn",
}
_WHERE_IT_ENDS = frozenset({Strategy.EXPORT, Strategy.SPAWN})
_LONGEST_PATH = 200
_SIGN = "\u26a0\ufe0f"


def recommendation(analysis: Analysis, verdict: Verdict) -> str:
    """How the verdict's step is best done; empty where nothing is recommended, or it would contradict the step."""
    strategy = analysis.decision.strategy
    return _HOW[strategy] if recommends(strategy, verdict) else ""


def recommends(strategy: Strategy, verdict: Verdict) -> bool:
    """Whether a strategy fits the verdict: chunk and compress while work goes on, export and spawn where it ends."""
    return strategy in _HOW and (strategy not in _WHERE_IT_ENDS or not verdict.goes_on)


def for_agent(recommended: str, saved: str = "") -> str:
    """What stands beside the message's steps; `saved` says what an emergency has written."""
    if saved:
        return f"{untagged(saved)} Tell the user."
    return f"The user can {recommended}. It is worth suggesting in your next answer." if recommended else ""


def for_person(verdict: Verdict | None, kept: str, checkpoint: str = "") -> str:
    """The notice that comes with the person's next prompt.

    `kept` is what has happened since their last one, `checkpoint` where this filling of the window is saved.
    """
    if verdict is None or verdict.used is None or verdict.level is Level.NORMAL:
        return f"Tidegauge: {kept}" if kept else ""
    now = f"{_SIGN} Tidegauge: {verdict.used}% used, {verdict.level.name}. {wording.person_step(verdict)}"
    saved = f"Saved: {path_end(checkpoint, _LONGEST_PATH)}" if checkpoint and verdict.level > Level.WARNING else ""
    return "\n".join(part for part in (now, saved, kept) if part)
