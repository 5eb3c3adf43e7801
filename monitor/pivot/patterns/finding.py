"""What a pattern's rule answers: that it shows, how clearly, and by what."""

from collections import Counter

import msgspec

from monitor.activity.tool_calls import ToolCall

MOST_FILES = 5


class Evidence(msgspec.Struct, frozen=True):
    """One observation."""

    text: str
    """The evidence in words and numbers of ours alone; files stand apart."""
    count: int
    turns: tuple[int, int]
    """The first and the last one: answers of the session, from 1."""
    files: tuple[str, ...] = ()
    """Paths from the transcript, the most telling first, at most five."""


class Finding(msgspec.Struct, frozen=True):
    """One pattern."""

    name: str
    score: float
    """0.5 where its threshold is just met, 1 at twice that."""
    evidence: tuple[Evidence, ...]
    """The clearest first; what counts before what doesn't."""
    counts: bool = True
    """Whether it may influence the decision and be announced; else it stands in the report alone."""


class Sign(msgspec.Struct, frozen=True):
    """One measure of a pattern, held against its threshold."""

    value: float
    threshold: float
    evidence: Evidence
    counts: bool = True
    """Off for a rule that was not shown to be right in 8 of 10 places where it was looked up; see docs/patterns.md."""

    @property
    def score(self) -> float:
        return round(min(1.0, self.value / (2 * self.threshold)), 3)


def finding(name: str, signs: list[Sign]) -> Finding | None:
    """The finding that those of `signs` make which reach their threshold; its score is the clearest one's."""
    reached = sorted((s for s in signs if s.value >= s.threshold), key=lambda s: (not s.counts, -s.score))
    if not reached:
        return None
    return Finding(name, reached[0].score, tuple(sign.evidence for sign in reached), reached[0].counts)


def sign_of(text: str, calls: list[ToolCall], threshold: float, value: float | None = None) -> Sign:
    """The sign that `calls`, in their order, give: `value`, else their number, held against `threshold`.

    The files that occur most often come first.
    """
    counts = Counter(call.path for call in calls if call.path)
    files = tuple(path for path, _ in counts.most_common(MOST_FILES))
    evidence = Evidence(text, len(calls), turns_of(calls), files)
    return Sign(len(calls) if value is None else value, threshold, evidence)


def turns_of(calls: list[ToolCall]) -> tuple[int, int]:
    """The first and the last turn of `calls`, in their order; zeros for none, which reach no threshold."""
    return (calls[0].turn, calls[-1].turn) if calls else (0, 0)
