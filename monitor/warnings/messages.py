"""Every sentence that the agent reads: fact, consequence, next step. Numbers and fixed words of ours only."""

import time

from shared import window
from shared.config import Messages
from shared.levels import Level
from shared.reading import Reading, percent_text

OPENING, CLOSING = "---CONTEXT MONITOR---", "---END CONTEXT MONITOR---"

STEPS = {
    Level.WARNING: (
        "Finish the action that you are in the middle of: the edit or the test you have started.",
        "Begin nothing new: no further task, no new files to change.",
        "Update {file}: what is done, what is left, and what the next session has to know.",
        "Tell the user that the context window is running low and that a fresh session should follow this task.",
    ),
    Level.CRITICAL: (
        "Complete only the single operation that is under way, then stop.",
        "Save the state to {file}: work done, work left, next steps, file paths and errors that matter.",
        "Tell the user that this session must end now, with a summary of what was achieved and what remains.",
        "After that, call tools only if the user asks you to.",
    ),
    Level.EXHAUSTED: (
        "Make no more tool calls.",
        "Write the user a summary of the session's state now, with everything that {file} does not hold yet.",
    ),
}
SUBAGENT_STEPS = {
    Level.WARNING: (
        "Finish the action that you are in the middle of and begin nothing new.",
        "Prepare to return: gather what you have found for your caller, with file paths.",
    ),
    Level.CRITICAL: (
        "Complete only the single operation that is under way, then stop.",
        "Return to your caller now: what you have, what is missing, and where to go on.",
    ),
    Level.EXHAUSTED: (
        "Make no more tool calls.",
        "Return what you have to your caller now, and say what is missing.",
    ),
}
_ADVICE = "The steps below are recommended; the user's own instructions decide."
DIRECTION = {
    Level.WARNING: "Take these steps in order:",
    Level.CRITICAL: "This comes before your current task. Take these steps now:",
    Level.EXHAUSTED: "This comes before your current task. There is no room to go on:",
}
_SUBAGENT = "This is about your own window as a subagent, not your caller's."
WINDOW_SOURCES = {
    window.CONFIG: "the user's setting",
    window.BRIDGE: "as the client reports it",
    window.REQUEST: "from the client's requests",
    window.COUNTDOWN: "from the client's own count",
    window.VARIABLE: "from the client's environment",
    window.CATALOGUE: "as known of this model",
    window.UNKNOWN: "unknown",
    window.MODEL: "from the model's name",
    window.LEARNED: "as seen in earlier sessions",
    window.TOKENS: "the larger one, as the tokens show",
    window.DEFAULT: "assumed",
}
_TOKEN_SOURCES = {"bridge": "the status line", "transcript": "the transcript", "statusline": "the status line"}


def context_warning(
    level: Level,
    reading: Reading,
    settings: Messages,
    *,
    tool_uses_left: int | None = None,
    compaction_at: int | None = None,
    is_subagent: bool = False,
) -> str:
    """What the agent is told at `level`, without the frame."""
    steps = (SUBAGENT_STEPS if is_subagent else STEPS)[level]
    lines = [
        f"CONTEXT WINDOW {level.name} — {percent_text(reading.remaining or 0)}% remaining.",
        _facts(reading, tool_uses_left, compaction_at),
        *([_SUBAGENT] if is_subagent else []),
        "",
        _ADVICE if settings.style == "advisory" else DIRECTION[level],
        *(f"{n}. {step.format(file=settings.summary_file)}" for n, step in enumerate(steps, 1)),
    ]
    return "\n".join(lines)


def framed(text: str) -> str:
    """A warning, with all that is told beside it, between the two lines by which it is known in a transcript."""
    return f"{OPENING}\n{text}\n{CLOSING}"


def _facts(reading: Reading, tool_uses_left: int | None, compaction_at: int | None) -> str:
    """One line: what was measured, where it comes from, and how long it may last."""
    source = _TOKEN_SOURCES.get(reading.source, reading.source)
    # The hour, because the client replays this text when a session is resumed.
    sampled = time.strftime("%H:%M:%S UTC", time.gmtime(reading.sampled_at))
    facts = [f"Measured by {source} at {sampled}."]
    if reading.tokens is not None and reading.window is not None:
        size = f"{reading.window:,} tokens in use (window size: {WINDOW_SOURCES[reading.window_source]})."
        facts.insert(0, f"{reading.tokens:,} of {size}")
    if tool_uses_left == 0:
        facts.append("At the recent pace the next tool use may not fit any more.")
    elif tool_uses_left is not None:
        uses = "1 tool use" if tool_uses_left == 1 else f"{tool_uses_left} tool uses"
        facts.append(f"About {uses} left at the recent pace.")
    if compaction_at is not None:
        facts.append(f"The client may compact by itself near {compaction_at:,} tokens (an estimate).")
    return " ".join(facts)
