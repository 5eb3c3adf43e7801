import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from monitor.checkpoints.token_budget import tokens
from shared.gauge.limit import compaction_key, read_learned
from shared.secrets.masking import MASK
from tests import scratch
from tests.levels import level_at
from tests.monitor.checkpoints.saved_words import saved_words
from tests.monitor.workshop import FOLDER, GIT, Workshop
from tests.shared.credentials import KEYS
from tests.transcripts import NEW_CLIENT, OLD_CLIENT, captured


def test_a_manual_compaction_before_any_answer_leaves_no_checkpoint(workshop: Workshop) -> None:
    """The client refuses it ("Not enough messages"): a checkpoint would report unfinished work without a compaction."""
    assert workshop.compact("manual") == ""
    workshop.transcript.answer(140_000)
    assert workshop.compact("manual") != ""
    workshop.transcript.boundary()
    assert workshop.compact("manual") == ""
    assert len(workshop.checkpoints()) == 1


def test_the_brief_opens_with_the_checkpoint(workshop: Workshop) -> None:
    workshop.transcript.answer(167_000)
    assert workshop.compact().splitlines()[0] == "Checkpoint cx-001 saved at 84% context fill"


def test_a_fill_far_from_the_compaction_point_is_not_reported(workshop: Workshop) -> None:
    """After an answer without a stop reason the client writes nothing until the turn ends."""
    workshop.transcript.answer(101_000)
    assert workshop.compact().splitlines()[0] == "Checkpoint cx-001 saved at ?% context fill"
    assert "?% of the window in use" in workshop.start("compact")
    assert workshop.compact("manual").splitlines()[0] == "Checkpoint cx-002 saved at 51% context fill"
    workshop.transcript.answer(
        101_000, tool_use_ids=[]
    )  # at rest: 2.1.330 compacts a large window before its cache ends
    assert workshop.compact().splitlines()[0] == "Checkpoint cx-003 saved at 51% context fill"


def test_the_brief_is_plain_text(workshop: Workshop) -> None:
    """The client would take a JSON object for another kind of answer."""
    workshop.transcript.answer(167_000)
    result = scratch.run(workshop.root, json.dumps(workshop.payload("PreCompact", trigger="auto")).encode())
    assert (result.returncode, result.stderr) == (0, b"")
    assert result.stdout.startswith(b"Checkpoint cx-001 ")


def test_the_brief_says_what_must_survive(workshop: Workshop) -> None:
    workshop.repository("feature/greeting")
    workshop.edit("src/app.py", 3)
    workshop.edit("src/other.py")
    workshop.read("README.md", 2)
    workshop.bash("pytest -q tests/test_app.py", code=1)
    todo = [
        {"content": "Fix the greeting", "status": "completed", "activeForm": "x"},
        {"content": "Write the tests", "status": "pending", "activeForm": "x"},
        {"content": "Rename the module", "status": "in_progress", "activeForm": "x"},
    ]
    workshop.call("TodoWrite", todos=todo)
    (workshop.project / "new.txt").write_text("x")

    brief = workshop.compact("manual")

    assert "Open tasks: Rename the module [in progress]; Write the tests [pending]\n" in brief
    assert "Fix the greeting" not in brief
    assert "Edited most: src/app.py (3x); src/other.py (1x)\n" in brief
    assert "Read most: README.md (2x)\n" in brief
    assert "Failed when last run: `pytest -q tests/test_app.py`\n" in brief
    assert "Branch: feature/greeting at " in brief
    assert ", 1 file with uncommitted changes\n" in brief
    assert str(FOLDER / "cx-001-checkpoint.json") in brief
    assert len(brief) / 4 <= tokens(brief) <= 300


def test_the_branch_is_the_current_worktrees(workshop: Workshop) -> None:
    workshop.repository("trunk")
    subprocess.run([*GIT, "worktree", "add", "-q", "-b", "bay", "inside"], cwd=workshop.project, check=True)

    assert "Branch: bay at " in workshop.compact(cwd=str(workshop.project / "inside"))


def test_a_command_that_passes_again_is_not_reported(workshop: Workshop) -> None:
    workshop.bash("make check", code=2)
    workshop.bash("make check")
    assert "make check" not in workshop.compact()


