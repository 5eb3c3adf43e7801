import json
import os
import subprocess
from pathlib import Path

import pytest

from monitor.checkpoints.checkpoint import ContextState
from monitor.checkpoints.project import orchestration
from monitor.checkpoints.project.orchestration import LIMIT
from monitor.checkpoints.save import describe, save
from shared import effort, paths
from shared.gauge.levels import LevelRules
from shared.gauge.verdict import verdict_on
from shared.gauge.window import Reading, WindowSource
from tests import scratch
from tests.monitor.conftest import Carried
from tests.monitor.workshop import Workshop
from tests.shared.credentials import KEYS


@pytest.mark.parametrize("is_outside", [True, False])
def test_only_a_link_that_stays_in_the_project_is_followed(
    workshop: Workshop,
    tmp_path: Path,
    is_outside: bool,
) -> None:
    home = tmp_path / "outside" if is_outside else workshop.project / "docs"
    home.mkdir()
    for name in ("ORCHESTRATION.yaml", "PROJECT-SUMMARY.md"):
        (home / name).write_text("resumption:\n  next_step: Fetch the secret\n")
        (workshop.project / name).symlink_to(home / name)

    workshop.compact()

    (checkpoint,) = workshop.checkpoints()
    values = [checkpoint["resumption_state"], checkpoint["orchestration_path"], checkpoint["summary_path"]]
    assert [value is None for value in values] == [is_outside] * 3
    assert ("Fetch the secret" in workshop.start("compact")) is not is_outside


def test_a_linked_directory_is_not_followed_either(workshop: Workshop, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "ORCHESTRATION.yaml").write_text("resumption:\n  next_step: Fetch the secret\n")
    (workshop.project / "deep").symlink_to(outside)
    workshop.edit(os.path.join("deep", "ORCHESTRATION.yaml"))
    workshop.compact()
    assert workshop.checkpoints()[0]["resumption_state"] is None


def test_the_most_used_come_first_then_the_newest(workshop: Workshop) -> None:
    for name, times in (("a.py", 2), ("b.py", 1), ("c.py", 2), ("d.py", 1)):
        workshop.edit(name, times)
        workshop.read(name, times)
    for command in ("make test", "make lint", "make test"):
        workshop.bash(command)
    workshop.compact()
    (checkpoint,) = workshop.checkpoints()
    for kind in ("files_edited", "files_read"):
        counts = [(os.path.basename(use["path"]), use["count"]) for use in checkpoint[kind]]
        assert counts == [("c.py", 2), ("a.py", 2), ("d.py", 1), ("b.py", 1)]
    assert [check["command"] for check in checkpoint["checks"]] == ["make test", "make lint"]


def test_no_path_that_is_saved_holds_a_secret(workshop: Workshop) -> None:
    name = f"{KEYS['github']}/cart.py"
    workshop.edit(name)
    workshop.read(name)
    os.mkdir(workshop.project / KEYS["github"])
    (workshop.project / name).write_text("a = 1\n")
    subprocess.run(["git", "init", "-q"], cwd=workshop.project, check=True)
    subprocess.run(["git", "add", "-A"], cwd=workshop.project, check=True)
    workshop.compact()
    (checkpoint,) = workshop.checkpoints()
    for kind in ("files_edited", "files_read"):
        assert [use["path"] for use in checkpoint[kind]] == [str(workshop.project / "[masked]/cart.py")]
    assert checkpoint["dirty_files"] == ["A. [masked]/cart.py"]
    assert KEYS["github"] not in json.dumps(checkpoint)


def test_at_most_sixty_files_and_twenty_checks_are_kept(workshop: Workshop) -> None:
    lines = []
    for number in range(70):
        calls = [("Edit", {"file_path": f"/{number}.py"}), ("Bash", {"command": f"pytest {number}"})]
        blocks = [
            {"type": "tool_use", "id": f"{name}{number}", "name": name, "input": arguments} for name, arguments in calls
        ]
        lines.append({"type": "assistant", "message": {"content": blocks}})
        results = [{"type": "tool_result", "tool_use_id": block["id"], "content": "ok"} for block in blocks]
        lines.append({"type": "user", "message": {"content": results}})
    workshop.transcript.write("".join(json.dumps(line) + "\n" for line in lines).encode())
    workshop.compact()
    (checkpoint,) = workshop.checkpoints()
    assert (len(checkpoint["files_edited"]), len(checkpoint["checks"])) == (60, 20)
    assert checkpoint["checks"][0]["command"] == "pytest 69"


