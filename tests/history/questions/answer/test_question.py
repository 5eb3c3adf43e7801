from datetime import datetime

import pytest

from history.questions.answer.question import since_of

NOW = 1_800_000_000.0


@pytest.mark.parametrize(("text", "seconds"), [("36h", 36 * 3_600), ("7d", 7 * 86_400), ("2w", 14 * 86_400)])
def test_a_span_counts_back_from_now(text: str, seconds: int) -> None:
    assert since_of(text, NOW) == NOW - seconds


def test_a_date_is_that_day_here() -> None:
    assert since_of("2026-03-01", NOW) == datetime(2026, 3, 1).timestamp()  # noqa: DTZ001  local time is meant


@pytest.mark.parametrize("text", ["", "d", "7", "-7d", "7 d", "1000000d", "yesterday", "9999-99-99"])
def test_anything_else_is_refused_with_what_would_be_right(text: str) -> None:
    with pytest.raises(ValueError, match="7d"):
        since_of(text, NOW)
