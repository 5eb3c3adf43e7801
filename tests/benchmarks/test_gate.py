"""A replay finds the messages that a launcher holds back, and none where it holds none back."""

import os
from pathlib import Path

import pytest

from benchmarks import gate
from tests.transcripts import Transcript

pytestmark = [
    pytest.mark.any_python,  # a shell script
    pytest.mark.skipif(os.name == "nt", reason="on Windows there is no launcher"),
]


@pytest.fixture
def session(tmp_path: Path) -> Path:
    """A session of 40 tool uses that ends above the first level."""
    transcript = Transcript(tmp_path / "sessions" / "s.jsonl")
    for number in range(20):
        names = [f"toolu_{number}_{part}" for part in "ab"]
        transcript.answer(20_000 + 6_000 * number, id=f"msg_{number}", tool_use_ids=names)
        for name in names:
            transcript.result(name)
    return transcript.path


def play(session: Path, scratch: Path) -> tuple[gate.Tally, gate.Tally]:
    written, late = gate.Tally(), gate.Tally()
    scratch.mkdir()
    gate.play(session, scratch, written, late)
    return written, late


def test_every_tool_use_is_played_and_nothing_is_held_back(session: Path, tmp_path: Path) -> None:
    for played in play(session, tmp_path / "scratch"):
        assert played.tool_uses == 40
        assert played.due >= 1
        assert played.due <= played.started < 40
        assert played.kept_back == []


def test_a_launcher_that_never_starts_the_monitor_is_detected(
    session: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gate.ReplayStage, "starts", lambda *_: False)
    written, late = play(session, tmp_path / "scratch")
    for played in (written, late):
        assert len(played.kept_back) == played.due > 0
        assert "toolu_" in played.kept_back[0]


def test_the_command_prints_its_findings(
    session: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "environ", dict(os.environ))  # it removes what bears on the window
    assert gate.main(["--transcripts", str(session.parent)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "1 sessions"
    assert lines[1].startswith("answers written: 40 tool uses, the interpreter started at ")
    assert lines[2].endswith(", 0 kept back")
