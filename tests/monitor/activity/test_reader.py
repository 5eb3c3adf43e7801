import itertools
import json
import time
from pathlib import Path

import pytest

from monitor.activity import line, reader
from monitor.activity.activity import Activity, LinePosition
from shared import effort
from tests.monitor.workshop import Workshop


def read(workshop: Workshop) -> Activity:
    return reader.read(str(workshop.root), workshop.session_id, str(workshop.transcript.path))


def counts(workshop: Workshop, table: dict[str, int]) -> dict[str, int]:
    return {path.removeprefix(f"{workshop.project}/"): count for path, count in table.items()}


def test_each_byte_is_read_once(workshop: Workshop, monkeypatch: pytest.MonkeyPatch) -> None:
    workshop.edit("a.py")
    first = read(workshop)
    added: list[bytes] = []
    add = line.add

    def watched(activity: Activity, place: LinePosition, data: bytes) -> None:
        added.append(data)
        add(activity, place, data)

    monkeypatch.setattr(line, "add", watched)
    workshop.edit("b.py")
    second = read(workshop)
    assert len(added) == 2
    assert second.offset == workshop.transcript.size > first.offset
    assert counts(workshop, second.edited) == {"a.py": 1, "b.py": 1}
    assert second.lines == len(workshop.transcript.path.read_bytes().splitlines())


def test_running_out_of_time_at_the_last_line_leaves_nothing_out(workshop: Workshop) -> None:
    transcript = workshop.transcript.path
    workshop.transcript.prompt("Fix the greeting")
    with effort.limited():
        assert reader.advance(Activity(), str(transcript), -1).lines == 1
        assert not effort.has_omission()


def test_the_rest_of_a_long_transcript_is_read_at_later_events(
    workshop: Workshop, monkeypatch: pytest.MonkeyPatch
) -> None:
    workshop.edit("a.py")
    workshop.edit("b.py")
    lines = workshop.transcript.path.read_bytes().splitlines()
    whole = reader.advance(Activity(), str(workshop.transcript.path))
    monkeypatch.setattr(reader, "MOST_SECONDS", -1)
    with effort.limited():
        activities = [read(workshop) for _ in lines]
        assert effort.has_omission()
    assert [activity.lines for activity in activities] == list(range(1, len(lines) + 1))
    assert activities[-1] == read(workshop) == whole


