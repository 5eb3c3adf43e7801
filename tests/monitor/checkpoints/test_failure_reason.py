"""Why a command failed, in one line of what it printed."""

import json
from pathlib import Path

import pytest

from monitor.activity.activity import Failure
from monitor.checkpoints import sections
from monitor.checkpoints.checkpoint import Checkpoint, ContextState, SessionInfo
from monitor.checkpoints.failure_reason import reason_of
from shared.secrets.masking import MASK

AWS = "AKIA" + "IOSFODNN7EXAMPLE"


def transcript_of(directory: Path, output: str, **fields: object) -> Path:
    """A transcript whose second line is the result of a failed command."""
    results = [
        {"type": "tool_result", "content": "error: of a command that worked"},
        {"type": "text", "text": "error: no result", "is_error": True},
        {"type": "tool_result", "is_error": True, "content": output} | fields,
    ]
    line = {"type": "user", "message": {"content": results}}
    path = directory / "session.jsonl"
    path.write_text("{}\n" + json.dumps(line) + "\n")
    return path


@pytest.mark.parametrize(
    ("output", "reason"),
    [
        ("Exit code 1\nError: no cart\nsee the log", "Error: no cart"),
        ("Error: no cart\nAssertionError: 3 != 4\n---\n12", "AssertionError: 3 != 4"),
        ("Exit code 2\nmake: *** [all]\n  stop.  ", "stop."),
        ("Exit code 1\n-----\n 12 34\n", ""),
        ("Exit code 1", ""),
        ("", ""),
        (f"failed with {AWS}", f"failed with {MASK}"),
        ("failed " + "word " * 100, ("failed " + "word " * 100)[:159].rstrip() + "\u2026"),
        ("first error\n" + "at work\n" * 1_000, "at work"),
    ],
)
def test_the_last_line_that_tells_something_is_the_reason(tmp_path: Path, output: str, reason: str) -> None:
    assert reason_of(Failure("npm test", 2, 1, offset=3), str(transcript_of(tmp_path, output))) == reason


def test_an_unknown_place_has_no_reason(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = transcript_of(tmp_path, "error: no cart")
    monkeypatch.chdir(tmp_path)
    assert reason_of(Failure("npm test", 2, 1), str(path)) == ""
    for elsewhere in ("", path.name, f"{path}.gone"):
        assert reason_of(Failure("npm test", 2, 1, offset=3), elsewhere) == ""
    assert reason_of(Failure("npm test", 1, 1, offset=0), str(path)) == ""


def test_a_transcript_may_begin_with_the_failure(tmp_path: Path) -> None:
    path = transcript_of(tmp_path, "error: no cart")
    path.write_bytes(path.read_bytes().removeprefix(b"{}\n"))
    assert reason_of(Failure("npm test", 1, 1, offset=0), str(path)) == "error: no cart"


def test_a_failure_is_told_with_its_reason_as_far_as_that_is_known(tmp_path: Path) -> None:
    path = transcript_of(tmp_path, "error: no cart")
    info = SessionInfo("shop", "main", "/shop", transcript_path=str(path))
    failures = (Failure("npm test", 2, 1, offset=3), Failure("make", 9))
    section = sections.failures(Checkpoint("cx-001", "", 1, ContextState(), info, failing_commands=failures), 5)
    assert section.items == ["`npm test` (exit code 1): error: no cart", "`make`"]
    assert sections.failures(Checkpoint("cx-001", "", 1, ContextState(), info, failing_commands=failures), 1).total == 2
