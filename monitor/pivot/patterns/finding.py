"""What a pattern's rule answers: that it shows, how clearly, and by what."""

from collections import Counter
from typing import NamedTuple

import msgspec

from monitor.activity.tool_calls import ToolCall

_MOST_FILES = 5


class Evidence(msgspec.Struct, frozen=True):
    text: str
    """The evidence in words and numbers of ours alone; files stand apart."""
    count: int
    turns: tuple[int, int]
    """The first and the last one: answers of the session, from 1."""
    files: tuple[str, ...] = ()
    """Paths from the transcript, those that occur most often first, at most five."""


class Finding(msgspec.Struct, frozen=True):
    name: str
    score: float
    """0.5 where its threshold is just met, 1 at twice that."""
    evidence: tuple[Evidence, ...]
    """The clearest first."""
    counts: bool = True
    """Whether it may influence the decision; else it stands in the report alone. Off where the rule was not shown to be
    right in 8 of 10 places that were looked up; see docs/patterns.md."""


class Sign(NamedTuple):
    score: float
    """What it measures, over its threshold."""
    evidence: Evidence


def finding(name: str, signs: list[Sign], *, counts: bool = True) -> Finding | None:
    """The finding that those of `signs` make which reach their threshold; its score is the clearest one's."""
    reached = sorted((sign for sign in signs if sign.score >= 1), key=lambda sign: -sign.score)
    if not reached:
        return None
    score = round(min(1.0, reached[0].score / 2), 3)
    return Finding(name, score, tuple(sign.evidence for sign in reached), counts)


def sign_of(text: str, calls: list[ToolCall], threshold: float, value: float | None = None) -> Sign:
    """The sign that `calls`, in their order, give: `value`, else their number, held against `threshold`."""
    counts = Counter(call.path for call in calls if call.path)
    files = tuple(path for path, _ in counts.most_common(_MOST_FILES))
    turns = (calls[0].turn, calls[-1].turn) if calls else (0, 0)
    return Sign((len(calls) if value is None else value) / threshold, Evidence(text, len(calls), turns, files))
