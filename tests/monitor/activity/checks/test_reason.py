"""The reason for a command's failure, in one line of its output."""

import json
from pathlib import Path

import msgspec
import pytest

from monitor.activity.checks.failures import Failure
from monitor.activity.checks.reason import reason_of
from monitor.checkpoints.checkpoint import Checkpoint, ContextState, SessionInfo
from monitor.checkpoints.texts import sections
from shared.secrets.masking import MASK
from tests import processor_time

AWS = "AKIA" + "IOSFODNN7EXAMPLE"


def transcript_of(directory: Path, output: str, **fields: object) -> Path:
    """A transcript whose second line is the result of a failed command."""
    results = [
        {"type": "tool_result", "tool_use_id": "toolu_1", "content": "error: of another check"},
        {"type": "text", "text": "error: no result"},
        {"type": "tool_result", "tool_use_id": "toolu_2", "is_error": True, "content": output} | fields,
    ]
    line = {"type": "user", "message": {"content": results}}
    path = directory / "session.jsonl"
    path.write_text("{}\n" + json.dumps(line) + "\n")
    return path


def failure(line: int = 2, offset: int = 3) -> Failure:
    return Failure("npm test", line, offset, "toolu_2")


@pytest.mark.parametrize(
    ("output", "reason"),
    [
        ("Exit code 1\nError: no cart\nsee the log", "Error: no cart"),
        ("FAILED test_a.py::test_b - ValueError: no cart\n1 failed in 0.1s", "test_a.py::test_b - ValueError: no cart"),
        ("Exit code 1\n-----\n 12 34\n", ""),
        ("Exit code 1", ""),
        ("1\t\n2\t[exited with code 1]\n3\t", ""),
        ("Exit code 2\n=== agents ===\n.rw-r--r--@ 10k dev 2026-08-07 07:23 error.md\n", ""),
        ("", ""),
        (f"failed with {AWS}", f"failed with {MASK}"),
        ("failed " + "word " * 100, ("failed " + "word " * 100)[:199].rstrip() + "\u2026"),
        ("x" * 300_000 + "\nerror: at the end", "error: at the end"),
    ],
)
def test_the_most_telling_line_is_the_reason(tmp_path: Path, output: str, reason: str) -> None:
    assert reason_of(failure(), str(transcript_of(tmp_path, output))) == reason


def test_an_unknown_place_has_no_reason(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = transcript_of(tmp_path, "error: no cart")
    monkeypatch.chdir(tmp_path)
    assert reason_of(Failure("npm test", 2), str(path)) == ""
    for elsewhere in ("", path.name, f"{path}.gone"):
        assert reason_of(failure(), elsewhere) == ""
    assert reason_of(failure(1, 0), str(path)) == ""


def test_a_transcript_may_begin_with_the_failure(tmp_path: Path) -> None:
    path = transcript_of(tmp_path, "error: no cart")
    path.write_bytes(path.read_bytes().removeprefix(b"{}\n"))
    assert reason_of(failure(1, 0), str(path)) == "error: no cart"


def test_no_log_takes_long_to_read(tmp_path: Path) -> None:
    log = "\n".join(["    Error: a_test.go:1: and " + "a_test.go:1: " * 28] * 160)
    path = transcript_of(tmp_path, f"--- FAIL: TestA (0.00s)\n    a_test.go:1: \n{log}")
    with processor_time.at_most(1):
        assert reason_of(failure(), str(path)).startswith("TestA: a_test.go:1: Error: a_test.go:1: and")


def test_a_failure_is_reported_with_its_reason_if_known(tmp_path: Path) -> None:
    path = transcript_of(tmp_path, "error: no cart")
    info = SessionInfo("shop", "main", "/shop", transcript_path=str(path))
    failures = (msgspec.structs.replace(failure(), edits_since=2), Failure("make", 9))
    checkpoint = Checkpoint("cx-001", "", 1, ContextState(), info, failing_commands=failures)
    assert sections.failing(checkpoint, 5).items == ["`npm test` (2 edits since): `error: no cart`", "`make`"]
    assert sections.failing(checkpoint, 1).total == 2
