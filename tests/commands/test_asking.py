import argparse
from datetime import datetime
from types import SimpleNamespace

import pytest

from commands import asking

NOW = 1_800_000_000.0


@pytest.mark.parametrize(("text", "seconds"), [("36h", 36 * 3_600), ("7d", 7 * 86_400), ("2w", 14 * 86_400)])
def test_a_span_counts_back_from_now(text: str, seconds: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asking, "time", SimpleNamespace(time=lambda: NOW))

    assert asking.since(text) == NOW - seconds


def test_a_date_is_that_day_in_local_time() -> None:
    assert asking.since("2026-03-01") == datetime(2026, 3, 1).timestamp()  # noqa: DTZ001  local time is meant


@pytest.mark.parametrize("text", ["", "d", "7", "-7d", "7 d", "1000000d", "yesterday", "9999-99-99"])
def test_anything_else_is_refused_with_a_valid_example(text: str) -> None:
    with pytest.raises(argparse.ArgumentTypeError, match="7d"):
        asking.since(text)
