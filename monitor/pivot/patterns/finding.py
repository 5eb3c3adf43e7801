"""The finding of a pattern's rule: that the pattern shows, how clearly, and by what evidence."""

from collections import Counter
from typing import NamedTuple

import msgspec

from monitor.activity.tool_calls import ToolCall

_MOST_FILES = 5


class Evidence(msgspec.Struct, frozen=True):
    text: str
    """The evidence, only in our own words and numbers; files are listed separately."""
    count: int
    turns: tuple[int, int]
    """The first and the last turn: answers of the session, from 1."""
    files: tuple[str, ...] = ()
    """Paths from the transcript, those that occur most often first, at most five."""


class Finding(msgspec.Struct, frozen=True):
    name: str
    score: float
    """0.5 at the threshold, 1 at twice the threshold or more."""
    evidence: tuple[Evidence, ...]
    """The clearest first."""
    counts: bool = True
    """Whether it may influence the decision; otherwise it is only reported. False unless the rule was shown to be right
    in 8 of 10 cases that were checked; see docs/patterns.md."""


class Sign(NamedTuple):
    score: float
    """The measured value divided by its threshold."""
    evidence: Evidence


def finding(name: str, signs: list[Sign], *, counts: bool = True) -> Finding | None:
    """The finding from those `signs` that reach their threshold, scored by the clearest; None without any."""
    reached = sorted((sign for sign in signs if sign.score >= 1), key=lambda sign: -sign.score)
    if not reached:
        return None
    score = round(min(1.0, reached[0].score / 2), 3)
    return Finding(name, score, tuple(sign.evidence for sign in reached), counts)


def sign_of(text: str, calls: list[ToolCall], threshold: float, value: float | None = None) -> Sign:
    """The sign given by `calls`, in order: `value`, else their number, relative to `threshold`."""
    counts = Counter(call.path for call in calls if call.path)
    files = tuple(path for path, _ in counts.most_common(_MOST_FILES))
    turns = (calls[0].turn, calls[-1].turn) if calls else (0, 0)
    return Sign((len(calls) if value is None else value) / threshold, Evidence(text, len(calls), turns, files))
