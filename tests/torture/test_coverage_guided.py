"""Guided by coverage, for a bounded time; `python -m tests.torture.coverage_guided` takes as long as it is told."""

import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import REPOSITORY
from tests.torture import coverage_guided
from tests.torture.decoders.decoder import Decoder
from tests.torture.effort import IS_LONG

COMMAND = [sys.executable, "-m", "tests.torture.coverage_guided"]


def test_without_atheris_it_says_how_to_get_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "atheris", None)
    assert coverage_guided.main([]) == 2
    assert capsys.readouterr().err == f"{coverage_guided.MISSING}\n"


def test_a_defect_is_found_and_its_input_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fuzzer = pytest.importorskip("tests.torture.fuzzer", reason=coverage_guided.MISSING)

    def broken(home: Path) -> Decoder:
        def decode(data: bytes) -> None:
            (home / "written").write_bytes(data)
            assert b'"whole": 1' in data or not data.startswith(b"{"), "not whole"

        return Decoder([b'{"whole": 1}'], decode)

    monkeypatch.setitem(fuzzer.DECODERS, "broken", broken)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    found = coverage_guided.fuzzed("broken", 20)
    assert "AssertionError: not whole" in found.failure
    kept = re.search(r"The input: (.+)", found.failure)
    assert kept is not None
    assert Path(kept[1]).read_bytes().startswith(b"{")


def test_inputs_guided_by_coverage(tried: Callable[[], None]) -> None:
    pytest.importorskip("atheris", reason=coverage_guided.MISSING)
    # Other inputs each time are for the long run: a short one would fail somebody's change by chance.
    how = ["--seconds", "10"] if IS_LONG else ["--seconds", "1", "--seed", "1"]
    done = subprocess.run(
        [*COMMAND, *how],
        cwd=REPOSITORY,
        env=os.environ | {"PYTHONHASHSEED": "0"},
        capture_output=True,
        text=True,
        check=False,
        timeout=3_600,
    )
    inputs = re.search(r"\| all \| ([0-9,]+) \| 0 \|", done.stdout)
    assert (done.returncode, done.stderr) == (0, ""), done.stdout
    assert inputs is not None
    for _ in range(int(inputs[1].replace(",", ""))):
        tried()
