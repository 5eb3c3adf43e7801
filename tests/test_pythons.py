"""Which Pythons `.ci/run` runs the tests on."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests import pythons
from tests.conftest import REPOSITORY


def python(directory: Path, name: str, answer: str) -> str:
    directory.mkdir(parents=True, exist_ok=True)
    path = directory / name
    path.write_text(f"#!/bin/sh\n{answer}\n")
    path.chmod(0o755)
    return str(path)


def test_each_newer_version_counts_once_and_the_oldest_first(tmp_path: Path) -> None:
    newest = python(tmp_path, "python3.13", "echo cpython 3.13")
    middle = python(tmp_path, "python3.12", "echo cpython 3.12")
    second = python(tmp_path / "other", "python3.12", "echo cpython 3.12")
    running = python(tmp_path, "python3.11", "echo cpython 3.11")

    assert pythons.others([newest, middle, second, running], (3, 11)) == [middle, newest]


def test_a_python_that_cannot_run_the_tests_does_not_count(tmp_path: Path) -> None:
    unusable = [
        python(tmp_path, "shim", "exit 127"),
        python(tmp_path, "pypy", "echo pypy 3.12"),
        python(tmp_path, "old", "echo cpython 3.10"),
        python(tmp_path, "bare", "echo cpython 3.12; exit 1"),
        str(tmp_path / "gone"),
    ]

    assert pythons.others(unusable, (3, 11)) == []


def test_a_real_python_answers_the_version_question() -> None:
    assert pythons.version_of(sys.executable) == sys.version_info[:2]


def test_a_machine_without_a_second_python_is_told_so(tmp_path: Path) -> None:
    only = "import sys; from tests import pythons; pythons.candidates = list; sys.exit(pythons.main())"
    result = subprocess.run([sys.executable, "-c", only], cwd=REPOSITORY, capture_output=True, text=True, check=False)

    assert (result.returncode, result.stdout, result.stderr) == (0, "", f"{pythons.NONE}\n")


@pytest.mark.skipif(os.name == "nt", reason="the launcher of Windows knows its own")
def test_an_interpreter_of_pyenv_is_found_wherever_pyenv_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "versions" / "3.13.0" / "bin" / "python3.13"
    python(path.parent, path.name, "")
    monkeypatch.setenv("PYENV_ROOT", str(tmp_path))
    assert str(path) in pythons.candidates()
