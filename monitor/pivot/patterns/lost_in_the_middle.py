"""Lost in the middle: the session looks up again and again what its window still holds."""

from collections.abc import Iterator

from monitor.activity.tool_calls import DONE, ToolCall, ToolCallLog
from monitor.pivot.patterns.finding import Finding, finding, sign_of
from shared.client.tools import EDIT_KINDS

NAME = "lost-in-the-middle"
_LOOK_UPS, _SPAN_TURNS = 3, 30
"""Repeated look-ups that make a sign, and the turns within which they count. One in ten healthy windows has one or two:
a document for each new task, a test's beginning as an example; and look-ups spread over a long session show no more."""
_DOUBT = 0.5
"""The factor on a look-up's weight for each good reason that it may have had."""
_AT_ONCE = 5
"""Turns after a prompt within which a new task may need the file."""
_CLOSER = 5
"""Turns within which a closer look at a part of what was just shown is one train of thought, as in all sessions that
were examined for this."""
_SOON = 5
"""Turns after a read within which an edit of its file, even a failed one, explains the read."""


def find(log: ToolCallLog) -> Finding | None:
    """Find repeated reads and searches that lead to no edit."""
    began: dict[int, int] = {}
    edits: dict[str, list[int]] = {}  # the turns in which each file was edited
    for call in log.calls:
        began.setdefault(call.prompt, call.turn)
        if call.kind in EDIT_KINDS:
            edits.setdefault(call.path, []).append(call.turn)
    again: list[ToolCall] = []
    weights: list[float] = []
    for call, before in repeats_in(log.calls):
        if not any(0 <= turn - call.turn <= _SOON for turn in edits.get(call.path, ())):
            again.append(call)
            weights.append(_DOUBT ** _reasons(call, before, began[call.prompt]))
    best: tuple[float, list[ToolCall]] = (0, [])
    start = 0
    for end, call in enumerate(again, 1):
        while call.turn - again[start].turn >= _SPAN_TURNS:
            start += 1
        best = max(best, (sum(weights[start:end]), again[start:end]), key=lambda span: span[0])
    weight, span = best
    text = f"{len(span)} times something was looked up that the window still held, and that the session had not changed"
    return finding(NAME, [sign_of(text, span, _LOOK_UPS, weight)])


def _reasons(call: ToolCall, before: ToolCall, began: int) -> int:
    """The number of good reasons for a look-up: the session's own edit, a new prompt, a closer look."""
    is_asked_for = call.prompt != before.prompt and call.turn - began <= _AT_ONCE
    is_closer = call.turn - before.turn < _CLOSER and call.fingerprint != before.fingerprint
    return before.is_edit + is_asked_for + is_closer


def repeats_in(calls: list[ToolCall]) -> Iterator[tuple[ToolCall, ToolCall]]:
    """Repeated searches, and reads of lines that only the session changed, each with the last call that had them."""
    newest: dict[int, ToolCall] = {}  # the newest look-up, by call
    reads: dict[str, list[ToolCall]] = {}  # the calls that showed a file's lines, by file
    touched: dict[str, ToolCall] = {}  # the newest read or edit, by file
    for call in calls:
        if call.is_edit:
            touched[call.path], earlier = call, reads.get(call.path, [])
            for other in earlier:
                newest.pop(other.fingerprint, None)
            reads[call.path] = [call] if call.kind == "write" else earlier
        elif call.kind == "delegate":  # a subagent may have changed any file, and its own calls are not in this log
            newest, reads, touched = {}, {}, {}
        if not (call.is_read or call.kind == "search") or call.state != DONE or not call.outcome:
            continue
        same = newest.get(call.fingerprint)
        if same is not None and (same.outcome == call.outcome or call.kind == "search"):
            yield call, same
        elif same is not None:
            reads.pop(call.path, None)  # something other than the session has changed it
        elif any(_covers(other, call) for other in reads.get(call.path, ())):
            yield call, touched[call.path]
        newest[call.fingerprint] = call
        if call.is_read:
            touched[call.path] = call
            reads.setdefault(call.path, []).append(call)


def _covers(other: ToolCall, call: ToolCall) -> bool:
    """Whether `other` showed or wrote the lines that `call` reads, and git hasn't replaced them since."""
    is_whole = other.kind == "write" or 0 < other.first <= call.first <= call.last <= other.last
    return is_whole and call.first > 0 and other.revisions == call.revisions
