"""Distraction: a window full of what no longer counts, as a newer result has taken its place."""

from monitor.activity.tool_calls import DONE, FAILED, ToolCall, ToolCallLog
from monitor.pivot.patterns.finding import Finding, finding, sign_of

NAME = "distraction"
_SHARE = 0.25
"""The part of the window that old results hold which nothing needs: what a compaction would win, for nothing lost."""
_FEWEST_TOKENS = 5_000
"""Below which they are no burden, whatever part of the window they hold."""
_OLD = 10
"""Turns after which a result is old: what it was looked up for is done, or was given up."""
_BEFORE_EDIT = "read before it was edited"
_NEEDED = frozenset({"", _BEFORE_EDIT})
"""An edit changes a part of a file, and the rest of what was read of it still holds."""


def find(log: ToolCallLog) -> Finding | None:
    """Find old results that a newer one has overtaken.

    It doesn't count: in 238 real sessions nothing was found, and what comes nearest holds a sixth of its window.
    """
    reasons = overtaken(log.calls)
    stale = [call for call in log.calls if log.turns - call.turn >= _OLD and reasons.get(id(call), "") not in _NEEDED]
    tokens = sum(call.tokens for call in stale)
    share = tokens / max(log.window_tokens, tokens) if tokens >= _FEWEST_TOKENS else 0
    text = f"about {tokens:,} tokens, {share:.0%} of the window, are old results that newer ones have overtaken"
    return finding(NAME, [sign_of(text, stale, _SHARE, share)], counts=False)


def overtaken(calls: list[ToolCall]) -> dict[int, str]:
    """Why the results that are no longer true, or no longer needed, are so; by the identity of their call."""
    reasons: dict[int, str] = {}
    changed, read = set[str](), set[str]()  # files that were edited, or read whole, later
    again: set[int] = set()  # calls that were made again later
    for call in reversed(calls):
        if (call.is_read and call.path in read) or (call.kind == "part" and call.fingerprint in again):
            reasons[id(call)] = "read again since"
        elif call.is_read and call.path in changed:
            reasons[id(call)] = _BEFORE_EDIT
        elif call.state == FAILED and call.fingerprint in again:
            reasons[id(call)] = "failed calls that were made again"
        elif call.kind in {"command", "search"} and call.fingerprint in again:
            reasons[id(call)] = "run again since"
        if call.is_edit:
            changed.add(call.path)
        if call.kind == "read" and call.state == DONE:
            read.add(call.path)
        again.add(call.fingerprint)
    return reasons
