"""The pivot's additions to a verdict: how to do its step best, for the agent and for the person."""

from monitor.pivot.decision import Strategy
from monitor.session import Project
from shared.gauge import wording
from shared.gauge.levels import Level
from shared.gauge.verdict import Verdict
from shared.text.plain import path_end, untagged

HOW = {
    Strategy.CHUNK: "hand what is left to subagents",
    Strategy.COMPRESS: "compact with a focus",
    Strategy.EXPORT: "export the session",
    Strategy.SPAWN: "continue in a new session",
}
"""The strategies that can be carried out, as the end of a sentence."""
_LONGEST_PATH, _LONGEST_EXPORT = 200, 60
_SIGN = "\u26a0\ufe0f"


def fitting(strategy: Strategy, verdict: Verdict | None) -> Strategy | None:
    """The strategy that agrees with the verdict's step; None if the step says all, as at both ends of the scale.

    Chunk and compress while the work can continue; a compaction that is near can only be given a focus. Near its end a
    session continues in a new one. Without a verdict there is no step to agree with.
    """
    if strategy not in HOW or (verdict and verdict.level in (Level.NORMAL, Level.EXHAUSTED)):
        return None
    if verdict is None:
        return strategy
    is_near, makes_room = verdict.level >= Level.CRITICAL, strategy in (Strategy.CHUNK, Strategy.COMPRESS)
    if verdict.continues:
        return strategy if makes_room and not (is_near and strategy is Strategy.CHUNK) else None
    return Strategy.SPAWN if makes_room and is_near else strategy


def for_agent(recommended: str, saved: str = "") -> str:
    """The text next to the message's steps: what was `saved`, else the `recommended` way to do the step, if any."""
    if saved:
        return f"{untagged(saved)} Tell the user."
    return f"The user can {recommended}. It is worth suggesting in your next answer." if recommended else ""


def export_path(path: str, project: Project) -> str:
    """The path of an export's directory in texts for the agent and the person."""
    return path_end(project.short_path(path), _LONGEST_EXPORT)


def for_person(verdict: Verdict | None, news: str, checkpoint: str, command: str) -> str:
    """The notice that comes with the person's next prompt.

    `news` is what has happened since their last one, `checkpoint` the path of this window cycle's newest one, and
    `command` continues from there.
    """
    if verdict is None or verdict.used is None or verdict.level is Level.NORMAL:
        return f"Tidegauge: {news}" if news else ""
    now = f"{_SIGN} Tidegauge: {verdict.used}% used, {verdict.level.name}. {wording.person_step(verdict, command)}"
    saved = f"Saved: {path_end(checkpoint, _LONGEST_PATH)}" if checkpoint and verdict.level >= Level.CRITICAL else ""
    return "\n".join(part for part in (now, saved, news) if part)
