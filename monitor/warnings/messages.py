"""The message that the agent reads beside a tool result, and its frame."""

import time

from monitor.warnings.reminders import ReminderMemory
from shared import wording
from shared.config import Messages
from shared.plain import path_end
from shared.verdict import Verdict

_SUBAGENT = "This is your own window as a subagent, not your caller's."
_LONGEST_PATH = 120
_ADVICE = "Recommended; the user's instructions decide:"


def context_warning(verdict: Verdict, settings: Messages, remarks: tuple[str, ...] = ()) -> str:
    """What the agent is told at the verdict's level, without the frame; `remarks` stand before the steps."""
    lines = [wording.headline(verdict), _facts(verdict), *([_SUBAGENT] if verdict.is_subagent else []), *remarks, ""]
    if caveat := wording.caveat(verdict):
        lines.append(f"{caveat}:")
    elif settings.style == "advisory":
        lines.append(_ADVICE)
    steps = wording.agent_steps(verdict, settings.summary_file)
    lines += [f"{number}. {step}" for number, step in enumerate(steps, 1)]
    return "\n".join(lines)


def remarks(verdict: Verdict, before: ReminderMemory) -> tuple[str, ...]:
    """What stands in a message once: what it takes back, and what the client's own count is not."""
    taken_back = (wording.TAKEN_BACK,) if before.has_outdated else ()
    is_first = before.told_level == 0
    return (*taken_back, *((wording.PADDED_REMINDER,) if is_first and verdict.is_padded_reminder else ()))


def saved_in(path: str) -> tuple[str, ...]:
    """Where the checkpoint of this filling lies; nothing where there is none."""
    return (f"Checkpoint saved: {path_end(path, _LONGEST_PATH)}",) if path else ()


def framed(text: str) -> str:
    """A warning, with all that is told beside it, between the two lines by which it is known in a transcript."""
    return f"{wording.OPENING}\n{text}\n{wording.CLOSING}"


def _facts(verdict: Verdict) -> str:
    """One line: what was measured, where the window ends, and how long it may last."""
    # The hour, because the client replays this text when a session is resumed.
    sampled = time.strftime("%H:%M:%S UTC", time.gmtime(verdict.reading.sampled_at))
    parts = (
        wording.in_use(verdict.reading),
        wording.to_limit(verdict),
        wording.tool_uses_text(verdict.tool_uses_left),
        f"Measured by {wording.READING_SOURCES[verdict.reading.source]} at {sampled}.",
    )
    return " ".join(part for part in parts if part)
