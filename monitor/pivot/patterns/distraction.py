"""Distraction: a window full of results that newer ones have replaced."""

from monitor.activity.tool_calls import DONE, FAILED, ToolCall, ToolCallLog
from monitor.pivot.patterns.finding import Finding, finding, sign_of

NAME = "distraction"
_SHARE = 0.25
"""The share of the window in old results that nothing needs: a compaction would free it without a loss."""
_FEWEST_TOKENS = 5_000
"""Tokens below which such results are no burden, whatever their share."""
_OLD = 10
"""Turns after which a result is old: its purpose is fulfilled or abandoned."""
_BEFORE_EDIT = "read before it was edited"
_NEEDED = frozenset({"", _BEFORE_EDIT})
"""Reasons that don't count: an edit changes a part of a file, and the rest of what was read still holds."""


def find(log: ToolCallLog) -> Finding | None:
    """Find old results that newer ones have replaced.

    The finding doesn't count: 238 real sessions had none, and the nearest case holds a sixth of its window.
    """
    reasons = stale_reasons(log.calls)
    stale = [call for call in log.calls if log.turns - call.turn >= _OLD and reasons.get(id(call), "") not in _NEEDED]
    tokens = sum(call.tokens for call in stale)
    share = tokens / max(log.window_tokens, tokens) if tokens >= _FEWEST_TOKENS else 0
    text = f"about {tokens:,} tokens, {share:.0%} of the window, are old results that newer ones have overtaken"
    return finding(NAME, [sign_of(text, stale, _SHARE, share)], counts=False)


def stale_reasons(calls: list[ToolCall]) -> dict[int, str]:
    """The reasons why results are no longer true or needed, by the identity of their calls."""
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
