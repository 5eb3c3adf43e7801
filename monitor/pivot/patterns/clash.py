"""Clash: edits that contradict each other, without a prompt between them."""

from collections.abc import Iterable

from monitor.activity import fingerprint
from monitor.activity.tool_calls import ToolCall, ToolCallLog
from monitor.pivot.patterns.finding import Finding, Sign, finding, sign_of
from shared.transcript.session_paths import is_within

NAME = "clash"
_TURNS_BACK = 2
"""Turns back after one prompt: lines that the session itself had written are restored after their removal. A single one
takes a change out to see what it does, or to have its test fail first. Restoring the lines that were there at first is
no turn back, but an abandoned attempt, or a fault inserted to see whether the tests notice. All of that is good work,
and no real session has two."""
_MOST_EDITS = 100
"""Edits of one file that are compared, the newest."""


def find(log: ToolCallLog) -> Finding | None:
    """Find lines that are restored after their removal.

    Only edits after the same prompt and the same commit are compared: it is no clash if the person asks for lines to be
    restored, or if they are taken out to be committed separately.
    """
    edits: dict[tuple[str, int, int], list[ToolCall]] = {}
    for call in log.calls:
        if call.is_edit and is_within(call.path, log.directory):  # not a scratch file
            edits.setdefault((call.path, call.prompt, call.revisions), []).append(call)
    return finding(NAME, [_turning_back(edits.values())])


def _turning_back(stretches: Iterable[list[ToolCall]]) -> Sign:
    """The sign of the prompt after which the session turned back most often.

    Edits that undo lines from before the last turn back belong to that one: what was renamed in twenty places is
    renamed back in twenty.
    """
    by_prompt: dict[int, list[tuple[ToolCall, int]]] = {}  # each with the turn of the newest edit that it undoes
    for calls in stretches:
        for number, call in enumerate(calls):
            if undone := _undone_by(call, calls[max(0, number - _MOST_EDITS) : number]):
                by_prompt.setdefault(call.prompt, []).append((call, undone))
    best: list[ToolCall] = []
    for pairs in by_prompt.values():
        row: list[ToolCall] = []
        for call, undone in sorted(pairs, key=lambda pair: pair[0].turn):
            if not row or undone >= row[-1].turn:
                row.append(call)
        best = max(best, row, key=len)
    return sign_of(f"{len(best)} times the session went back on edits of its own, unasked", best, _TURNS_BACK)


def _undone_by(call: ToolCall, before: list[ToolCall]) -> int:
    """The turn of the newest edit of the same file that `call` undoes; 0 for none.

    A passage that is cut in one place and inserted in another was not written by the session: that is a move.
    """
    if call.kind == "write":
        versions = [other for other in before if other.kind == "write"]
        texts = [other.fingerprint for other in versions]
        return versions[-1].turn if call.fingerprint in texts[:-1] and texts[-1] != call.fingerprint else 0
    undone = 0
    own: set[int] = set()  # the lines that the session itself had written before `other`
    for other in before:
        if fingerprint.overlap(call.added, other.removed) and fingerprint.overlap(call.added, own):
            undone = other.turn
        own.update(other.added)
    return undone
