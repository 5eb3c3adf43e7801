"""Clash: edits that contradict each other, with no word of the person's between them."""

from collections.abc import Iterable

from monitor.activity import fingerprint
from monitor.activity.tool_calls import ToolCall, ToolCallLog
from monitor.pivot.patterns.finding import Finding, Sign, finding, sign_of
from shared.transcript.session_paths import is_within

NAME = "clash"
_TURNS_BACK = 2
"""After one prompt: what the session had written itself is brought back after it was taken away. Once, and a change is
taken out and put in again to see what it does, or to have its test fail first. What only restores the lines that were
there at first is no turn back: it is an attempt that was given up, or a fault that was put in to see whether the tests
notice. All of that is good work, and no real session has two."""
_MOST_EDITS = 100
"""The newest edits of one file, which are compared."""


def find(log: ToolCallLog) -> Finding | None:
    """Find lines that are brought back after they were taken away.

    Only what followed the same prompt and the same commit is compared: what a person orders back is no clash, and
    neither is what is taken out to be committed by itself.
    """
    edits: dict[tuple[str, int, int], list[ToolCall]] = {}
    for call in log.calls:
        if call.is_edit and is_within(call.path, log.directory):  # no scratch file
            edits.setdefault((call.path, call.prompt, call.revisions), []).append(call)
    return finding(NAME, [_turning_back(edits.values())])


def _turning_back(stretches: Iterable[list[ToolCall]]) -> Sign:
    """The prompt after which the session turned back most often.

    Edits that undo what was there before the last turn back belong to that one: what was renamed in twenty places is
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
    """The turn of the newest edit of the same file on which `call` goes back; 0 for none.

    A passage that is cut in one place and put in at another was never the session's own: that is a move.
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
