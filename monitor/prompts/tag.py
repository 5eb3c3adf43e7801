"""The tag of one prompt."""

from monitor.checkpoints.at_level import path_of
from monitor.measuring.measurement import readings
from monitor.prompts.prompt import Prompt
from shared.config import Messages
from shared.levels import Tier, fill_of, fill_text, tier_of
from shared.plain import escaped
from shared.reading import Reading


def tagged(prompt: Prompt) -> str:
    """The tag: tokens by the transcript; what to do by the fuller of it and a fresh bridge. Empty below its tier."""
    config = prompt.session.config
    least = Tier[config.prompt_tag.min_tier]
    reading, bridge = readings(prompt.conversation, prompt.session, prompt.tail)
    fill = fill_of(reading) if reading else None
    if reading is None or fill is None:
        return unreadable_tag() if least is Tier.NOMINAL else ""
    fills = [one for one in (fill, fill_of(bridge) if bridge else None) if one is not None]
    tier = tier_of(max(fills), config.prompt_tag.tiers)
    if tier < least:
        return ""
    is_saved = path_of(prompt.session.root, prompt.conversation.session_id) is not None
    return prompt_tag(fill, tier, reading, config.messages, is_saved=is_saved)


_ACTIONS = {
    Tier.NOMINAL: "none",
    Tier.LOW: "none yet; read and print no more than the task needs",
    Tier.WARNING: (
        "Finish the step at hand before beginning another. Have searches return lines instead of whole files."
        " Consider a checkpoint of the state in {file}."
    ),
    Tier.CRITICAL: (
        "Bring the step at hand to an end and begin no new one. Update {file}: what is done, what is left, open"
        " errors, next step. Tell the user that the window is nearly full.{saved}"
    ),
    Tier.EMERGENCY: (
        "Preserve the state before anything else: 1. write {file} now: what is done, what is left, decisions, open"
        " errors, next step; 2. tell the user that this session should be compacted or ended; 3. answer the prompt"
        " only as far as it needs no further files.{saved}"
    ),
}
_ADVICE = " Recommended; the user's own instructions decide."
_UNREADABLE = "none; how full the window is cannot be told yet"


def prompt_tag(fill: float, tier: Tier, reading: Reading, settings: Messages, *, is_saved: bool = False) -> str:
    """The tag; `is_saved` when a checkpoint has been written since the window came to be so full."""
    saved = " A checkpoint holds what can be measured; the reasons and the plan are yours to write." if is_saved else ""
    action = _ACTIONS[tier].format(file=settings.summary_file, saved=saved)
    if settings.style == "advisory" and tier >= Tier.WARNING:
        action += _ADVICE
    return _tag(fill_text(fill), tier, reading.tokens, reading.window, reading.window_source, is_ok=True, action=action)


def unreadable_tag() -> str:
    """The tag where nothing can be measured."""
    return _tag("unknown", Tier.NOMINAL, None, None, "unknown", is_ok=False, action=_UNREADABLE)


def _tag(
    fill: str, tier: Tier, tokens: int | None, window: int | None, source: str, *, is_ok: bool, action: str
) -> str:
    known = {
        "fill-percentage": fill,
        "tier": tier.name,
        "token-count": "unknown" if tokens is None else str(tokens),
        "context-window": "unknown" if window is None else str(window),
        "context-window-source": source,
        "monitoring-ok": "true" if is_ok else "false",
        "action": action,
    }
    lines = [f"<{name}>{escaped(value)}</{name}>" for name, value in known.items()]
    return "\n".join(["<context-monitor>", *lines, "</context-monitor>"])
