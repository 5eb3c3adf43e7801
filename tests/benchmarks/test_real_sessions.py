"""The measurements on a person's own transcripts."""

from pathlib import Path

import pytest

from benchmarks import patterns
from benchmarks.real_sessions import SessionWindow, locations, table, windows_in
from benchmarks.sessions.writer import MadeUpSession
from monitor.pivot.patterns import PATTERNS
from monitor.pivot.patterns.finding import Evidence, Finding

CONFUSED = Finding("confusion", 0.5, (Evidence("3 edits of one file failed in a row", 3, (2, 9), ("/x.py",)),))
UNSURE = Finding("distraction", 0.5, (Evidence("much noise", 3, (2, 9)),), counts=False)


def row(where: str, windows: int, nothing: str = "0.0", **shares: str) -> str:
    """A row of the table: each pattern's share, and the share of any pattern."""
    cells = [shares.get(name, nothing) for name in PATTERNS]
    return f"| {where} | {windows} | {' | '.join([*cells, shares.get('confusion', nothing)])} |"


def test_each_window_of_a_session_is_analysed_before_it_is_forgotten(tmp_path: Path) -> None:
    session = MadeUpSession("windows")
    session.tokens = 150_000
    for _ in range(3):
        session.run("make", "no rule", failed=True)
    session.compaction()
    session.run("make")
    (tmp_path / "project").mkdir()
    session.save(str(tmp_path / "project"))
    first, second = windows_in(tmp_path)
    assert first.transcript == "project/session.jsonl"
    assert [finding.name for finding in first.findings] == ["confusion"]
    assert 75 < first.fill < 76
    assert (second.findings, 12 <= second.fill < 13) == ((), True)


def test_the_table_counts_windows_and_not_findings() -> None:
    windows = [
        SessionWindow("a", 60, (CONFUSED, UNSURE)),
        SessionWindow("a", 10, ()),
        SessionWindow("b", 90, ()),
        SessionWindow("b", 55, ()),
    ]
    assert table(windows).splitlines()[4:] == [
        row("50 to 70%", 2, confusion="50.0", distraction="50.0"),
        row("70 to 85%", 0, nothing="-"),
        row("85% or more", 1),
        row("all", 4, confusion="25.0", distraction="25.0"),
    ]


def test_each_finding_has_its_place() -> None:
    assert list(locations([SessionWindow("a.jsonl", 60, (CONFUSED, UNSURE))])) == [
        "a.jsonl, turns 2 to 9, confusion: 3 edits of one file failed in a row: /x.py",
        "a.jsonl, turns 2 to 9, distraction (decides nothing): much noise",
    ]


def test_the_command_prints_both(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    session = MadeUpSession("printed")
    for _ in range(3):
        session.run("make", "no rule", failed=True)
    session.save(str(tmp_path))
    assert patterns.main(["--transcripts", str(tmp_path)]) == 0
    output = capsys.readouterr().out
    assert output.startswith("session.jsonl, turns 1 to 3, confusion: the same command failed 3 times in a row")
    assert row("all", 1, confusion="100.0") in output
