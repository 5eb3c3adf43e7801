import json
import os
import subprocess
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from tests import scratch
from tests.monitor.scene import WARNING
from tests.monitor.workshop import Workshop
from tests.transcripts import START


def written(workshop: Workshop, updated_at: str | None, *, name: str = "ORCHESTRATION.yaml", text: str = "") -> Path:
    path = workshop.project / name
    path.write_text(text or f"resumption:\n  recovery_state:\n    updated_at: {updated_at}\n")
    return path


def staleness_warning(workshop: Workshop, path: Path | str, tool: str = "Write", **fields: Any) -> str:
    """The answer of the writing tools' hook, started as it is registered."""
    payload = workshop.payload(
        "PostToolUse", tool_name=tool, tool_input={"file_path": str(path), "content": "x"}, **fields
    )
    command = [*scratch.command(workshop.root), "staleness"]
    result = subprocess.run(
        command,
        input=json.dumps(payload).encode(),
        capture_output=True,
        env=scratch.environment(workshop.root),
        check=True,
        timeout=30,
    )
    assert result.stderr == b""
    assert scratch.log(workshop.root) == []
    return json.loads(result.stdout)["hookSpecificOutput"]["additionalContext"] if result.stdout else ""


def checkpoint_at(workshop: Workshop, stamp: str) -> None:
    workshop.compact()
    moment = datetime.fromisoformat(stamp).timestamp()
    newest = max(workshop.folder.glob("cx-*-checkpoint.json"))
    os.utime(newest, (moment, moment))


def test_a_state_older_than_the_newest_checkpoint_is_reported(workshop: Workshop) -> None:
    checkpoint_at(workshop, "2026-02-19T08:00:00+00:00")
    path = written(workshop, "'2026-02-18T10:00:00+00:00'")

    message = staleness_warning(workshop, path)

    assert len(message.splitlines()) == 1
    assert "stale" in message
    assert "2026-02-18T10:00:00+00:00" in message
    assert "checkpoint cx-001, 2026-02-19T08:00:00+00:00" in message
    assert staleness_warning(workshop, path, "Edit") == message


def test_the_newest_checkpoint_is_named(workshop: Workshop) -> None:
    path = written(workshop, "2026-02-18T10:00:00Z")
    checkpoint_at(workshop, "2026-02-19T08:00:00+00:00")
    assert "cx-001" in staleness_warning(workshop, path)
    checkpoint_at(workshop, "2026-02-20T08:00:00+00:00")
    assert "cx-002" in staleness_warning(workshop, path)


@pytest.mark.parametrize(
    "updated_at",
    [
        "'2026-02-19T08:00:00+00:00'",
        "2026-02-19T08:00:00Z",
        "2026-02-19 08:00:00",
        "'2026-02-19T10:00:00+02:00'",
        "'2026-02-20T08:00:00Z'",
        "2026-02-18",
        "'2026-02-18'",
        "yesterday",
        "",
        "5",
        "[1]",
    ],
)
def test_a_newer_or_invalid_time_is_ignored(workshop: Workshop, updated_at: str) -> None:
    checkpoint_at(workshop, "2026-02-19T08:00:00+00:00")
    assert staleness_warning(workshop, written(workshop, updated_at)) == ""


@pytest.mark.parametrize("where", ["{}", "resumption: {{{}}}", "resumption: {{recovery_state: {{{}}}}}"])
def test_the_time_may_be_closer_to_the_beginning(workshop: Workshop, where: str) -> None:
    checkpoint_at(workshop, "2026-02-19T08:00:00+00:00")
    path = written(workshop, None, text=where.format("updated_at: '2026-02-18T10:00:00Z'"))
    assert staleness_warning(workshop, path) != ""


def test_the_time_closest_to_the_state_counts(workshop: Workshop) -> None:
    checkpoint_at(workshop, "2026-02-19T08:00:00+00:00")
    text = "updated_at: '2026-01-01T10:00:00Z'\nresumption: {updated_at: '2026-03-01T10:00:00Z'}"
    assert staleness_warning(workshop, written(workshop, None, text=text)) == ""


