from shared.config import Config
from statusline.payload import Payload
from statusline.segments.compaction import render
from statusline.status import Status
from tests.statusline.scene import text, with_tokens


def test_the_distance_is_marked_as_an_estimate() -> None:
    segment = render(with_tokens(142_000, compaction_at=167_000), Config())

    assert (text(segment), text(segment, 0)) == ("~25k to auto-compaction", "~25k to compact")


def test_past_it_nothing_is_left() -> None:
    assert text(render(with_tokens(170_000, compaction_at=167_000), Config())) == "~0 to auto-compaction"


def test_without_evidence_nothing_is_said() -> None:
    assert render(with_tokens(142_000), Config()) is None
    assert render(Status(Payload(), compaction_at=167_000), Config()) is None
