from shared.config import Config
from shared.limit import Limit
from statusline.payload import Payload
from statusline.segments.compaction import render
from statusline.status import Status
from tests.statusline.scene import text, with_tokens

LIMIT = Limit(167_000, "catalogue", is_compacted=True)


def test_the_distance_is_marked_as_an_estimate() -> None:
    segment = render(with_tokens(142_000, limit=LIMIT), Config())

    assert (text(segment), text(segment, 0)) == ("~25k to auto-compaction", "~25k to compact")


def test_past_it_nothing_is_left() -> None:
    assert text(render(with_tokens(170_000, limit=LIMIT), Config())) == "~0 to auto-compaction"


def test_without_evidence_nothing_is_said() -> None:
    assert render(with_tokens(142_000), Config()) is None
    assert render(Status(Payload(), limit=LIMIT), Config()) is None
