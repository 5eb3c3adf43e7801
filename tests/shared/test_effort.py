import io
import time

import pytest

from shared import effort
from shared.secrets import masking
from shared.transcript import jsonl


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The process's processor time in seconds, which tests set."""
    seconds = [5.0]
    monkeypatch.setattr(time, "process_time", lambda: seconds[0])
    return seconds


@pytest.mark.parametrize(("start", "seconds"), [(0.0, 0.6), (0.01, 0.6), (0.1, 3.0)])
def test_the_time_is_over_when_used_up_and_longer_on_a_slow_machine(
    clock: list[float], start: float, seconds: float
) -> None:
    with effort.limited(start):
        clock[0] += seconds - 0.01
        assert not effort.is_over()
        clock[0] += 0.02
        assert effort.is_over()


def test_work_finished_at_the_time_limit_leaves_nothing_out(clock: list[float]) -> None:
    with effort.limited():
        clock[0] += 1
        assert not effort.has_omission()
        assert effort.is_over()
        assert effort.has_omission()
    with effort.limited():
        assert not effort.has_omission()


def test_without_a_limit_the_time_is_never_over(clock: list[float]) -> None:
    with effort.limited():
        pass
    clock[0] += 1_000
    assert not effort.is_over()


def test_text_not_masked_in_time_is_left_out_with_a_note(clock: list[float]) -> None:
    text = "password: Kettle-Moss-77"
    with effort.limited():
        assert masking.masked_in_time(text) == "password: [masked]"
        clock[0] += 1
        assert masking.masked_in_time(text) == "[left out: no time to look for secrets]"
        assert masking.masked(text) == "password: [masked]"


def test_a_long_text_is_left_out_where_little_time_is_left(clock: list[float]) -> None:
    """It may be made to take all of that and as much again."""
    text = f"password: Kettle-Moss-77 {'a' * 80_000}"
    with effort.limited():
        clock[0] += 0.3
        assert masking.masked_in_time(text) == text.replace("Kettle-Moss-77", "[masked]")
        clock[0] += 0.2
        assert masking.masked_in_time(text) == "[left out: no time to look for secrets]"
        assert masking.masked_beginning(text, 10_000) == "[left out: no time to look for secrets]"
        assert masking.masked_beginning(text, 100) == text.replace("Kettle-Moss-77", "[masked]")[:100]
        assert masking.masked_in_time("password: Kettle-Moss-77") == "password: [masked]"


def test_no_more_of_a_file_is_read_backwards_than_there_is_time_for(clock: list[float]) -> None:
    content = b"{}\n" * jsonl.CHUNK
    file = io.BytesIO(content)
    with effort.limited():
        lines = jsonl.backwards(file, len(content))
        first = next(lines)
        clock[0] += 1
        assert len([first, *lines]) <= jsonl.CHUNK / len(b"{}\n") + 1
    assert len(list(jsonl.backwards(file, len(content)))) == jsonl.CHUNK