def test_all_readings_of_a_process_share_one_time_limit(workshop: Workshop, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(12):
        workshop.edit(f"{number}.py")
    clock = itertools.count(step=0.04)
    monkeypatch.setattr(reader, "MOST_SECONDS", 0.4)
    monkeypatch.setattr(time, "process_time", lambda: next(clock))
    first, second = read(workshop), read(workshop)
    assert 4 <= first.lines <= 8
    assert second.lines == first.lines + 1


def test_a_half_written_line_is_left_for_later(workshop: Workshop) -> None:
    workshop.edit("a.py")
    whole = workshop.transcript.path.read_bytes()
    workshop.edit("b.py")
    grown = workshop.transcript.path.read_bytes()
    workshop.transcript.path.write_bytes(grown[: len(whole) + 300])
    assert counts(workshop, read(workshop).edited) == {"a.py": 1}
    workshop.transcript.path.write_bytes(grown)
    assert counts(workshop, read(workshop).edited) == {"a.py": 1, "b.py": 1}


def test_a_different_file_is_read_from_its_beginning(workshop: Workshop) -> None:
    workshop.edit("a.py", 3)
    read(workshop)
    workshop.transcript.path.write_bytes(b"")
    workshop.edit("b.py")
    assert counts(workshop, read(workshop).edited) == {"b.py": 1}


def test_a_damaged_state_counts_as_missing(workshop: Workshop) -> None:
    workshop.edit("a.py")
    read(workshop)
    (workshop.root / "run" / f"activity-{workshop.session_id}.json").write_text('{"offset": "far"}')
    assert counts(workshop, read(workshop).edited) == {"a.py": 1}


def test_the_state_of_an_earlier_version_is_read_again_from_the_transcript(workshop: Workshop) -> None:
    """0.1.0 kept the calls under another name and with other kinds, and wrote no schema number."""
    workshop.edit("a.py")
    read(workshop)
    path = str(workshop.project / "a.py")
    history = {"turns": 9, "tool_calls": 9, "heard": 900, "steps": [[1, 1, "look", 7, path]], "waiting": {"t1": 0}}
    earlier = {
        "transcript": str(workshop.transcript.path),
        "offset": workshop.transcript.size,
        "lines": 2,
        "edited": {path: 9},
        "pending": {"t1": ["read", path]},
        "history": history,
    }
    (workshop.root / "run" / f"activity-{workshop.session_id}.json").write_text(json.dumps(earlier))
    activity = read(workshop)
    assert counts(workshop, activity.edited) == {"a.py": 1}
    assert [(call.kind, call.path) for call in activity.log.calls] == [("edit", path)]


def test_the_state_of_a_later_version_is_read_again_from_the_transcript(workshop: Workshop) -> None:
    workshop.edit("a.py")
    read(workshop)
    state = workshop.root / "run" / f"activity-{workshop.session_id}.json"
    later = json.loads(state.read_bytes())
    later["activity"]["edited"] = {}
    state.write_text(json.dumps(later | {"schema": later["schema"] + 1}))
    assert counts(workshop, read(workshop).edited) == {"a.py": 1}


@pytest.mark.parametrize("size", [1 << 20, (1 << 20) + 1, 3 << 20])
def test_a_line_of_any_length_is_skipped_and_counted(workshop: Workshop, size: int) -> None:
    workshop.edit("a.py")
    workshop.transcript.grow(size)
    workshop.edit("b.py")
    workshop.transcript.prompt("Go on")
    activity = read(workshop)
    assert counts(workshop, activity.edited) == {"a.py": 1, "b.py": 1}
    line = workshop.transcript.path.read_bytes()[activity.requests[-1].offset :]
    assert json.loads(line)["message"]["content"] == "Go on"
    assert activity.requests[-1].line == activity.lines == 6


def test_lines_too_far_back_are_only_counted(workshop: Workshop, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reader, "MOST", 6_000)
    monkeypatch.setattr(reader, "CHUNK", 1_000)
    workshop.edit("old.py", 10)
    workshop.edit("new.py")
    workshop.transcript.prompt("Go on")
    activity = read(workshop)
    assert counts(workshop, activity.edited)["new.py"] == 1
    assert counts(workshop, activity.edited).get("old.py", 0) < 5
    assert activity.requests[-1].line == 23


def test_everything_is_bounded(workshop: Workshop) -> None:
    lines = []
    for number in range(2_000):
        block = {
            "type": "tool_use",
            "id": f"t{number}",
            "name": "Edit",
            "input": {"file_path": f"/{number}/" + "x" * 5_000},
        }
        failing = {
            "type": "tool_use",
            "id": f"b{number}",
            "name": "Bash",
            "input": {"command": f"{number} " + "y" * 900},
        }
        task = {
            "type": "tool_use",
            "id": f"k{number}",
            "name": "TaskUpdate",
            "input": {"taskId": number, "subject": "z" * 900},
        }
        lines.append({"type": "assistant", "message": {"content": [block, failing, task]}})
        result = {"type": "tool_result", "tool_use_id": f"b{number}", "is_error": True, "content": "Exit code 1"}
        lines.append({"type": "user", "message": {"content": [result]}})
    workshop.transcript.path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    read(workshop)
    assert (workshop.root / "run" / f"activity-{workshop.session_id}.json").stat().st_size < 2 << 20


def test_a_missing_transcript_is_an_error(workshop: Workshop, tmp_path: Path) -> None:
    with pytest.raises(OSError, match="gone"):
        reader.read(str(workshop.root), "session-1", str(tmp_path / "gone"))


def test_a_secret_is_not_kept_where_a_command_is_cut_within_it(workshop: Workshop) -> None:
    workshop.bash("pytest " + "x" * 135 + " --password=Walnut7harbor" + "y" * 900, code=1)
    (command,) = read(workshop).failing
    assert "Waln" not in command


def test_the_end_of_an_overlong_line_is_not_a_line(workshop: Workshop, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reader, "CHUNK", 1_000)
    monkeypatch.setattr(reader, "LONGEST", 1_500)
    workshop.transcript.write(b"x" * 2_000)
    workshop.transcript.prompt("Not a prompt")
    workshop.transcript.prompt("Go on")
    assert [place.line for place in read(workshop).requests] == [2]


def test_only_the_end_of_a_very_long_transcript_is_read_from_a_whole_line_on(
    workshop: Workshop, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reader, "MOST", 1_000)
    monkeypatch.setattr(reader, "CHUNK", 350)
    line = b'{"type":"user","message":{"role":"user","content":"Go on"}}'.ljust(99) + b"\n"
    workshop.transcript.write(line * 30)
    activity = read(workshop)
    places = [(place.line, place.offset) for place in activity.requests]
    assert places == [(number, 100 * (number - 1)) for number in range(22, 31)]
    assert (activity.lines, activity.offset) == (30, 3_000)


def test_text_within_a_very_long_line_is_not_read(workshop: Workshop, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reader, "MOST", 1_000)
    monkeypatch.setattr(reader, "CHUNK", 350)
    monkeypatch.setattr(reader, "LONGEST", 400)
    workshop.transcript.write(b"x" * 2_050 + b"\n")
    workshop.transcript.write(b'{"type":"user","message":{"role":"user","content":"Go on"}}\n')
    activity = read(workshop)
    assert [(place.line, place.offset) for place in activity.requests] == [(2, 2_051)]
    assert (activity.lines, activity.offset) == (2, workshop.transcript.size)
