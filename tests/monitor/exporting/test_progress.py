"""What has become of an export is asked of its directory, and of the process that writes into it."""

import os
import signal
import sys
import time
from pathlib import Path

import pytest

from monitor.exporting import copy
from monitor.exporting.progress import is_lost, is_whole, news
from shared.files.directory import opened
from shared.process.boundary import report
from shared.project_files import ARCHIVE, PARTIAL, READABLE

without_locks = pytest.mark.skipif(sys.platform == "win32", reason="a directory has no lock there")


@pytest.fixture
def export(tmp_path: Path) -> Path:
    path = Path(os.path.realpath(tmp_path)) / "001-export"
    path.mkdir()
    return path


def news_of(root: Path, export: Path) -> str:
    return news(str(root), str(export), "exports/001-export")


@without_locks
def test_an_export_is_under_way_while_its_process_lives(
    root: Path, export: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = "import os, time; open('new', 'w').write(str(os.getpid())); os.rename('new', 'pid'); time.sleep(60)"
    monkeypatch.setattr(copy, "_PROGRAM", program)
    with opened(str(export)) as directory:
        copy.start(str(root), "/gone.jsonl", directory)
    while not (export / "pid").exists():
        time.sleep(0.02)
    process = int((export / "pid").read_text())
    try:
        assert is_whole(str(export)) is None
        assert news_of(root, export) == "The session is being exported to exports/001-export."
        assert not is_lost(str(export))
    finally:
        os.kill(process, signal.SIGKILL)
        os.waitpid(process, 0)
    assert is_whole(str(export)) is False
    assert news_of(root, export) == "The session's export failed: exports/001-export is incomplete."
    assert is_lost(str(export))


def test_an_export_with_both_copies_is_there(root: Path, export: Path) -> None:
    for name in (ARCHIVE, READABLE):
        assert not is_whole(str(export))
        (export / name).touch()
    assert news_of(root, export) == "The session's export is exports/001-export."
    assert not is_lost(str(export))


@without_locks
@pytest.mark.parametrize("is_other", [False, True])
def test_a_failure_has_the_reason_of_its_own_export(root: Path, export: Path, *, is_other: bool) -> None:
    (export / (ARCHIVE + PARTIAL)).touch()
    report(
        "export", str(root), OSError(28, "No space left on device", str(export.with_name("x") if is_other else export))
    )
    reason = "exports/001-export is incomplete" if is_other else "No space left on device: exports/001-export"
    assert news_of(root, export) == f"The session's export failed: {reason}."


def test_of_an_export_that_was_removed_nothing_is_said(root: Path, export: Path) -> None:
    export.rmdir()
    assert news_of(root, export) == ""
    assert not is_lost(str(export))


@without_locks
def test_without_locks_an_export_may_be_under_way(root: Path, export: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(_: int) -> bool:
        raise OSError(95, "Operation not supported")

    monkeypatch.setattr("monitor.exporting.progress.try_lock", refused)
    assert news_of(root, export) == "The session is being exported to exports/001-export."


def test_what_is_no_export_is_not_lost(export: Path) -> None:
    spawned = export.with_name("002-spawn")
    spawned.mkdir()
    (spawned / "continuation.md").touch()
    assert not is_lost(str(spawned))
    assert not is_lost(str(spawned / "continuation.md"))
