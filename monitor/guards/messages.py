"""Every sentence of the guards: what is held back, why, and what to do instead."""

from shared import wording
from shared.levels import Level
from shared.reading import Reading
from shared.verdict import Verdict


def ceiling(tool: str, name: str, reading: Reading, percentage: int, *, is_blocked: bool) -> str:
    """The message on loading a capability at or above the ceiling of `percentage`."""
    what = f"{tool} {name}".strip()
    outcome = f"{what} is blocked" if is_blocked else f"{what} adds to a window that is over its ceiling"
    used = f"{reading.tokens:,} tokens used, window size unknown."
    if reading.used is not None:
        used = f"{reading.used}% used: {wording.in_use(reading)}"
    return (
        f"Context ceiling ({percentage}%): {used} {outcome}. {'Make' if is_blocked else 'Consider making'}"
        " room first: summarise finished work, or have the user run /compact; then load only what the next step needs."
        " DEV_TEAM_CONTEXT_CEILING_PCT moves the ceiling, DEV_TEAM_CONTEXT_WINDOW names the window's size,"
        " DEV_TEAM_CONTEXT_STRICT=on blocks, DEV_TEAM_CONTEXT_CEILING=off switches the guard off."
    )


def ignored(path: str, rule: str, source: str, allow: str) -> str:
    """The message on reading what an ignore rule keeps out of the window."""
    return (
        f"Blocked: {path} matches the rule `{rule}` of {source}, which keeps it out of the context window."
        " Read the project's own sources or its documentation instead."
        f" If this file is really needed, ask the user; the line `!{path}` in {allow} lets it through."
    )


def budget(caller: Verdict) -> str:
    """The message to a subagent whose caller has little room for its answer."""
    used = "" if caller.used is None else f" is {caller.used}% used"
    level = "" if caller.level is Level.NORMAL else f" ({caller.level.name})"
    end = "it is compacted" if caller.goes_on else "the session ends"
    room = "" if caller.tokens_left is None else f", with about {caller.tokens_left:,} tokens left before {end}"
    return f"Your caller's context window{used}{level}{room}. A short answer is best: conclusions and file paths."
