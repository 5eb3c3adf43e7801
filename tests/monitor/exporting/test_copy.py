"""The two copies of an export: private, whole, masked, and the same session."""

import errno
import gzip
import os
import stat
import subprocess
import sys
from pathlib import Path
from unittest.mock import Mock

import pytest

from monitor.exporting.copy import copy, start
from shared.files.directory import opened
from shared.project_files import ARCHIVE, READABLE
from shared.secrets.masking import MASK
from tests import peak_memory
from tests.monitor.exports import exported
from tests.monitor.workshop import Workshop

AWS = "AKIA" + "IOSFODNN7EXAMPLE"


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    path = tmp_path / "001-export"
    path.mkdir()
    return path


def copied_into(directory: Path, workshop: Workshop) -> str:
    with opened(os.path.realpath(directory)) as result:
        return copy(str(workshop.transcript.path), result)


def test_both_copies_hold_the_session_without_its_secrets(workshop: Workshop, directory: Path) -> None:
    workshop.transcript.prompt(f"Use {AWS} for it")
    workshop.bash("make")

    copied = copied_into(directory, workshop)

    whole = gzip.decompress((directory / ARCHIVE).read_bytes()).decode()
    assert whole == workshop.transcript.path.read_text().replace(AWS, MASK)
    assert f"> Use {MASK} for it" in (directory / READABLE).read_text()
    assert (directory / READABLE).read_text().startswith("# Session session-1\n\n## Prompt 1")
    assert (directory / READABLE).read_text().endswith(f"\n---\n\n{copied}\n")
    assert copied == "1 prompt, 1 answer, 1 tool call; 1 secret that looks like a key is masked."


@pytest.mark.parametrize(("size", "count"), [(100, 0), (1 << 20, 1), (5 << 20, 1)])
def test_a_line_that_is_too_long_is_left_out_of_what_a_person_reads(
    workshop: Workshop, directory: Path, size: int, count: int
) -> None:
    workshop.transcript.prompt("before")
    workshop.transcript.write(b'"' + b"x " * (size // 2) + b'"\n')

    copied_into(directory, workshop)

    text = (directory / READABLE).read_text()
    assert text.count("very long line") == count
    assert "> before" in text
    assert gzip.decompress((directory / ARCHIVE).read_bytes()) == workshop.transcript.path.read_bytes()


@pytest.mark.skipif(sys.platform == "win32", reason="has no modes")
def test_copies_are_private(workshop: Workshop, directory: Path) -> None:
    copied_into(directory, workshop)

    assert {stat.S_IMODE(path.stat().st_mode) for path in directory.iterdir()} == {0o600}


def test_existing_copies_are_not_overwritten(workshop: Workshop, directory: Path) -> None:
    (directory / f"{ARCHIVE}.partial").write_text("mine")

    with pytest.raises(FileExistsError):
        copied_into(directory, workshop)

    assert (directory / f"{ARCHIVE}.partial").read_text() == "mine"


def test_a_failed_copy_does_not_get_its_final_name(workshop: Workshop, directory: Path) -> None:
    workshop.transcript.path.unlink()

    with pytest.raises(FileNotFoundError):
        copied_into(directory, workshop)

    assert not (directory / ARCHIVE).exists()
    assert not (directory / READABLE).exists()


def test_a_copy_that_fails_names_its_directory(
    workshop: Workshop, directory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    full = OSError(errno.ENOSPC, "No space left on device")
    monkeypatch.setattr(f"{copy.__module__}._fill", Mock(side_effect=full))

    with opened(os.path.realpath(directory)) as result, pytest.raises(OSError, match=directory.name):
        copy(str(workshop.transcript.path), result)


@pytest.mark.skipif(sys.platform == "win32", reason="has no such figure")
def test_memory_does_not_grow_with_the_transcript(workshop: Workshop, directory: Path) -> None:
    program = """import sys
sys.path[:] = sys.argv[3:]
from monitor.exporting.copy import copy
from shared.files.directory import opened

with opened(sys.argv[2]) as directory:
    copy(sys.argv[1], directory)"""
    peaks = []
    for megabytes in (3, 9):
        target = directory.resolve() / str(megabytes)
        target.mkdir()
        while workshop.transcript.size < megabytes * 1_000_000:
            workshop.transcript.prompt("word " * 200_000)
        words = [sys.executable, "-c", program, str(workshop.transcript.path), str(target), *filter(None, sys.path)]
        _, code, peak = peak_memory.measure(words)
        assert code == 0
        peaks.append(peak)

    assert peaks[1] < peaks[0] + 5_000_000


def test_a_separate_process_finishes_the_copies(workshop: Workshop, directory: Path) -> None:
    workshop.transcript.prompt("Fix the greeting")

    with opened(os.path.realpath(directory)) as result:
        start(str(workshop.root), str(workshop.transcript.path), result)

    assert "Fix the greeting" in exported(directory).read_text()
    assert sorted(os.listdir(directory)) == [READABLE, ARCHIVE]


def test_the_separate_process_yields_to_the_session(workshop: Workshop, directory: Path) -> None:
    workshop.transcript.prompt("Fix the greeting")
    program = "import os; from monitor.exporting.copy import main; main(); print(os.nice(0))"
    words = [sys.executable, "-c", program, str(workshop.root), str(workshop.transcript.path), str(directory), ""]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}

    result = subprocess.run(words, env=environment, capture_output=True, text=True, check=True)

    assert int(result.stdout) == min(os.nice(0) + 10, 19)
    assert (directory / READABLE).exists()
