"""Clash: edits that contradict each other, with no word of the person's between them."""

from typing import NamedTuple

from monitor.activity import fingerprint
from monitor.activity.tool_calls import ToolCall, ToolCallLog
from monitor.pivot.patterns.finding import Evidence, Finding, Sign, finding, most_frequent
from monitor.pivot.patterns.versions import MOST_EDITS, Stretch, rows_of_versions, stretch_of

NAME = "clash"
_TURNS_BACK = 3
"""After one prompt. One is an attempt that was given up; with two a change is taken out and put in again to see what it
does, or to have its test fail first. Both are good work."""
_THROWN_AWAY = 1
"""Times that git threw away edits of the session's own. Nobody does so who knows what he has written."""
_FREE_VERSIONS = 3
"""How many versions of the same lines are nothing but work; each one more counts as a turn back."""


class _Undoing(NamedTuple):
    """An edit, and the turn of the newest edit that it undoes."""

    call: ToolCall
    undone: int


def find(log: ToolCallLog) -> Finding | None:
    """Lines that are brought back after they were taken away, edits that are written over or thrown away, ever new
    versions.

    Only what followed the same prompt and the same commit is compared: what a person orders back is no clash, and
    neither is what is taken out to be committed by itself.
    """
    undoing: dict[Stretch, list[_Undoing]] = {}
    edits: dict[Stretch, list[ToolCall]] = {}
    prompts: dict[int, int] = {}
    """By turn, the prompt that its edits followed."""
    thrown: list[ToolCall] = []
    for call in log.calls:
        if call.by_git and call.is_done and prompts.get(call.discards) == call.prompt:
            thrown.append(call)
        if call.by_git or not (call.is_edit or (call.discards and call.is_done)):
            continue
        before = edits.setdefault(stretch_of(call), [])
        undone = next((other.turn for other in reversed(before) if other.turn == call.discards), 0)
        if undone := undone or _undone_by(call, before):
            undoing.setdefault(stretch_of(call), []).append(_Undoing(call, undone))
        before.append(call)
        del before[:-MOST_EDITS]
        prompts[call.turn] = call.prompt
    signs = [_thrown_away(thrown), _turning_back(undoing), _restless(log.calls)]
    return finding(NAME, [sign for sign in signs if sign is not None])


def _thrown_away(thrown: list[ToolCall]) -> Sign | None:
    if not thrown:
        return None
    often = f"{len(thrown)} times " if len(thrown) > 1 else ""
    text = f"{often}git threw away what the session had written, unasked"
    return Sign(len(thrown), _THROWN_AWAY, _evidence(text, thrown))


def _turning_back(undoing: dict[Stretch, list[_Undoing]]) -> Sign | None:
    """The prompt after which the session turned back most often.

    Edits that undo what was there before the last turn back belong to that one: what was renamed in twenty places of a
    file is renamed back in twenty.
    """
    by_prompt: dict[int, list[ToolCall]] = {}
    for (_, prompt, _), found in undoing.items():
        turns_back: list[ToolCall] = []
        for call, undone in found:
            if not turns_back or undone >= turns_back[-1].turn:
                turns_back.append(call)
        by_prompt.setdefault(prompt, []).extend(turns_back)
    most = max((list(calls) for calls in by_prompt.values()), key=len, default=[])
    best = sorted(most, key=lambda call: call.turn)
    if not best:
        return None
    text = f"{len(best)} times edits undid what the session had written in the same lines, unasked"
    return Sign(len(best), _TURNS_BACK, _evidence(text, best))


def _restless(calls: list[ToolCall]) -> Sign | None:
    restless = max(rows_of_versions(calls), key=len, default=[])
    if len(restless) <= _FREE_VERSIONS:
        return None
    text = f"the same lines were written in {len(restless)} versions, each instead of the one before it"
    return Sign(len(restless) - _FREE_VERSIONS, _TURNS_BACK, _evidence(text, restless))


def _evidence(text: str, calls: list[ToolCall]) -> Evidence:
    return Evidence(text, len(calls), (calls[0].turn, calls[-1].turn), most_frequent([call.path for call in calls]))


def _undone_by(call: ToolCall, before: list[ToolCall]) -> int:
    """The turn of the newest edit of the same file which `call` undoes; 0 when it undoes none.

    A passage that is cut in one place and put in at another was never the session's own: that is a move.
    """
    if call.kind == "write" and before and before[-1].kind == "command":
        return before[-1].turn  # it had been removed
    if call.kind == "write":
        versions = [other for other in before if other.kind == "write"]
        texts = [other.fingerprint for other in versions]
        is_older = call.fingerprint in texts[:-1] and texts[-1] != call.fingerprint
        return versions[-1].turn if is_older else 0
    undone = 0
    own: set[int] = set()
    """The lines that the session itself had written before `other`."""
    for other in before:
        if fingerprint.overlap(call.added, other.removed):
            is_swap = fingerprint.overlap(call.removed, other.added)
            if is_swap or fingerprint.overlap(call.added, own):
                undone = other.turn
        own.update(other.added)
    return undone