def test_the_brief_keeps_to_its_budget_and_says_so(workshop: Workshop) -> None:
    for number in range(60):
        workshop.edit(f"packages/a-package-with-a-long-name/source/components/Component{number:03}View.tsx")
        workshop.read(f"packages/a-package-with-a-long-name/source/components/Component{number:03}Model.tsx")
        workshop.bash(f"npm run test -- --filter='component {number}' --reporter=verbose --bail=1 && echo done", code=1)
    todo = [
        {"content": f"Task {n} of a long list, described at some length as agents do it", "status": "pending"}
        for n in range(40)
    ]
    workshop.call("TodoWrite", todos=todo)

    brief = workshop.compact()

    assert tokens(brief) <= 300
    assert "(shortened;" in brief
    assert brief.endswith("cx-001-checkpoint.json")


def test_many_tasks_leave_room_for_everything_else(workshop: Workshop) -> None:
    workshop.repository("feature/greeting")
    workshop.edit("src/app.py", 3)
    workshop.bash("make check", code=2)
    words = (
        "needs a \u8a2d\u5b9a of what is to be done, as an agent writes it down for itself, \u8aad\u307f\u8fbc\u307f"
    )
    workshop.call("TodoWrite", todos=[{"content": f"Task {n:02} {words}", "status": "pending"} for n in range(12)])

    brief = workshop.compact()

    assert tokens(brief) <= 300
    for text in ("Task 00", "Task 01", "src/app.py", "make check", "feature/greeting", "cx-001-checkpoint.json"):
        assert text in brief
    assert re.search(r"\d more", brief)  # the tasks that found no room are counted


def test_a_key_in_a_task_is_not_written_down(workshop: Workshop) -> None:
    key = "gsk" + "_" + "aB3d" * 13
    workshop.call("TodoWrite", todos=[{"content": f"Try {key} in staging", "status": "pending"}])
    workshop.call("TaskCreate", output="Task #1 created successfully: x", subject=f"Set {key}")
    workshop.call("TaskUpdate", taskId="1", subject=f"Set {key} again")

    brief = workshop.compact()

    assert "[masked]" in brief
    assert key[:20] not in brief
    assert key[:20] not in (workshop.folder / "cx-001-checkpoint.json").read_text()


def test_the_checkpoint_holds_the_seeds_fields(workshop: Workshop) -> None:
    workshop.repository()
    workshop.transcript.prompt("Fix it")
    workshop.transcript.answer(167_000)
    workshop.compact("auto")

    (checkpoint,) = workshop.checkpoints()

    assert checkpoint["checkpoint_id"] == "cx-001"
    assert checkpoint["compaction_sequence"] == 1
    assert checkpoint["timestamp"].endswith("+00:00")
    state = checkpoint["context_state"]
    assert (state["fill_percentage"], state["input_tokens"]) == (0.835, 167_000)
    assert state["threshold_tier"] == level_at(167_000).name
    assert checkpoint["resumption_state"] is None
    info = checkpoint["session_info"]
    assert (info["project_id"], info["branch"], info["working_directory"]) == ("shop", "main", str(workshop.project))
    assert (info["session_id"], info["trigger"]) == (workshop.session_id, "auto")
    assert info["project_directory"] == os.path.realpath(workshop.project)
    assert info["transcript_path"] == str(workshop.transcript.path)


def test_prompts_are_not_written_down_in_the_project(workshop: Workshop) -> None:
    workshop.transcript.answer(100_000)
    workshop.transcript.prompt("A secret wish")
    workshop.compact()

    assert "A secret wish" not in (workshop.folder / "cx-001-checkpoint.json").read_text()


def test_unknown_figures_are_not_guessed(workshop: Workshop) -> None:
    workshop.transcript.path.unlink()
    assert workshop.compact().splitlines()[0] == "Checkpoint cx-001 saved at ?% context fill"
    state = workshop.checkpoints()[0]["context_state"]
    assert (state["fill_percentage"], state["input_tokens"]) == (None, None)