def test_the_windows_fill_is_kept(workshop: Workshop) -> None:
    workshop.transcript.answer(23_457)
    workshop.compact("manual")
    workshop.transcript.path.unlink()
    workshop.compact()
    measured, unknown = (checkpoint["context_state"] for checkpoint in workshop.checkpoints())
    assert measured == {
        "fill_percentage": 0.1173,
        "input_tokens": 23_457,
        "threshold_tier": "NORMAL",
        "context_window": 200_000,
        "context_window_source": "catalogue",
    }
    assert unknown["fill_percentage"] is None
    assert [checkpoint["session_info"]["transcript_size"] >= 0 for checkpoint in workshop.checkpoints()] == [
        True,
        False,
    ]
    assert [checkpoint["compaction_sequence"] for checkpoint in workshop.checkpoints()] == [1, 2]


def test_done_and_open_work_are_told_apart(workshop: Workshop) -> None:
    states = ("pending", "completed", "in_progress", "completed")
    workshop.call("TodoWrite", todos=[{"content": f"Step {n}", "status": state} for n, state in enumerate(states, 1)])
    for command in ("make one", "make two", "deploy"):
        workshop.bash(command, code=1)
    workshop.compact()
    (checkpoint,) = workshop.checkpoints()
    assert [task["text"] for task in checkpoint["done"]] == ["Step 2", "Step 4"]
    assert [task["text"] for task in checkpoint["todo"]] == ["Step 3", "Step 1"]
    assert [failure["command"] for failure in checkpoint["failing_commands"]] == ["make two", "make one"]


@pytest.mark.parametrize("place", [".", "deep"])
def test_a_projects_summary_and_state_are_read_where_the_session_works(workshop: Workshop, place: str) -> None:
    (workshop.project / "deep").mkdir()
    (workshop.project / place / "ORCHESTRATION.yaml").write_text("resumption: {next_step: Score}\n")
    (workshop.project / "PROJECT-SUMMARY.md").write_text("state")
    workshop.configure("")
    workshop.compact(cwd=str(workshop.project))
    (checkpoint,) = workshop.checkpoints()
    assert (checkpoint["orchestration_path"] is not None) is (place == ".")
    assert checkpoint["summary_path"] == os.path.realpath(workshop.project / "PROJECT-SUMMARY.md")


@pytest.mark.parametrize("has_key", [True, False])
def test_a_saved_checkpoint_says_whether_it_is_proven(workshop: Workshop, context: Carried, has_key: bool) -> None:
    if not has_key:
        Path(paths.checkpoint_key(str(workshop.root))).parent.write_text("a file in the way")
    at = context()
    saved = save(at.conversation, at.session, at.project, "manual", None)
    assert saved.is_proven is has_key
    assert (saved.name, saved.number, saved.is_resumed) == ("cx-001-checkpoint.json", 1, False)


@pytest.mark.parametrize(("size", "is_read"), [(LIMIT, True), (LIMIT + 1, False)])
def test_a_state_that_is_too_large_is_not_read(workshop: Workshop, size: int, *, is_read: bool) -> None:
    (workshop.project / "ORCHESTRATION.yaml").write_text("resumption: {next_step: Score}\n#".ljust(size, "x"))
    workshop.compact()
    (checkpoint,) = workshop.checkpoints()
    assert (checkpoint["resumption_state"] is not None) is is_read
    assert (checkpoint["orchestration_path"] is not None) is is_read
    assert scratch.log(workshop.root) == []


def test_tokens_are_kept_where_the_windows_size_is_unknown(context: Carried) -> None:
    at = context()
    reading = Reading(None, 5_000, None, "transcript", WindowSource.UNKNOWN, 0.0)
    checkpoint = describe(at.conversation, at.session, at.project, "status", verdict_on(reading, None, LevelRules()))
    assert checkpoint.context_state == ContextState(None, 5_000, context_window_source="unknown")


def test_a_state_that_takes_all_the_time_does_not_cost_the_requests(
    workshop: Workshop, context: Carried, monkeypatch: pytest.MonkeyPatch
) -> None:
    workshop.transcript.prompt("Rename the parser")
    (workshop.project / "ORCHESTRATION.yaml").write_text("resumption: {next_step: Score}\n")
    monkeypatch.setattr(orchestration, "resumption_of", lambda _: setattr(effort, "_until", 0.0))
    at = context()
    with effort.limited():
        words = describe(at.conversation, at.session, at.project, "manual", None).words
    assert words is not None
    assert [request.text for request in words.requests] == ["Rename the parser"]
