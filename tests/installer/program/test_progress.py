import io
import sys
import time

import pytest

from installer.program import progress


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def while_it_works(out: io.StringIO, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr(sys, "stdout", out)
    monkeypatch.setattr(progress, "_SECONDS", 0.01)
    with progress.dots():
        time.sleep(0.2)
    return out.getvalue()


def test_on_a_terminal_it_shows_that_it_is_at_work(monkeypatch: pytest.MonkeyPatch) -> None:
    output = while_it_works(Terminal(), monkeypatch)

    assert output.startswith("..")
    assert output.endswith(".\n")


def test_where_nobody_looks_on_it_is_silent(monkeypatch: pytest.MonkeyPatch) -> None:
    assert while_it_works(io.StringIO(), monkeypatch) == ""


def test_what_takes_no_time_prints_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    out = Terminal()
    monkeypatch.setattr(sys, "stdout", out)
    with progress.dots():
        pass

    assert out.getvalue() == ""
