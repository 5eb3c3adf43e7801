"""The tag of one prompt."""

from monitor import command_line
from monitor.prompts.prompt import Prompt
from shared.gauge import wording
from shared.gauge.levels import LARGE, Level, Tier, fill_of, tier_of
from shared.gauge.verdict import Verdict
from shared.settings.config import Messages

_FIELDS = (
    "fill-percentage", "tier", "token-count", "context-window", "context-window-source", "monitoring-ok", "action",
)  # fmt: skip
_LITTLE_ROOM = "keep output short"
_SAVED = "Files, commands and tasks are saved; record decisions and the plan."
_ADVICE = "The user's instructions take precedence."


def tagged(prompt: Prompt) -> str:
    """The tag of `prompt`: from WARNING on, or with every prompt where that is set; else empty."""
    config = prompt.session.config
    hooks, least = config.hooks, Tier[config.prompt_tag.min_tier or Tier.NOMINAL.name]
    if not hooks.context_warnings:
        return ""
    verdict = prompt.verdict
    if verdict is None:
        is_first = prompt.memory is None or (prompt.tail is not None and not prompt.tail.answers)
        is_wanted = hooks.tag_every_prompt and least is Tier.NOMINAL and not is_first
        return unreadable_tag() if is_wanted else ""
    fill = fill_of(verdict.reading)
    tier = Tier.WARNING if verdict.level else Tier.NOMINAL
    if fill is not None:
        tier = tier_of(fill, config.prompt_tag.tiers)
    # A window of unknown size is reported once at each bound, with a tool use.
    is_due = verdict.level > Level.NORMAL and verdict.used is not None
    is_early = config.prompt_tag.min_tier is not None or (verdict.reading.window or 0) <= LARGE
    if tier < least or not (is_due or (hooks.tag_every_prompt and is_early)):
        return ""
    command = command_line.going_on(prompt.session, prompt.saved.number, prompt.conversation.session_id)
    is_saved = bool(prompt.saved.path)
    return prompt_tag(verdict, tier, config.messages, command, is_saved=is_saved, is_done=prompt.is_done)


def prompt_tag(
    verdict: Verdict,
    tier: Tier,
    settings: Messages,
    command: str = wording.RESUME,
    *,
    is_saved: bool = False,
    is_done: bool = False,
) -> str:
    """The tag; `is_saved` when a checkpoint has been written since the window came to be so full.

    `command` continues in a new session. `is_done` leaves out the write that the level's message asked for.
    """
    parts = [*wording.agent_steps(verdict, settings.summary_file, command)]
    if verdict.level < Level.CRITICAL:  # the message has the rest
        parts = parts[:1]
    elif is_done:
        parts = [_alone(part) for part in parts[1:]]
    if verdict.level is Level.NORMAL:
        parts = [_LITTLE_ROOM if tier > Tier.NOMINAL else "none"]
    else:
        parts += [_SAVED] if is_saved and not is_done else []
        if caveat := wording.caveat(verdict):
            parts.append(f"{caveat}.")
        elif settings.style == "advisory":
            parts.append(_ADVICE)
    reading = verdict.reading
    fill = "unknown" if verdict.used is None else f"{verdict.used / 100:.2f}"
    tokens = "unknown" if reading.tokens is None else str(reading.tokens)
    window = "unknown" if reading.window is None else str(reading.window)
    values = (fill, verdict.level.name, tokens, window, reading.window_source, "true", " ".join(parts))
    return _tag(values)


def _alone(step: str) -> str:
    """A step without the one that comes before it."""
    text = step.removeprefix("Then ")
    return text[0].upper() + text[1:]


def unreadable_tag() -> str:
    """The tag where nothing can be measured."""
    return _tag(("unknown", Level.NORMAL.name, "unknown", "unknown", "unknown", "false", "none"))


def _tag(values: tuple[str, ...]) -> str:
    """The tag with `values` for _FIELDS: numbers, words of ours, and a bounded file name."""
    # On one line: each newline between two fields would be a token with every prompt.
    fields = "".join(f"<{name}>{value}</{name}>" for name, value in zip(_FIELDS, values, strict=True))
    return f"<context-monitor>{fields}</context-monitor>"
