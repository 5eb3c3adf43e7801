from shared.config import Config
from shared.limit import Limit, LimitCertainty
from statusline.compactions import CompactionCount
from statusline.payload import Payload
from statusline.seen import SessionSeen
from statusline.segments.compaction import render
from statusline.status import Status
from tests.statusline.scene import text, with_tokens

COMPACTED, ENDING = Limit(167_000, "catalogue", is_compacted=True), Limit(177_000, "set", is_compacted=False)


def seen(number: int, *, is_whole: bool = True) -> SessionSeen:
    return SessionSeen(compactions=CompactionCount(number, 1000, is_whole))


def test_the_distance_is_said_with_its_certainty() -> None:
    words: list[LimitCertainty] = ["set", "learnt", "catalogue", "assumed"]
    for word in words:
        segment = render(with_tokens(142_000, limit=Limit(167_000, word, is_compacted=True)), Config())

        assert text(segment) == f"~25k to compaction ({word})"
        assert text(segment, 0) == "~25k to compaction"


def test_a_session_that_ends_at_the_limit_is_told_so() -> None:
    segment = render(with_tokens(162_000, limit=Limit(177_000, "set", is_compacted=False)), Config())

    assert text(segment) == "~15k to the end (set)"


def test_past_it_nothing_is_left() -> None:
    assert text(render(with_tokens(170_000, limit=COMPACTED), Config())) == "~0 to compaction (catalogue)"


def test_compactions_are_counted() -> None:
    ahead = render(with_tokens(142_000, limit=COMPACTED, seen=seen(2)), Config())
    alone = render(with_tokens(142_000, seen=seen(1)), Config())

    assert (text(ahead), text(ahead, 1)) == (
        "~25k to compaction (catalogue), 2 so far",
        "~25k to compaction (catalogue)",
    )
    assert text(alone) == "1 compaction"


def test_a_count_that_is_not_whole_is_not_shown() -> None:
    assert render(with_tokens(142_000, seen=seen(2, is_whole=False)), Config()) is None


def test_without_a_limit_nothing_is_said() -> None:
    assert render(with_tokens(142_000), Config()) is None
    assert render(with_tokens(142_000, limit=Limit(200_000, "catalogue", is_compacted=True)), Config()) is None
    assert render(Status(Payload()), Config()) is None