@pytest.mark.parametrize(
    ("text", "state"),
    [
        (None, None),
        ("resumption:\n  current_phase: 2\n  next_step: Go on\n", {"current_phase": "2", "next_step": "Go on"}),
        ("workflow: x\n", None),
        ("not: [valid: yaml: content", "not: [valid: yaml: content"),
        ("", None),
    ],
)
def test_the_resumption_section_is_kept(workshop: Workshop, text: str | None, state: object) -> None:
    if text is not None:
        (workshop.project / "ORCHESTRATION.yaml").write_text(text)
    workshop.compact()
    assert workshop.checkpoints()[0]["resumption_state"] == state


def test_the_summary_file_is_named(workshop: Workshop) -> None:
    (workshop.project / "PROJECT-SUMMARY.md").write_text("state")
    workshop.compact()
    assert workshop.checkpoints()[0]["summary_path"] == str(workshop.project / "PROJECT-SUMMARY.md")


@pytest.mark.parametrize("part", ["activity_of", "git_status.inspect", "client_process.own", "_orchestration"])
def test_a_part_that_fails_is_left_out(workshop: Workshop, monkeypatch: pytest.MonkeyPatch, part: str) -> None:
    monkeypatch.setattr(f"monitor.checkpoints.save.{part}", lambda *_: 1 / 0)
    workshop.transcript.answer(167_000)
    assert workshop.compact().startswith("Checkpoint cx-001 saved at 84%")


def test_a_reading_that_fails_is_left_out(workshop: Workshop, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("monitor.hooks.pre_compact.snapshot_of", lambda *_: 1 / 0)
    assert workshop.compact().startswith("Checkpoint cx-001 saved at ?%")


def test_a_subagents_compaction_is_not_attributed_to_the_session(workshop: Workshop) -> None:
    assert workshop.compact(agent_id="a1") == ""
    assert not workshop.folder.exists()


def test_checkpoints_can_be_switched_off(workshop: Workshop) -> None:
    workshop.configure("hooks.checkpoint = false")
    assert workshop.compact() == ""
    assert not workshop.folder.exists()


@pytest.mark.parametrize("version", [OLD_CLIENT, NEW_CLIENT])
def test_a_captured_session_is_understood(workshop: Workshop, version: str) -> None:
    workshop.transcript.path.write_bytes(captured(version).read_bytes())
    workshop.compact("manual")

    (checkpoint,) = workshop.checkpoints()

    assert [use["path"] for use in checkpoint["files_read"]] == ["/home/dev/shop/src/app.py"]
    assert checkpoint["failing_commands"] == []  # `exit 3`, which failed, is no check
    boundaries = [line for line in workshop.transcript.path.read_text().splitlines() if '"compact_boundary"' in line]
    assert checkpoint["compacted_at"] == json.loads(boundaries[-1])["timestamp"]
    (words,) = saved_words(workshop)
    assert [request["text"] for request in words["requests"]] == ["Fix the greeting", "Now the tests", "And the docs"]


@pytest.mark.skipif(sys.platform == "win32", reason="a script on PATH is no program there")
def test_a_hanging_git_costs_only_its_own_time(
    workshop: Workshop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "bin" / "git"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\nexec sleep 30\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}:{os.environ['PATH']}")
    monkeypatch.setattr("monitor.checkpoints.project.git_status.SECONDS", 0.2)
    assert workshop.compact().startswith("Checkpoint cx-001")
    assert workshop.checkpoints()[0]["session_info"]["branch"] is None


def test_facts_in_the_transcript_are_learned(workshop: Workshop) -> None:
    workshop.transcript.answer(166_000)
    workshop.transcript.boundary(167_100)
    workshop.transcript.answer(24_000)

    workshop.compact()

    assert read_learned(str(workshop.root)).compactions == {
        compaction_key("claude-opus-4-6", NEW_CLIENT, 200_000, {}): 167_100
    }


def test_a_session_without_a_transcript_is_no_failure(workshop: Workshop) -> None:
    """The client can be told to keep no transcript."""
    workshop.transcript.path.unlink()
    assert workshop.compact().startswith("Checkpoint cx-001 ")
    assert scratch.log(workshop.root) == []


def test_a_key_in_a_branchs_name_is_not_saved(workshop: Workshop) -> None:
    workshop.repository(KEYS["github"])
    workshop.compact()
    assert workshop.checkpoints()[0]["session_info"]["branch"] == MASK
