"""The clipboard may be missing, or may never answer."""

import time

import pytest

from monitor.pivot.strategies import spawn


def test_where_there_is_none_nothing_is_copied(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spawn, "_COPY", "raise SystemExit(1)")

    assert not spawn.copy("text")


def test_what_is_copied_arrives_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "line\n\u20ac \U0001f30a"
    monkeypatch.setattr(spawn, "_COPY", f"import sys; sys.exit(sys.stdin.buffer.read() != {text.encode()!r})")

    assert spawn.copy(text)


def test_one_that_never_answers_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spawn, "_COPY_SECONDS", 0.3)
    monkeypatch.setattr(spawn, "_COPY", "import time; time.sleep(60)")
    began = time.monotonic()

    assert not spawn.copy("text")
    assert time.monotonic() - began < 20
