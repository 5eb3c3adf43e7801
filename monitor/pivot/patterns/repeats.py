"""Repeats: what was looked up before is looked up again, although the window still holds it."""

from collections.abc import Iterator
from typing import NamedTuple

from monitor.activity.tool_calls import DONE, ToolCall
from shared.client.tools import EDIT_KINDS

_SOON = 5
"""Turns after a read within which an edit of its file, be it a failed one, shows what it was read for."""


class Repeat(NamedTuple):
    """One look-up of what the window held."""

    call: ToolCall
    before: ToolCall
    """The newest look-up that had shown it, or the session's own edit of it since."""
    is_same_call: bool
    """Whether the very same call had shown it, and not one that showed more."""
    is_for_edit: bool
    """Whether the file is edited soon after: that is what it was read for."""


def repeats_in(calls: list[ToolCall]) -> Iterator[Repeat]:
    """Each search that was made before, and each read of lines that nobody but the session has changed since."""
    edits = _turns_of_edits(calls)
    earlier = _ShownLines()
    for call in calls:
        if call.is_edit:
            earlier.edited(call)
        elif call.kind == "delegate":
            earlier = _ShownLines()  # a subagent may have changed any file, and its own calls are not in this log
        if not (call.is_read or call.kind == "search") or call.state != DONE or not call.outcome:
            continue
        before = earlier.before(call)
        if before is not None:
            is_for_edit = any(0 <= turn - call.turn <= _SOON for turn in edits.get(call.path, ()))
            yield Repeat(call, before, before.fingerprint == call.fingerprint, is_for_edit)
        earlier.shown(call)


class _ShownLines:
    """What the window holds of files and searches."""

    def __init__(self) -> None:
        self._newest: dict[int, ToolCall] = {}
        """The newest look-up, by call."""
        self._reads: dict[str, list[ToolCall]] = {}
        """The calls that showed a file's lines, by file."""
        self._touched: dict[str, ToolCall] = {}
        """The newest read or edit, by file."""

    def edited(self, call: ToolCall) -> None:
        self._touched[call.path] = call
        for other in self._reads.get(call.path, ()):
            self._newest.pop(other.fingerprint, None)
        if call.kind == "write":
            self._reads[call.path] = [call]

    def shown(self, call: ToolCall) -> None:
        self._newest[call.fingerprint] = call
        if call.is_read:
            self._touched[call.path] = call
            self._reads.setdefault(call.path, []).append(call)

    def before(self, call: ToolCall) -> ToolCall | None:
        """What had shown the same; None when nothing had, or it was changed since."""
        same = self._newest.get(call.fingerprint)
        if same is not None and (same.outcome == call.outcome or call.kind == "search"):
            return same
        if same is not None:
            self._reads.pop(call.path, None)  # something else than the session has changed it
            return None
        is_shown = any(_covers(other, call) for other in self._reads.get(call.path, ()))
        return self._touched[call.path] if is_shown else None


def _covers(other: ToolCall, call: ToolCall) -> bool:
    """Whether `other` showed or wrote the lines that `call` reads, and git has put nothing else there since."""
    is_whole = other.kind == "write" or 0 < other.first <= call.first <= call.last <= other.last
    return is_whole and call.first > 0 and other.revisions == call.revisions


def _turns_of_edits(calls: list[ToolCall]) -> dict[str, list[int]]:
    turns: dict[str, list[int]] = {}
    for call in calls:
        if call.kind in EDIT_KINDS:
            turns.setdefault(call.path, []).append(call.turn)
    return turns
