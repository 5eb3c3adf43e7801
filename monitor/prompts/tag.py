"""The tag of one prompt."""

from monitor.checkpoints.at_level import path_of
from monitor.prompts.prompt import Prompt
from shared import wording
from shared.config import Messages
from shared.levels import Level, Tier, fill_of, tier_of
from shared.verdict import Verdict

_FIELDS = (
    "fill-percentage", "tier", "token-count", "context-window", "context-window-source", "monitoring-ok", "action",
)  # fmt: skip
_LITTLE_ROOM = "keep output short"
_SAVED = "A checkpoint holds the facts; the reasons and the plan are yours to write."
_ADVICE = "Recommended; the user's instructions decide."


def tagged(prompt: Prompt) -> str:
    """The tag of `prompt`: from WARNING on, or with every prompt where that is set; else empty."""
    hooks, settings = prompt.session.config.hooks, prompt.session.config.prompt_tag
    verdict = prompt.verdict
    if verdict is None:
        is_first = prompt.memory is None or (prompt.tail is not None and not prompt.tail.answers)
        is_wanted = hooks.tag_every_prompt and settings.min_tier == Tier.NOMINAL.name and not is_first
        return unreadable_tag() if is_wanted else ""
    tier = _tier(verdict, prompt)
    # A window of unknown size is told once at each bound, beside a tool use.
    is_due = verdict.level > Level.NORMAL and verdict.used is not None
    if tier < Tier[settings.min_tier] or not (hooks.tag_every_prompt or is_due):
        return ""
    is_saved = path_of(prompt.session.root, prompt.conversation.session_id) is not None
    return prompt_tag(verdict, tier, prompt.session.config.messages, is_saved=is_saved)


def prompt_tag(verdict: Verdict, tier: Tier, settings: Messages, *, is_saved: bool = False) -> str:
    """The tag; `is_saved` when a checkpoint has been written since the window came to be so full."""
    parts = [*wording.agent_steps(verdict, settings.summary_file)]
    if verdict.level is Level.NORMAL:
        parts = [_LITTLE_ROOM if tier > Tier.NOMINAL else "none"]
    else:
        parts += [_SAVED] if is_saved else []
        if caveat := wording.caveat(verdict):
            parts.append(f"{caveat}.")
        elif settings.style == "advisory":
            parts.append(_ADVICE)
    reading = verdict.reading
    fill = "unknown" if verdict.used is None else f"{verdict.used / 100:.2f}"
    tokens = "unknown" if reading.tokens is None else str(reading.tokens)
    window = "unknown" if reading.window is None else str(reading.window)
    known = (fill, verdict.level.name, tokens, window, reading.window_source, "true", " ".join(parts))
    return _tag(known)


def unreadable_tag() -> str:
    """The tag where nothing can be measured."""
    return _tag(("unknown", Level.NORMAL.name, "unknown", "unknown", "unknown", "false", "none"))


def _tier(verdict: Verdict, prompt: Prompt) -> Tier:
    """How much the tag says."""
    fill = fill_of(verdict.reading)
    if fill is None:
        return Tier.WARNING if verdict.level else Tier.NOMINAL
    return tier_of(fill, prompt.session.config.prompt_tag.tiers)


def _tag(values: tuple[str, ...]) -> str:
    """The tag with `values` for _FIELDS: numbers, words of ours, and a bounded file name."""
    # On one line: each newline between two fields would be a token with every prompt.
    fields = "".join(f"<{name}>{value}</{name}>" for name, value in zip(_FIELDS, values, strict=True))
    return f"<context-monitor>{fields}</context-monitor>"
