"""The words that all texts on a verdict share: how full, how far to the limit, and the agent's or person's step."""

from shared.client.models import LONG, STANDARD
from shared.gauge.levels import Level
from shared.gauge.verdict import Verdict
from shared.gauge.window import Reading, WindowSource
from shared.text.quantities import counted, tokens_text

OPENING, CLOSING = "---CONTEXT MONITOR---", "---END CONTEXT MONITOR---"
"""The lines around the agent's messages, which identify them in a transcript."""
WINDOW_SOURCES: dict[str, str] = {
    WindowSource.CONFIG: "your setting",
    WindowSource.BRIDGE: "reported by the client",
    WindowSource.REQUEST: "from the client's requests",
    WindowSource.COUNTDOWN: "from the client's token countdown",
    WindowSource.MODEL: "from the model's name",
    WindowSource.VARIABLE: "from the client's environment",
    WindowSource.LEARNED: "seen in earlier sessions",
    WindowSource.CATALOGUE: "known for this model",
    WindowSource.TOKENS: "assumed from the tokens in use",
    WindowSource.DEFAULT: "assumed",
    WindowSource.UNKNOWN: "unknown",
}
"""The source of a window's size, in words."""
READING_SOURCES = {"bridge": "the status line", "statusline": "the status line", "transcript": "the transcript"}
"""The source of the tokens, in words."""
LIMIT_SOURCES = {"set": "as set", "learnt": "as seen before", "catalogue": "known for this model", "assumed": "assumed"}
"""How certain the limit is."""

