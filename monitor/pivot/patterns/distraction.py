"""Distraction: work that is scattered over the project, and a window full of what no longer counts."""

import os

from monitor.activity.tool_calls import History, Step
from monitor.pivot.patterns.finding import MOST_FILES, Evidence, Finding, Sign, finding
from monitor.pivot.places import places_of, subject_of
from shared.config import PivotPatterns

NAME = "distraction"
_FEWEST_STALE_TOKENS = 5_000
"""Below which stale results are no burden, whatever part of the window they hold."""

_LEFT_BY_AN_EDIT = 0.5
_MOST_STEPS = 100
"""Of a span that are looked at, the newest."""


def find(history: History, settings: PivotPatterns) -> Finding | None:
    """Many unrelated directories within a span of turns; results that were read again, or edited, since."""
    signs = [_scattered(history, settings), _stale(history, settings)]
    return finding(NAME, [sign for sign in signs if sign is not None])


def _scattered(history: History, settings: PivotPatterns) -> Sign | None:
    """The span with the most directories. The first third is not looked at: a session begins by looking around."""
    steps = [step for step in history.steps if step.path and step.is_done and step.turn > history.early_until]
    known = places_of({step.path for step in steps}, history.directory)
    best: list[Step] = []
    most: set[str] = set()
    start = 0
    for end, step in enumerate(steps):
        while step.turn - steps[start].turn >= settings.distraction_span_turns or end - start >= _MOST_STEPS:
            start += 1
        span = steps[start : end + 1]
        if len({known[other.path] for other in span}) > len(most):
            found = _unrelated(span, known)
            best, most = (span, found) if len(found) > len(most) else (best, most)
    if not best:
        return None
    text = f"{len(most)} unrelated directories were worked in within {settings.distraction_span_turns} turns"
    evidence = Evidence(text, len(most), (best[0].turn, best[-1].turn), tuple(sorted(most)[:MOST_FILES]))
    return Sign(len(most), settings.distraction_directories, evidence)


def _unrelated(steps: list[Step], known: dict[str, str]) -> set[str]:
    """The places of `steps`; those that go together count once: a test and its subject, the same edit in several."""
    heads = {known[step.path]: known[step.path] for step in steps}
    """By place, the one that stands for all that it is related to."""
    lines: dict[int, str] = {}
    tests = {tested: known[step.path] for step in steps if (tested := subject_of(step.path))}
    for step in steps:
        place = known[step.path]
        related = {lines.setdefault(line, place) for line in (*step.removed, *step.added)}
        related |= {tests.get(os.path.basename(step.path), place)}
        for head in {heads[other] for other in related}:
            heads = {other: heads[place] if old == head else old for other, old in heads.items()}
    return set(heads.values())


def _stale(history: History, settings: PivotPatterns) -> Sign | None:
    """The part of the window that is held by results that have been overtaken since.

    By a newer result of the same file or call wholly; by an edit of the file half, as most of it still holds.
    """
    fetched: dict[object, int] = {}
    edited: dict[object, int] = {}
    """The last turn in which each file was read or written, or each call made; and the last edit of each file."""
    held: dict[str, float] = {}
    stale: list[Step] = []
    for step in reversed(history.steps):
        if not step.is_done:
            continue
        subject = step.path if step.is_read or step.is_edit else step.call
        is_old = history.turns - step.turn >= settings.distraction_stale_turns
        is_fetched, is_edited = (newest.get(subject, 0) > step.turn for newest in (fetched, edited))
        if is_old and not step.is_edit and (is_fetched or is_edited):
            held[step.path] = held.get(step.path, 0) + step.tokens * (1 if is_fetched else _LEFT_BY_AN_EDIT)
            stale.append(step)
        (edited if step.kind == "edit" else fetched).setdefault(subject, step.turn)
    tokens = round(sum(held.values()))
    if tokens < _FEWEST_STALE_TOKENS:
        return None
    share = tokens / max(history.window_tokens, tokens)
    files = sorted((path for path in held if path), key=lambda path: -held[path])
    text = f"about {tokens:,} tokens, {share:.0%} of the window, are results of tools that have been overtaken since"
    evidence = Evidence(text, len(stale), (stale[-1].turn, stale[0].turn), tuple(files[:MOST_FILES]))
    return Sign(share, settings.distraction_stale_share, evidence)
