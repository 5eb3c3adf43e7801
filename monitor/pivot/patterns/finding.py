"""What a pattern's rule answers: that it shows, how clearly, and by what."""

import msgspec

MOST_FILES = 5


class Evidence(msgspec.Struct, frozen=True):
    """One thing that was seen."""

    text: str
    """In words and numbers of ours alone; files stand apart."""
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
    """The clearest first."""


class Sign(msgspec.Struct, frozen=True):
    """One measure of a pattern, held against its threshold."""

    value: float
    threshold: float
    evidence: Evidence

    @property
    def score(self) -> float:
        return round(min(1.0, self.value / (2 * self.threshold)), 3)


def finding(name: str, signs: list[Sign]) -> Finding | None:
    """The finding that those of `signs` make which reach their threshold; its score is the clearest one's."""
    reached = sorted((sign for sign in signs if sign.value >= sign.threshold), key=lambda sign: -sign.score)
    if not reached:
        return None
    return Finding(name, reached[0].score, tuple(sign.evidence for sign in reached))
