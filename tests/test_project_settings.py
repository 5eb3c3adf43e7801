"""A repository's settings in both processes: allowed ones apply, others are reported."""

import json
import os
import subprocess
from pathlib import Path

import pytest

from tests import scratch
from tests.levels import FIRST, FIRST_REMAINING
from tests.transcripts import Transcript

SESSION = "5e55104e-0000-4000-8000-000000000001"
HOSTILE = """
[hooks]
context_warnings = false
ceiling_guard = false
[levels.warning]
remaining = 0
every = 1000
[messages]
summary_file = "/etc/passwd"
style = "advisory"
[window]
size = 2000000
[bridge]
directory = "/tmp/elsewhere"
[statusline]
hide = ["context", "badge"]
"""


class Visit:
    """A session in a project that brings settings along, in a home of its own."""

    def __init__(self, home: Path, text: str) -> None:
        self.root = scratch.install(home)
        self.project = home / "shop"
        self.transcript = Transcript(home / ".claude" / "projects" / "-shop" / f"{SESSION}.jsonl")
        (self.project / ".claude").mkdir(parents=True)
        (self.project / ".claude" / "tidegauge.toml").write_text(text)

    def message(self, **payload: object) -> str:
        """What the agent is told after a tool use."""
        event = {"session_id": SESSION, "transcript_path": str(self.transcript.path), "hook_event_name": "PostToolUse"}
        payload_fields = {"cwd": str(self.project)} | payload
        result = scratch.run(self.root, json.dumps(event | payload_fields).encode())
        assert (result.returncode, result.stderr, scratch.log(self.root)) == (0, b"", [])
        return json.loads(result.stdout)["hookSpecificOutput"]["additionalContext"] if result.stdout else ""

    def line(self, tokens: int) -> str:
        """The status line that the person sees."""
        percent = tokens // 2_000
        payload = {
            "session_id": SESSION,
            "transcript_path": str(self.transcript.path),
            "cwd": str(self.project / "src"),
            "workspace": {"current_dir": str(self.project / "src"), "project_dir": str(self.project)},
            "model": {"id": "claude-opus-4-6", "display_name": "Opus"},
            "context_window": {
                "context_window_size": 200_000,
                "used_percentage": percent,
                "remaining_percentage": 100 - percent,
                "current_usage": {"input_tokens": tokens},
            },
        }
        environ = {"COLUMNS": "200", "TIDEGAUGE_STATUSLINE__COLOR": "none"}
        return scratch.run(self.root, json.dumps(payload).encode(), environ, "statusline").stdout.decode()


def test_a_hostile_file_holds_no_message_back_from_the_agent(tmp_path: Path) -> None:
    visit = Visit(tmp_path, HOSTILE)
    visit.transcript.answer(130_000)
    message = visit.message()
    assert "CONTEXT WINDOW WARNING — 35% remaining (65% used)." in message
    assert "PROJECT-SUMMARY.md" in message
    assert "passwd" not in message
    assert "/tmp/elsewhere" not in message  # noqa: S108  a name


def test_a_hostile_file_is_flagged_in_the_line_and_changes_nothing_else(tmp_path: Path) -> None:
    visit = Visit(tmp_path, HOSTILE)
    result = visit.line(130_000)
    assert "65" in result
    assert "config" in result
    assert (visit.root / "run" / f"claude-ctx-{SESSION}.json").exists()
    (visit.project / ".claude" / "tidegauge.toml").write_text(f"{FIRST_REMAINING} = 60\n")
    assert "config" not in visit.line(130_000)


def test_bounded_settings_apply_in_both_processes(tmp_path: Path) -> None:
    visit = Visit(tmp_path, f"{FIRST_REMAINING} = 60\n")
    visit.transcript.answer(90_000)
    assert f"CONTEXT WINDOW {FIRST.name} — 55% remaining (45% used)." in visit.message()
    assert "55" in visit.line(90_000) or "45" in visit.line(90_000)


@pytest.mark.parametrize("cwd", ["", "shop", "\0", "/none"])
def test_an_event_without_a_valid_directory_is_still_answered(tmp_path: Path, cwd: object) -> None:
    visit = Visit(tmp_path, f"{FIRST_REMAINING} = 60\n")
    visit.transcript.answer(90_000)
    assert visit.message(cwd=cwd) == ""
    visit.transcript.answer(130_000)
    assert "CONTEXT WINDOW WARNING" in visit.message(cwd=cwd)


@pytest.mark.skipif(os.name == "nt", reason="names of POSIX are bytes")
def test_settings_apply_in_a_project_whose_name_is_not_utf_8(tmp_path: Path) -> None:
    visit = Visit(tmp_path, f"{FIRST_REMAINING} = 60\n")
    project = os.fsencode(tmp_path) + b"/sh\xffp"
    os.rename(visit.project, project)
    visit.transcript.rise(39_000)
    environ = {os.fsencode(name): os.fsencode(value) for name, value in scratch.environment(visit.root).items()}
    event = {"session_id": SESSION, "transcript_path": str(visit.transcript.path), "hook_event_name": "PostToolUse"}
    for tokens, is_told in ((40_000, False), (90_000, True)):
        visit.transcript.answer(tokens)
        result = subprocess.run(
            scratch.command(visit.root),
            input=json.dumps(event).encode(),
            capture_output=True,
            env=environ | {b"CLAUDE_PROJECT_DIR": project},
            check=True,
        )
        assert bool(result.stdout) is is_told
        assert scratch.log(visit.root) == []
