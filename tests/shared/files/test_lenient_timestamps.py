import pytest

from shared.files.lenient import epoch_of, seconds_of


@pytest.mark.parametrize(
    ("timestamp", "epoch"),
    [
        ("2026-11-21T10:00:00.750Z", 1_795_255_200.75),
        ("2026-11-21T12:00:00.750+02:00", 1_795_255_200.75),
        ("2026-11-21T10:00:00.750", 1_795_255_200.75),
        ("", None),
        ("yesterday", None),
        ("0001-01-01T00:00:00+14:00", -62_135_647_200.0),
    ],
)
def test_a_time_without_a_zone_is_utc(timestamp: str, epoch: float | None) -> None:
    assert epoch_of(timestamp) == epoch
    assert seconds_of(timestamp) == (None if epoch is None else int(epoch))
