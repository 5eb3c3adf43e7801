"""Coverage-guided fuzzing for a bounded time; `python -m tests.torture.coverage_guided` runs as long as asked."""

import importlib.util
import re
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.effort import IS_LONG
from tests.torture import coverage_guided
from tests.torture.decoders import DECODERS
from tests.torture.decoders.decoder import Decoder

needs_atheris = pytest.mark.skipif(importlib.util.find_spec("atheris") is None, reason=coverage_guided.MISSING)


@pytest.fixture(autouse=True)
def _same_order_of_sets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONHASHSEED", "0")


def broken(home: Path) -> Decoder:
    def decode(data: bytes) -> None:
        (home / "written").write_bytes(data)
        assert b'"whole": 1' in data or not data.startswith(b"{"), "not whole"

    return Decoder([b'{"whole": 1}'], decode)


def test_without_atheris_it_says_how_to_get_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "atheris", None)
    assert coverage_guided.main([]) == 2
    assert capsys.readouterr().err == f"{coverage_guided.MISSING}\n"


@needs_atheris
def test_the_command_prints_a_row_for_each_decoder(capsys: pytest.CaptureFixture[str]) -> None:
    assert coverage_guided.main(["--seconds", "1", "--seed", "1", "goal", "variables"]) == 0
    printed = capsys.readouterr()
    assert printed.err == ""
    rows = [line.split(" | ") for line in printed.out.splitlines()[2:]]
    assert [row[0] for row in rows] == ["| goal", "| variables", "| all"]
    inputs = [int(row[1].replace(",", "")) for row in rows]
    assert inputs[0] + inputs[1] == inputs[2]
    assert [row[2] for row in rows] == ["0", "0", "0"]


@needs_atheris
def test_a_defect_is_found_and_its_input_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(DECODERS, "broken", broken)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    fuzzing = coverage_guided.fuzzed("broken", 20)
    assert "AssertionError: not whole" in fuzzing.failure
    match = re.search(r"The input: (.+)", fuzzing.failure)
    assert match is not None
    assert Path(match[1]).read_bytes().startswith(b"{")


@needs_atheris
@pytest.mark.parametrize("name", DECODERS)
def test_fuzzing_guided_by_coverage_finds_no_failure(name: str, tried: Callable[[], None]) -> None:
    # Only the long run uses new inputs each time: a short one would fail an unrelated change by chance.
    fuzzing = coverage_guided.fuzzed(name, 10) if IS_LONG else coverage_guided.fuzzed(name, 5, seed=1, at_most=100)
    for _ in range(fuzzing.inputs):
        tried()
    assert not fuzzing.failure, fuzzing.failure
