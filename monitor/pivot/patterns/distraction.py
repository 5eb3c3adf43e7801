"""Distraction: work that is scattered over the project, and a window full of what no longer counts."""

import os

from monitor.activity.tool_calls import ToolCall, ToolCallLog
from monitor.pivot.patterns.finding import MOST_FILES, Evidence, Finding, Sign, finding
from monitor.pivot.places import places_of, subject_of
from shared.config import PivotPatterns

NAME = "distraction"
_FEWEST_STALE_TOKENS = 5_000
"""Below which stale results are no burden, whatever part of the window they hold."""

_LEFT_BY_AN_EDIT = 0.5
_MOST_CALLS = 100
"""Of a span that are looked at, the newest."""


def find(log: ToolCallLog, settings: PivotPatterns) -> Finding | None:
    """Many unrelated directories within a span of turns; results that were read again, or edited, since."""
    signs = [_scattered(log, settings), _stale(log, settings)]
    return finding(NAME, [sign for sign in signs if sign is not None])


def _scattered(log: ToolCallLog, settings: PivotPatterns) -> Sign | None:
    """The span with the most directories. The first third is not looked at: a session begins by looking around."""
    calls = [call for call in log.calls if call.path and call.is_done and call.turn > log.early_until]
    known = places_of({call.path for call in calls}, log.directory)
    best: list[ToolCall] = []
    most: set[str] = set()
    start = 0
    for end, call in enumerate(calls):
        while call.turn - calls[start].turn >= settings.distraction_span_turns or end - start >= _MOST_CALLS:
            start += 1
        span = calls[start : end + 1]
        if len({known[other.path] for other in span}) > len(most):
            found = _unrelated(span, known)
            best, most = (span, found) if len(found) > len(most) else (best, most)
    if not best:
        return None
    text = f"{len(most)} unrelated directories were worked in within {settings.distraction_span_turns} turns"
    evidence = Evidence(text, len(most), (best[0].turn, best[-1].turn), tuple(sorted(most)[:MOST_FILES]))
    return Sign(len(most), settings.distraction_directories, evidence)


def _unrelated(calls: list[ToolCall], known: dict[str, str]) -> set[str]:
    """The places of `calls`; those that go together count once: a test and its subject, the same edit in several."""
    heads = {known[call.path]: known[call.path] for call in calls}
    """By place, the one that stands for all that it is related to."""
    lines: dict[int, str] = {}
    tests = {tested: known[call.path] for call in calls if (tested := subject_of(call.path))}
    for call in calls:
        place = known[call.path]
        related = {lines.setdefault(line, place) for line in (*call.removed, *call.added)}
        related |= {tests.get(os.path.basename(call.path), place)}
        for head in {heads[other] for other in related}:
            heads = {other: heads[place] if old == head else old for other, old in heads.items()}
    return set(heads.values())


def _stale(log: ToolCallLog, settings: PivotPatterns) -> Sign | None:
    """The part of the window that is held by results that have been overtaken since.

    By a newer result of the same file or call wholly; by an edit of the file half, as most of it still holds.
    """
    fetched: dict[object, int] = {}
    edited: dict[object, int] = {}
    """The last turn in which each file was read or written, or each call made; and the last edit of each file."""
    held: dict[str, float] = {}
    stale: list[ToolCall] = []
    for call in reversed(log.calls):
        if not call.is_done:
            continue
        subject = call.path if call.is_read or call.is_edit else call.fingerprint
        is_old = log.turns - call.turn >= settings.distraction_stale_turns
        is_fetched, is_edited = (newest.get(subject, 0) > call.turn for newest in (fetched, edited))
        if is_old and not call.is_edit and (is_fetched or is_edited):
            held[call.path] = held.get(call.path, 0) + call.tokens * (1 if is_fetched else _LEFT_BY_AN_EDIT)
            stale.append(call)
        (edited if call.kind == "edit" else fetched).setdefault(subject, call.turn)
    tokens = round(sum(held.values()))
    if tokens < _FEWEST_STALE_TOKENS:
        return None
    share = tokens / max(log.window_tokens, tokens)
    files = sorted((path for path in held if path), key=lambda path: -held[path])
    text = f"about {tokens:,} tokens, {share:.0%} of the window, are results of tools that have been overtaken since"
    evidence = Evidence(text, len(stale), (stale[-1].turn, stale[0].turn), tuple(files[:MOST_FILES]))
    return Sign(share, settings.distraction_stale_share, evidence)
