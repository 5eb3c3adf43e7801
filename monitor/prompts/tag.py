"""The tag that tells the agent at a prompt how full its window is."""

from monitor import command_line
from monitor.memory.memory import Memory
from monitor.prompts.prompt import Prompt
from monitor.speakers.summary_file import is_settled
from shared.gauge import wording
from shared.gauge.levels import LARGE, Level, Tier, fill_of
from shared.gauge.verdict import Verdict
from shared.settings.config import Messages
from shared.transcript.tail import NO_TAIL

_FIELDS = (
    "fill-percentage", "tier", "token-count", "context-window", "context-window-source", "monitoring-ok", "action",
)  # fmt: skip


def tag_for(prompt: Prompt, memory: Memory) -> str:
    """The tag of `prompt`: from WARNING on, or with every prompt if that is set; else empty."""
    session, saved = prompt.session, memory.saved
    config, hooks = session.config, session.config.hooks
    if not hooks.context_warnings:
        return ""
    verdict = prompt.verdict
    if verdict is None:
        is_first = prompt.memory is None or prompt.memory.size < 0
        is_unreadable = prompt.tail is NO_TAIL and not is_first
        return unreadable_tag() if hooks.tag_every_prompt and is_unreadable else ""
    fill = fill_of(verdict.reading)
    tier = Tier.NOMINAL if fill is None else Tier(config.prompt_tag.tiers.reached(fill))
    # A window of unknown size is reported once at each bound, with a tool use.
    is_due = verdict.level > Level.NORMAL and verdict.used is not None
    is_early = hooks.tag_every_prompt and (verdict.reading.window or 0) <= LARGE
    if not (is_due or is_early):
        return ""
    command = command_line.resume_or_spawn(session, saved.number, prompt.conversation.session_id)
    is_done = session.attempt(_is_done, prompt, memory) or False
    return prompt_tag(verdict, tier, config.messages, command, is_saved=bool(saved.path), is_done=is_done)


def _is_done(prompt: Prompt, memory: Memory) -> bool:
    """Whether what the level's message asked for is done; False at a level that wasn't reported yet."""
    snapshot = prompt.snapshot
    if snapshot is None or not 0 < snapshot.verdict.severity <= memory.level.notified:
        return False
    return memory.level.is_done or is_settled(snapshot, memory.summary_file)


def prompt_tag(
    verdict: Verdict,
    tier: Tier,
    settings: Messages,
    command: str = wording.RESUME,
    *,
    is_saved: bool = False,
    is_done: bool = False,
) -> str:
    """The tag; `is_saved`: this window cycle has a checkpoint; `is_done`: what the level's message asks for is done."""
    parts = [*wording.agent_steps(verdict, settings.summary_file, command)]
    if verdict.level < Level.CRITICAL:  # the message has the rest
        parts = parts[:1]
    elif is_done:
        rest = [part.removeprefix("Then ") for part in parts[1:]]
        parts = [part[0].upper() + part[1:] for part in rest]
    if verdict.level is Level.NORMAL:
        parts = ["keep output short" if tier > Tier.NOMINAL else "none"]
    else:
        if is_saved and not is_done:
            parts.append("Files, commands and tasks are saved; record decisions and the plan.")
        if caveat := wording.caveat(verdict):
            parts.append(f"{caveat}.")
        elif settings.style == "advisory":
            parts.append("The user's instructions take precedence.")
    reading, used = verdict.reading, verdict.used
    fill = None if used is None else f"{used / 100:.2f}"
    return _tag(fill, verdict.level, reading.tokens, reading.window, reading.window_source, "true", " ".join(parts))


def unreadable_tag() -> str:
    return _tag(None, Level.NORMAL, None, None, None, "false", "none")


def _tag(fill: str | None, level: Level, *values: str | int | None) -> str:
    """The tag with values for _FIELDS: numbers, our own words, and a bounded file name; None is unknown."""
    # On one line: each newline between two fields would be a token with every prompt.
    pairs = zip(_FIELDS, (fill, level.name, *values), strict=True)
    fields = "".join(f"<{name}>{'unknown' if value is None else value}</{name}>" for name, value in pairs)
    return f"<context-monitor>{fields}</context-monitor>"
