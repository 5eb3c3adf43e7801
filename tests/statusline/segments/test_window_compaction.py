from shared.gauge.limit import Limit, LimitCertainty
from statusline.measuring.session_samples import CompactionCount, SessionSamples
from statusline.measuring.status import Status
from statusline.payload import Payload
from statusline.segments import window
from tests.statusline.scene import text, with_tokens

COMPACTED, ENDING = Limit(167_000, "catalogue", is_compacted=True), Limit(177_000, "set", is_compacted=False)


def compacted(number: int, *, is_whole: bool = True) -> SessionSamples:
    return SessionSamples(compactions=CompactionCount(number, 1000, is_whole))


def test_the_distance_is_shown_with_its_certainty() -> None:
    words: dict[LimitCertainty, str] = {
        "set": "set",
        "learnt": "seen before",
        "catalogue": "known",
        "assumed": "assumed",
    }
    for certainty, word in words.items():
        segment = window.compaction(with_tokens(142_000, limit=Limit(167_000, certainty, is_compacted=True)))

        assert text(segment) == f"~25k to compaction ({word})"
        assert text(segment, 0) == "~25k to compaction"


def test_a_session_that_ends_at_the_limit_says_so() -> None:
    segment = window.compaction(with_tokens(162_000, limit=Limit(177_000, "set", is_compacted=False)))

    assert text(segment) == "~15k to the end (set)"


def test_past_the_limit_the_compaction_is_due() -> None:
    assert text(window.compaction(with_tokens(170_000, limit=COMPACTED))) == "compaction due (known)"


def test_compactions_are_counted() -> None:
    ahead = window.compaction(with_tokens(142_000, limit=COMPACTED, samples=compacted(2)))
    alone = window.compaction(with_tokens(142_000, samples=compacted(1)))

    assert (text(ahead), text(ahead, 1)) == (
        "~25k to compaction (known), 2 so far",
        "~25k to compaction (known)",
    )
    assert text(alone) == "1 compaction"


def test_a_count_that_is_not_whole_is_not_shown() -> None:
    assert window.compaction(with_tokens(142_000, samples=compacted(2, is_whole=False))) is None


def test_without_a_limit_nothing_is_said() -> None:
    assert window.compaction(with_tokens(142_000)) is None
    assert window.compaction(with_tokens(142_000, limit=Limit(200_000, "catalogue", is_compacted=True))) is None
    assert window.compaction(Status(Payload())) is None
