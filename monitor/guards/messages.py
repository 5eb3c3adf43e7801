"""Every sentence of the guards: what is held back, why, and what to do instead."""

from shared.client import client
from shared.gauge.levels import Level
from shared.gauge.verdict import Verdict
from shared.gauge.window import Reading


def ceiling(tool: str, name: str, reading: Reading, percentage: int, *, is_blocked: bool) -> str:
    used = f"{reading.tokens:,} tokens are" if reading.used is None else f"{reading.used}% of the context window is"
    what = f"{tool} {name}".strip()
    facts = f"{used} used (ceiling: {percentage}%). {what}"
    if is_blocked:
        return f"{facts} is blocked: make room first, for example by /compact."
    brings = "its instructions enter this window" if tool == client.SKILL else "only its result enters this window"
    return f"{facts} is loaded all the same: {brings}."


def ignored(path: str, rule: str, source: str, allow: str) -> str:
    return (
        f"Blocked: {path} matches the rule `{rule}` of {source}, which keeps it out of the context window."
        " Read the project's own sources or its documentation instead."
        f" If this file is really needed, ask the user; the line `!{path}` in {allow} lets it through."
    )


def budget(caller: Verdict) -> str:
    used = "" if caller.used is None else f" is {caller.used}% used"
    level = "" if caller.level is Level.NORMAL else f" ({caller.level.name})"
    left, end = caller.tokens_left, "it is compacted" if caller.goes_on else "the session ends"
    room = "" if left is None else f", with {f'about {left:,} tokens' if left else 'no room'} left before {end}"
    return f"Your caller's context window{used}{level}{room}. A short answer is best: conclusions and file paths."