def test_without_a_checkpoint_the_sessions_start_counts(workshop: Workshop) -> None:
    workshop.transcript.prompt("Begin")
    start = datetime.fromtimestamp(START + 1, UTC)
    assert staleness_warning(workshop, written(workshop, start.isoformat())) == ""
    assert "the start of this session" in staleness_warning(
        workshop, written(workshop, start.replace(year=2025).isoformat())
    )


def test_without_a_start_nothing_is_said(workshop: Workshop) -> None:
    workshop.transcript.path.unlink()
    assert staleness_warning(workshop, written(workshop, "2020-01-01T00:00:00Z")) == ""


@pytest.mark.parametrize(
    "name", ["orchestration.yaml", "ORCHESTRATION.yml", "MY-ORCHESTRATION.yaml", "ORCHESTRATION.yaml.md"]
)
def test_other_files_are_ignored(workshop: Workshop, name: str) -> None:
    checkpoint_at(workshop, "2026-02-19T08:00:00+00:00")
    assert staleness_warning(workshop, written(workshop, "2020-01-01T00:00:00Z", name=name)) == ""


def test_a_relative_path_starts_at_the_working_directory(workshop: Workshop) -> None:
    checkpoint_at(workshop, "2026-02-19T08:00:00+00:00")
    written(workshop, "2020-01-01T00:00:00Z")
    assert staleness_warning(workshop, "ORCHESTRATION.yaml") != ""


@pytest.mark.parametrize(
    "text",
    [
        "not: [valid: yaml: content",
        "a: &a [x]\nupdated_at: 2020-01-01T00:00:00Z\nb: *a",
        "[" * 5000,
        "updated_at: 2020-01-01T00:00:00Z\nx: " + "y" * 300_000,
        "!!python/object/apply:os.system ['touch planted']",
        "\x00",
        "- updated_at: 2020-01-01T00:00:00Z",
    ],
)
def test_a_hostile_file_is_ignored(workshop: Workshop, text: str) -> None:
    checkpoint_at(workshop, "2026-02-19T08:00:00+00:00")
    assert staleness_warning(workshop, written(workshop, None, text=text)) == ""
    assert not (workshop.project / "planted").exists()


def test_it_can_be_switched_off(workshop: Workshop) -> None:
    workshop.configure("hooks.staleness = false")
    checkpoint_at(workshop, "2026-02-19T08:00:00+00:00")
    path = written(workshop, "2020-01-01T00:00:00Z")
    assert staleness_warning(workshop, path) == ""
    assert workshop.fire("PostToolUse", tool_name="Write", tool_input={"file_path": str(path)}) == ""


def test_the_hook_of_every_tool_use_leaves_staleness_to_its_own_hook(workshop: Workshop) -> None:
    checkpoint_at(workshop, "2026-02-19T08:00:00+00:00")
    path = written(workshop, "2020-01-01T00:00:00Z")
    workshop.transcript.answer(WARNING, tool_use_ids=("toolu_1",))
    fields = {"tool_name": "Write", "tool_input": {"file_path": str(path)}, "tool_use_id": "toolu_1"}
    message = workshop.fire("PostToolUse", **fields)
    assert "CONTEXT WINDOW WARNING" in message
    assert "stale" not in message
    assert "stale" in staleness_warning(workshop, path)


def test_a_failed_write_does_not_count(workshop: Workshop) -> None:
    checkpoint_at(workshop, "2026-02-19T08:00:00+00:00")
    path = written(workshop, "2020-01-01T00:00:00Z")
    assert workshop.fire("PostToolUseFailure", tool_name="Write", tool_input={"file_path": str(path)}, error="no") == ""


@pytest.mark.parametrize("zone", ["", "Z", "+00:00", "-01:00"])
def test_the_sessions_start_is_understood_in_any_zone(workshop: Workshop, zone: str) -> None:
    hour = 9 if zone == "-01:00" else 10
    workshop.transcript.append({"type": "user"})
    workshop.transcript.append({"type": "user", "timestamp": f"2026-01-05T{hour:02}:00:00.5{zone}"})
    assert staleness_warning(workshop, written(workshop, "2026-01-05T10:00:00Z")) == ""
    assert "is older than the start" in staleness_warning(workshop, written(workshop, "2026-01-05T09:59:59Z"))
