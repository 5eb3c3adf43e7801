"""The words of a verdict: how full, how far to the limit, and the one step, for the agent and for the person.

Whatever says one of these things says it in these words. What else a text says lies in the room that it belongs to.
"""

from shared.levels import Level
from shared.limit import Limit
from shared.quantities import counted
from shared.reading import Reading
from shared.verdict import Verdict
from shared.window import (
    BRIDGE,
    CATALOGUE,
    CONFIG,
    COUNTDOWN,
    DEFAULT,
    LEARNED,
    MODEL,
    REQUEST,
    TOKENS,
    UNKNOWN,
    VARIABLE,
    certainty_of,
)  # fmt: skip

OPENING, CLOSING = "---CONTEXT MONITOR---", "---END CONTEXT MONITOR---"
"""Between these stands what the agent is told, and by these it is known in a transcript."""
WINDOW_SOURCES = {
    CONFIG: "your setting",
    BRIDGE: "reported by the client",
    REQUEST: "from the client's requests",
    COUNTDOWN: "from the client's token countdown",
    MODEL: "from the model's name",
    VARIABLE: "from the client's environment",
    LEARNED: "seen in earlier sessions",
    CATALOGUE: "known for this model",
    TOKENS: "assumed from the tokens in use",
    DEFAULT: "assumed",
    UNKNOWN: "unknown",
}
"""Where a window's size comes from."""
READING_SOURCES = {"bridge": "the status line", "statusline": "the status line", "transcript": "the transcript"}
"""Where the tokens come from."""
LIMIT_SOURCES = {"set": "as set", "learnt": "as seen before", "catalogue": "known for this model", "assumed": "assumed"}
"""How certain the limit is."""

_SAVE = "Save the state to {file} now: what is done, what is left, decisions, open errors."
_SAVE_REST = "Save to {file} whatever isn't saved yet."
_AGENT: dict[Level, tuple[str, ...]] = {
    Level.WARNING: (
        "Finish what you are doing.",
        "Don't start anything large.",
        "Update {file}: what is done, what is left, and what to do next.",
    ),
    Level.CRITICAL: (_SAVE, "Then go on in small steps."),
    Level.EXHAUSTED: (_SAVE_REST, "Finish only the step you are on."),
}
_AGENT_AT_THE_END = _AGENT | {
    Level.CRITICAL: (_SAVE, "End the task at a good point, and tell the user what is left."),
    Level.EXHAUSTED: (_SAVE_REST, "Then stop, and tell the user how to continue: run `tidegauge resume`."),
}
_SUBAGENT: dict[Level, tuple[str, ...]] = {
    Level.WARNING: (
        "Finish what you are doing, and don't start anything large.",
        "Collect your findings with file paths, ready to return to your caller.",
    ),
    Level.CRITICAL: ("Write down your findings so far, with file paths.", "Then go on in small steps."),
    Level.EXHAUSTED: (
        "Write down whatever findings aren't written down yet.",
        "Finish only the step you are on, then return what you have to your caller.",
    ),
}
_SUBAGENT_AT_THE_END = _SUBAGENT | {
    Level.CRITICAL: ("Return to your caller soon: what you found, what is missing, and where to go on.",),
    Level.EXHAUSTED: ("Return what you have to your caller now, and say what is missing.",),
}
_PERSON = {
    Level.NORMAL: "Nothing to do.",
    Level.WARNING: "Some room is left: plan the next step.",
    Level.CRITICAL: "Compaction is near. Let it happen, or continue in a new session.",
    Level.EXHAUSTED: "Compaction is next. To continue in a new session instead, run: tidegauge resume",
}
_PERSON_AT_THE_END = _PERSON | {
    Level.CRITICAL: "The session ends soon. Continue in a new one when the current step is done.",
    Level.EXHAUSTED: "The session ends here. To continue in a new one, run: tidegauge resume",
}


RESUMPTION = "resumption-context"
"""The tag of the text by which a session takes up its own work: what it told, the client records."""
LACKING = "Facts that the summary lacks: "
"""Before their number, in the resumption that follows a compaction: the history keeps it."""
TAKEN_BACK = "Context window figures given before this no longer hold."
"""Of what was told before a compaction, a rewind or a switch to a larger window, and still stands in the context."""
PADDED_REMINDER = "The <total_tokens> count you see is a budget for the whole session, not this window's."
"""Since 2.1.231 the client tells its models such a number with each prompt and tool result (client-facts.md)."""


def caveat(verdict: Verdict) -> str:
    """Why the steps are advice alone; empty where the figures are facts."""
    if verdict.is_certain:
        return ""
    if verdict.used is None:
        what = "The window's size is unknown"
    elif certainty_of(verdict.reading.window_source) == "assumed":
        what = "The window's size is assumed"
    else:
        what = "Where the window ends is assumed"
    return f"{what}, so take this as advice"


def headline(verdict: Verdict) -> str:
    """The message's first line: `CONTEXT WINDOW CRITICAL — 24% remaining (76% used).`."""
    if verdict.used is None:
        return f"CONTEXT WINDOW {verdict.level.name} — {verdict.reading.tokens:,} tokens used, window size unknown."
    return f"CONTEXT WINDOW {verdict.level.name} — {verdict.remaining}% remaining ({verdict.used}% used)."


def in_use(reading: Reading) -> str:
    """`152,000 of 200,000 tokens in use (window size: reported by the client).`; empty without both numbers."""
    if reading.tokens is None or reading.window is None:
        return ""
    source = WINDOW_SOURCES.get(reading.window_source, reading.window_source)
    return f"{reading.tokens:,} of {reading.window:,} tokens in use (window size: {source})."


def to_limit(verdict: Verdict) -> str:
    """What happens at the limit, and how certain that is; empty while the window's size is unknown."""
    limit = verdict.limit
    if limit is None:
        return ""
    certainty = LIMIT_SOURCES[limit.certainty]
    if not limit.is_compacted:
        return f"Automatic compaction is off: the session ends at {limit.tokens:,} ({certainty})."
    if limit.tokens == verdict.reading.window:
        return f"The client compacts once the window is full ({certainty})."
    return f"The client compacts at {limit.tokens:,} ({certainty})."


def tool_uses_text(left: int | None) -> str:
    """`About 6 tool uses left.`; empty without a forecast."""
    if left is None:
        return ""
    if left == 0:
        return "At the recent pace the next tool use may not fit."
    return f"About {counted(left, 'tool use')} left."


def agent_steps(verdict: Verdict, summary_file: str) -> tuple[str, ...]:
    """What the agent is asked to do, in order; nothing at NORMAL."""
    if verdict.level is Level.NORMAL:
        return ()
    if verdict.used is None:
        saved = "your findings so far" if verdict.is_subagent else f"the state to {summary_file}"
        return (f"Save {saved}, in case the window ends soon.",)
    if verdict.is_subagent:
        table = _SUBAGENT if verdict.goes_on else _SUBAGENT_AT_THE_END
    else:
        table = _AGENT if verdict.goes_on else _AGENT_AT_THE_END
    return tuple(step.format(file=summary_file) for step in table[verdict.level])


def person_step(verdict: Verdict) -> str:
    """What the person can do, in one line."""
    return (_PERSON if verdict.goes_on else _PERSON_AT_THE_END)[verdict.level]


def limit_word(limit: Limit) -> str:
    """How certain the limit is, in the one word that the line has room for."""
    return limit.certainty
