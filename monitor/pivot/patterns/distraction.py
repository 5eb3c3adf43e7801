"""Distraction: work that is scattered over the project, and a window full of what no longer counts."""

import re

from monitor.activity.session_paths import rules_of
from monitor.activity.tool_calls import ToolCall, ToolCallLog
from monitor.pivot.patterns.finding import MOST_FILES, Evidence, Finding, Sign, finding, turns_of
from monitor.pivot.patterns.places import name_under_test, places_of

NAME = "distraction"
_PLACES, _SPAN_TURNS = 6, 10
"""Unrelated parts of the project, within so many turns. With five the work was one task across layers (a type, its
store, its route, its view), or a rename, wherever it was found in real sessions."""
_MOST_CALLS = 100
"""The newest calls of a span, which are looked at."""
_NOISE = 0.25
"""The part of the window that old results hold which nothing needs: what a compaction would win, for nothing lost."""
_FEWEST_TOKENS = 5_000
"""Below which they are no burden, whatever part of the window they hold."""
_OLD = 10
"""Turns after which a result is old: what it was looked up for is done, or was given up."""
_MADE = re.compile(
    r"[\\/](?:node_modules|vendor|dist|build|target|coverage|__pycache__|\.next|\.venv|site-packages)[\\/]"
    r"|[\\/](?:package-lock\.json|pnpm-lock\.yaml|[^\\/]+\.(?:lock|log|map|min\.js|min\.css|svg|snap|ipynb))$"
)
"""Files that programs write: what of them was needed was a line or two."""
_OUTPUT = frozenset({"command", "search", "other"})
_BULKY = 2_000
"""Tokens of what a command or a search printed, from which on it is more than an answer: some 200 lines."""


def find(log: ToolCallLog) -> Finding | None:
    """Many unrelated places within a span of turns; old results that were overtaken, or were too much at once.

    None of it counts. Whether work is unrelated can't be seen from where it is done: in 238 real sessions nothing was
    found, and the three windows that came nearest, with five places, were a single task each.
    """
    return finding(NAME, [_scattered(log), _noise(log)])


def _scattered(log: ToolCallLog) -> Sign:
    """The span with the most places. A session begins by looking around, and each prompt until its first edit."""
    began = {call.prompt: call.turn for call in reversed(log.calls) if call.is_edit}
    calls = [
        call
        for call in log.calls
        if call.path and call.is_done and call.turn > max(log.early_until, began.get(call.prompt, log.turns))
    ]
    places = places_of({call.path for call in calls}, log.directory)
    best: list[ToolCall] = []
    most: set[str] = set()
    start = 0
    for end, call in enumerate(calls):
        while call.turn - calls[start].turn >= _SPAN_TURNS or end - start >= _MOST_CALLS:
            start += 1
        span = calls[start : end + 1]
        if len({places[other.path] for other in span}) > len(most):
            result = _unrelated(span, places)
            best, most = (span, result) if len(result) > len(most) else (best, most)
    text = f"{len(most)} unrelated parts of the project were worked in within {_SPAN_TURNS} turns"
    evidence = Evidence(text, len(most), turns_of(best), tuple(sorted(most)[:MOST_FILES]))
    return Sign(len(most), _PLACES, evidence, counts=False)


def _unrelated(calls: list[ToolCall], places: dict[str, str]) -> set[str]:
    """The places of `calls`; those that go together count once.

    A test and its subject, directories of the same name, the same edit in several.
    """
    heads = {places[call.path]: places[call.path] for call in calls}
    """The place that stands for all that it is related to, by place."""
    lines: dict[int, str] = {}
    names: dict[str, str] = {}
    tests = {tested: places[call.path] for call in calls if (tested := name_under_test(call.path))}
    for call in calls:
        place, rules = places[call.path], rules_of(call.path)
        related = {lines.setdefault(line, place) for line in (*call.removed, *call.added)}
        related |= {tests.get(rules.basename(call.path), place), names.setdefault(rules.basename(place), place)}
        for head in {heads[other] for other in related}:
            heads = {other: heads[place] if old == head else old for other, old in heads.items()}
    return set(heads.values())


def _noise(log: ToolCallLog) -> Sign:
    """The part of the window that is held by old results that a newer one has overtaken, or that were long output."""
    newest: dict[object, int] = {}
    """The last turn in which each file was read or written as a whole, or each call made."""
    tokens_by_path: dict[str, int] = {}
    noise: list[ToolCall] = []
    for call in reversed(log.calls):
        if not call.is_done or call.kind == "edit":
            continue
        subject = call.path if call.kind in {"read", "write"} else call.fingerprint
        whole = newest.get(call.path, 0) if call.is_read else 0
        is_overtaken = max(newest.get(subject, 0), whole) > call.turn
        is_bulky = call.tokens >= _BULKY and (call.kind in _OUTPUT or _is_made(call, newest))
        if log.turns - call.turn >= _OLD and call.kind != "write" and (is_overtaken or is_bulky):
            tokens_by_path[call.path] = tokens_by_path.get(call.path, 0) + call.tokens
            noise.append(call)
        newest.setdefault(subject, call.turn)
    tokens = sum(tokens_by_path.values())
    share = tokens / max(log.window_tokens, tokens) if tokens >= _FEWEST_TOKENS else 0
    files = sorted((path for path in tokens_by_path if path), key=lambda path: -tokens_by_path[path])
    text = f"about {tokens:,} tokens, {share:.0%} of the window, are old results: overtaken, or long output"
    evidence = Evidence(text, len(noise), turns_of(noise[::-1]), tuple(files[:MOST_FILES]))
    return Sign(share, _NOISE, evidence, counts=False)


def _is_made(call: ToolCall, newest: dict[object, int]) -> bool:
    return call.is_read and call.path not in newest and _MADE.search(call.path) is not None
