"""A project whose directory name isn't UTF-8, as POSIX allows: its work is saved and resumed like any other's."""

import json
import os
import sys
from pathlib import Path

import pytest

from shared import paths
from shared.project_files import CHECKPOINTS
from tests import scratch
from tests.monitor.scene import CRITICAL
from tests.transcripts import Transcript

pytestmark = pytest.mark.skipif(sys.platform in {"win32", "darwin"}, reason="names are Unicode there")


def test_a_checkpoint_is_saved_proven_and_resumed(tmp_path: Path) -> None:
    project = os.fsencode(tmp_path) + b"/sh\xffop"
    os.mkdir(project)
    root = scratch.install(tmp_path)
    transcript = Transcript(tmp_path / "session-1.jsonl").record_requests()
    transcript.prompt("Add vouchers to the shop")
    transcript.answer(CRITICAL, tool_use_ids=("toolu_1",))

    def fire(event: str, session: str = "session-1", **fields: object) -> str:
        facts_by_name = {"session_id": session, "transcript_path": str(transcript.path), "cwd": os.fsdecode(project)}
        stdin = json.dumps({"hook_event_name": event, **facts_by_name, **fields}).encode()
        result = scratch.run(root, stdin, {"CLAUDE_PROJECT_DIR": os.fsdecode(project)})
        assert (result.returncode, result.stderr) == (0, b"")
        return result.stdout.decode()

    assert "CRITICAL" in fire("PostToolUse", tool_name="Bash", tool_input={}, tool_use_id="toolu_1")
    assert "cx-002" in fire("PreCompact", trigger="auto")
    transcript.boundary()
    assert "cx-002" in fire("SessionStart", source="compact")
    assert "<compaction-alert>" in fire("UserPromptSubmit", prompt="Go on")
    names = sorted(os.listdir(os.path.join(project, os.fsencode(CHECKPOINTS))))
    assert [name for name in names if name.endswith(b".json")] == [
        b"cx-001-checkpoint.json",
        b"cx-002-checkpoint.json",
    ]
    assert b"cx-002-checkpoint.json.acknowledged" in names
    assert not Path(paths.log_file(str(root))).exists()
