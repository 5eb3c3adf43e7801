"""The message that the agent reads with a tool result, and its frame."""

import time

from shared.gauge import wording
from shared.gauge.verdict import Verdict
from shared.settings.config import Messages
from shared.text.plain import path_end

_SUBAGENT = "This is your own window, not your caller's."
_LONGEST_PATH = 120
_ADVICE = "Suggestions; the user's instructions take precedence:"


def context_warning(
    verdict: Verdict, settings: Messages, remarks: tuple[str, ...] = (), command: str = wording.RESUME
) -> str:
    """The message for the agent at the verdict's level, without the frame; `remarks` stand before the steps.

    `command` continues in a new session.
    """
    lines = [wording.headline(verdict), _facts(verdict), *([_SUBAGENT] if verdict.is_subagent else []), *remarks, ""]
    if caveat := wording.caveat(verdict):
        lines.append(f"{caveat}:")
    elif settings.style == "advisory":
        lines.append(_ADVICE)
    steps = wording.agent_steps(verdict, settings.summary_file, command)
    lines += [f"{number}. {step}" for number, step in enumerate(steps, 1)]
    return "\n".join(lines)


def remarks(verdict: Verdict, *, takes_back: bool, is_first: bool) -> tuple[str, ...]:
    """What stands in a message once: what it takes back, and what the client's own count is not."""
    retraction = (wording.RETRACTION,) if takes_back else ()
    return (*retraction, *((wording.PADDED_REMINDER,) if is_first and verdict.is_padded_reminder else ()))


def saved_in(path: str) -> tuple[str, ...]:
    """Where the checkpoint of this window cycle lies; nothing where there is none."""
    return (f"Checkpoint saved: {path_end(path, _LONGEST_PATH)}",) if path else ()


def framed(text: str) -> str:
    """A warning, with the sentences that come with it, between the two lines by which it is known in a transcript."""
    return f"{wording.OPENING}\n{text}\n{wording.CLOSING}"


def _facts(verdict: Verdict) -> str:
    """One line: what was measured, where the window ends, and how long it may last."""
    # The hour, because the client replays this text when a session is resumed.
    sampled = time.strftime("%H:%M:%S UTC", time.gmtime(verdict.reading.sampled_at))
    parts = (
        wording.in_use(verdict.reading),
        wording.to_limit(verdict),
        wording.forecast(verdict),
        f"Measured by {wording.READING_SOURCES[verdict.reading.source]} at {sampled}.",
    )
    return " ".join(part for part in parts if part)
