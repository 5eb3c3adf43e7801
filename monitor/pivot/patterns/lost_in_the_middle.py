"""Lost in the middle: what the window still holds is looked up again and again."""

from monitor.activity.tool_calls import ToolCallLog
from monitor.pivot.patterns.finding import Finding, finding, sign_of
from monitor.pivot.patterns.repeats import Repeat, repeats_in

NAME = "lost-in-the-middle"
_LOOK_UPS, _SPAN_TURNS = 3, 30
"""The look-ups that count, and the turns they lie within. One or two happen in one of ten healthy windows: a document
for each new task, a test's beginning as an example; and what is scattered over a long session shows no more."""
_DOUBT = 0.5
"""What is left of a look-up for each good reason that it may have had."""
_AT_ONCE = 5
"""Turns after a prompt within which it may be another task that asks for the file."""
_CLOSER = 5
"""Turns within which a part of what has just been shown is looked at more closely: one train of thought, in all the
sessions that were read for this."""


def find(log: ToolCallLog) -> Finding | None:
    """Files and searches that were shown before, and that lead to no edit."""
    again = [repeat for repeat in repeats_in(log.calls) if not repeat.is_for_edit]
    began: dict[int, int] = {}
    for call in log.calls:
        began.setdefault(call.prompt, call.turn)
    weights = [_DOUBT ** _reasons(repeat, began) for repeat in again]
    best: tuple[float, list[Repeat]] = (0, [])
    start = 0
    for end, repeat in enumerate(again):
        while repeat.call.turn - again[start].call.turn >= _SPAN_TURNS:
            start += 1
        best = max(best, (sum(weights[start : end + 1]), again[start : end + 1]), key=lambda span: span[0])
    weight, span = best
    text = f"{len(span)} times something was looked up that the window still held, and that the session had not changed"
    return finding(NAME, [sign_of(text, [repeat.call for repeat in span], _LOOK_UPS, weight)])


def _reasons(repeat: Repeat, began: dict[int, int]) -> int:
    """How many good reasons it may have had: the session's own edit, a new prompt, a closer look."""
    call, before = repeat.call, repeat.before
    is_asked_for = call.prompt != before.prompt and call.turn - began[call.prompt] <= _AT_ONCE
    is_closer = call.turn - before.turn < _CLOSER and not repeat.is_same_call
    return before.is_edit + is_asked_for + is_closer
