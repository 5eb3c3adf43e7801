"""Lost in the middle: what the window still holds is looked up again and again."""

from monitor.activity.tool_calls import ToolCallLog
from monitor.pivot.patterns.finding import Evidence, Finding, Sign, finding, most_frequent
from monitor.pivot.patterns.repeats import GAP, Repeat, repeats_in

NAME = "lost-in-the-middle"
_LOOK_UPS = 3
"""One or two happen in one of ten healthy windows: a document for each new task, a test's beginning as an example."""
_IN_DOUBT, _AT_ONCE = 0.5, 5
"""What one counts that follows a prompt within so many turns, as it may well be another task; and one of a file that
the session has edited since, as it may be a check."""


def find(log: ToolCallLog) -> Finding | None:
    """Files and searches that were shown turns before, and that lead to no edit."""
    again = [repeat for repeat in repeats_in(log.calls) if repeat.gap >= GAP and not repeat.is_for_edit]
    if not again:
        return None
    began: dict[int, int] = {}
    for call in log.calls:
        began.setdefault(call.prompt, call.turn)
    weight = sum(_IN_DOUBT if repeat.before.is_edit or _is_asked_for(repeat, began) else 1 for repeat in again)
    calls = [repeat.call for repeat in again]
    text = (
        f"{len(again)} times something was looked up that the window still held, {GAP} turns or more after it was"
        " last shown, and that the session had not changed"
    )
    evidence = Evidence(text, len(again), (calls[0].turn, calls[-1].turn), most_frequent([s.path for s in calls]))
    return finding(NAME, [Sign(weight, _LOOK_UPS, evidence)])


def _is_asked_for(repeat: Repeat, began: dict[int, int]) -> bool:
    call, before, _ = repeat
    return call.prompt != before.prompt and call.turn - began[call.prompt] <= _AT_ONCE