_SAVE = "Save the state to {file} now: what is done, what is left, decisions, open errors."
_SAVE_REST = "Save to {file} whatever isn't saved yet."
_AGENT: dict[Level, tuple[str, ...]] = {
    Level.WARNING: (
        "Finish what is under way; start nothing that needs more than {room}.",
        "Update {file}: what is done, what is left, what to do next.",
    ),
    Level.CRITICAL: (_SAVE, "Then go on in small steps."),
    Level.EXHAUSTED: (_SAVE_REST, "Finish only the step you are on."),
}
_AGENT_AT_THE_END = _AGENT | {
    Level.CRITICAL: (_SAVE, "End the task at a good point, and tell the user what is left."),
    Level.EXHAUSTED: (_SAVE_REST, "Then stop, and tell the user how to continue: `{command}`, in a terminal."),
}
_SUBAGENT: dict[Level, tuple[str, ...]] = {
    Level.WARNING: (
        "Finish what is under way; start nothing that needs more than {room}.",
        "Collect your findings, with file paths, for your caller.",
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
    Level.NORMAL: "Enough room: carry on.",
    Level.WARNING: "{distance}: carry on.",
    Level.CRITICAL: "{distance}: let it happen, or continue in a new session.",
    Level.EXHAUSTED: "{distance}. To continue in a new session instead, run in a terminal: {command}",
}
_PERSON_AT_THE_END = _PERSON | {
    Level.WARNING: "{distance}: plan the next step.",
    Level.CRITICAL: "{distance}: continue in a new session when the current step is done.",
    Level.EXHAUSTED: "{distance}. To continue in a new session, run in a terminal: {command}",
}
_FEW_USES = 5
"""Tool uses left at which nobody is told to carry on any more: one large result counts for several of them."""
_MANY_USES = 30
"""Tool uses left above which the tokens are named instead, since the number is no useful bound."""
RESUME = "tidegauge resume N"
"""The terminal command that continues in a new session; texts that know the checkpoint and our path are more exact."""

RESUMPTION = "resumption-context"
"""The tag of the text with which a session resumes its own work; the client records that text."""
RETRACTION = "Context window figures from before this message no longer hold."
"""Retracts figures in the context from before a compaction, a rewind or a switch to a larger window."""
PADDED_REMINDER = "The <total_tokens> count you see is a budget for the whole session, not this window's."
"""Corrects the client's number in each tool result (docs/client.md, "What models are told of tokens")."""


def caveat(verdict: Verdict) -> str:
    """The reason why the steps are only advice; empty if the figures are facts."""
    if verdict.is_certain:
        return ""
    if verdict.used is None:
        what = "The window's size is unknown"
    elif verdict.reading.window_source.certainty == "assumed":
        what = "The window's size is assumed"
        if verdict.reading.window == STANDARD:
            what += f" and may be {LONG:,}"
    else:
        what = "Where the window ends is assumed"
    return f"{what}, so this is advice"


def headline(verdict: Verdict) -> str:
    """The message's first line: `CONTEXT WINDOW CRITICAL — 24% remaining (76% used).`."""
    if verdict.used is None:
        return f"CONTEXT WINDOW {verdict.level.name} — {verdict.reading.tokens:,} tokens used, window size unknown."
    return f"CONTEXT WINDOW {verdict.level.name} — {verdict.remaining}% remaining ({verdict.used}% used)."


def in_use(reading: Reading) -> str:
    """`152,000 of 200,000 tokens in use (window size: reported by the client).`; empty without both numbers."""
    if reading.tokens is None or reading.window is None:
        return ""
    source = WINDOW_SOURCES[reading.window_source]
    return f"{reading.tokens:,} of {reading.window:,} tokens in use (window size: {source})."


def to_limit(verdict: Verdict) -> str:
    """`2,600 tokens until the client compacts at 167,000 (known for this model).`; empty if the size is unknown."""
    limit, tokens = verdict.limit, verdict.tokens_left
    if limit is None:
        return ""
    certainty = LIMIT_SOURCES[limit.certainty]
    if tokens == 0:
        if limit.is_compacted:
            return f"Compaction is due: the limit of {limit.tokens:,} is reached ({certainty})."
        return f"The window ends here, at {limit.tokens:,}: automatic compaction is off ({certainty})."
    if not limit.is_compacted:
        what = f"the window ends at {limit.tokens:,}: automatic compaction is off"
    elif limit.tokens == verdict.reading.window:
        what = "the window is full and the client compacts"
    else:
        what = f"the client compacts at {limit.tokens:,}"
    text = what[0].upper() + what[1:] if tokens is None else f"{tokens:,} tokens until {what}"
    return f"{text} ({certainty})."


def forecast(verdict: Verdict) -> str:
    """`About 6 tool uses left.`; empty without a forecast."""
    uses = verdict.tool_uses_left
    if uses is None:
        return ""
    if uses == 0:
        outcome = "will probably trigger the compaction" if verdict.continues else "may not fit"
        return f"At the recent pace the next tool use {outcome}."
    return f"About {counted(uses, 'tool use')} left."


def agent_steps(verdict: Verdict, summary_file: str, command: str = RESUME) -> tuple[str, ...]:
    """The agent's steps, in order; none at NORMAL. `command` continues in a new session."""
    if verdict.level is Level.NORMAL:
        return ()
    if verdict.used is None:
        saved = "your findings so far" if verdict.is_subagent else f"the state to {summary_file}"
        return (f"Save {saved}, in case the window ends soon.",)
    if verdict.is_subagent:
        table = _SUBAGENT if verdict.continues else _SUBAGENT_AT_THE_END
    else:
        table = _AGENT if verdict.continues else _AGENT_AT_THE_END
    return tuple(step.format(file=summary_file, room=_room(verdict), command=command) for step in table[verdict.level])


def _room(verdict: Verdict) -> str:
    """The room left, as a bound for what the agent may begin."""
    if verdict.tool_uses_left and verdict.tool_uses_left <= _MANY_USES:
        return counted(verdict.tool_uses_left, "tool use")
    return f"{verdict.tokens_left:,} tokens" if verdict.tokens_left else "a few steps"


def person_step(verdict: Verdict, command: str = RESUME) -> str:
    """The person's next step, in one line; `command` continues in a new session."""
    if verdict.used is None:
        return "The window's size is unknown. To name it: tidegauge config set window.size TOKENS"
    level, uses = verdict.level, verdict.tool_uses_left
    is_near = uses is not None and uses <= _FEW_USES
    if Level.NORMAL < level < Level.CRITICAL and is_near and verdict.continues:
        level = Level.CRITICAL
    text = (_PERSON if verdict.continues else _PERSON_AT_THE_END)[level]
    return text.format(distance=_distance(verdict, uses if is_near else None), command=command)


def _distance(verdict: Verdict, uses: int | None) -> str:
    """`25k tokens until compaction`, with the tool uses left if there are few."""
    tokens = verdict.tokens_left
    if tokens is None:
        return "Compaction is near" if verdict.continues else "The window ends soon"
    if tokens == 0:
        return "Compaction is due" if verdict.continues else "The window ends here"
    room = f"{tokens_text(tokens)} tokens"
    if uses:
        room += f", about {counted(uses, 'tool use')},"
    return f"{room} until {'compaction' if verdict.continues else 'the window ends'}"
