"""Clash: edits that contradict each other, with no word of the person's between them."""

from collections.abc import Iterable

from monitor.activity import fingerprint
from monitor.activity.session_paths import is_within
from monitor.activity.tool_calls import ToolCall, ToolCallLog
from monitor.pivot.patterns.finding import Finding, Sign, finding, sign_of
from monitor.pivot.patterns.versions import MOST_EDITS, Stretch, rows_of_versions, stretch_of

NAME = "clash"
_TURNS_BACK = 2
"""After one prompt: what the session had written itself is brought back after it was taken away, or a file's edits are
lost as a whole. Once, and a change is taken out and put in again to see what it does, or to have its test fail first.
What only restores the lines that were there at first is no turn back: it is an attempt that was given up, or a fault
that was put in to see whether the tests notice. All of that is good work, and no real session has two."""
_THROWN_AWAY = 2
"""Times that git threw away edits of the session's own. Once is how commits are moved to another branch, or how an
answered question is undone."""
_VERSIONS = 6
"""Versions of the same lines. In 238 real sessions there were three at most; trying values on request may take five."""


def find(log: ToolCallLog) -> Finding | None:
    """Lines that are brought back after they were taken away, edits that are written over or thrown away, ever new
    versions.

    Only what followed the same prompt and the same commit is compared: what a person orders back is no clash, and
    neither is what is taken out to be committed by itself.
    """
    turns_back: dict[int, list[tuple[ToolCall, int]]] = {}
    """Edits that go back on others, each with the turn of the newest edit that it undoes, by prompt."""
    edits: dict[Stretch, list[ToolCall]] = {}
    prompts: dict[int, int] = {}
    """The prompt that a turn's edits followed, by turn."""
    thrown: list[ToolCall] = []
    for call in log.calls:
        if not is_within(call.path, log.directory):
            continue  # a scratch file
        if call.by_git and call.is_done and prompts.get(call.discards) == call.prompt:
            thrown.append(call)
        if call.by_git or not (call.is_edit or (call.discards and call.is_done)):
            continue
        before = edits.setdefault(stretch_of(call), [])
        if undone := _undone_by(call, before):
            turns_back.setdefault(call.prompt, []).append((call, undone))
        before.append(call)
        del before[:-MOST_EDITS]
        prompts[call.turn] = call.prompt
    text = f"{len(thrown)} times git threw away what the session had written, unasked"
    thrown_away = sign_of(text, thrown, _THROWN_AWAY)
    return finding(NAME, [thrown_away, _turning_back(turns_back.values()), _restless(log.calls)])


def _turning_back(by_prompt: Iterable[list[tuple[ToolCall, int]]]) -> Sign:
    """The prompt after which the session turned back most often.

    Edits that undo what was there before the last turn back belong to that one: what was renamed in twenty places is
    renamed back in twenty.
    """
    best: list[ToolCall] = []
    for result in by_prompt:
        calls: list[ToolCall] = []
        for call, undone in result:
            if not calls or undone >= calls[-1].turn:
                calls.append(call)
        best = max(best, calls, key=len)
    return sign_of(f"{len(best)} times the session went back on edits of its own, unasked", best, _TURNS_BACK)


def _restless(calls: list[ToolCall]) -> Sign:
    restless = max(rows_of_versions(calls), key=len, default=[])
    text = f"the same lines were written in {len(restless)} versions, each instead of the one before it"
    return sign_of(text, restless, _VERSIONS)


def _undone_by(call: ToolCall, before: list[ToolCall]) -> int:
    """The turn of the newest edit of the same file on which `call` goes back; 0 for none.

    A passage that is cut in one place and put in at another was never the session's own: that is a move.
    """
    if call.discards and any(other.turn == call.discards for other in before):
        return call.discards
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
        if fingerprint.overlap(call.added, other.removed) and fingerprint.overlap(call.added, own):
            undone = other.turn
        own.update(other.added)
    return undone
