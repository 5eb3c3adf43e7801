"""Whether a message's request has been done, by the named file and the conversation's own lines."""

import json
import os
from pathlib import Path

import pytest

from monitor.measuring.snapshot import Snapshot
from monitor.memory.memory import SummaryFile
from monitor.speakers.summary_file import current, is_settled
from shared.settings.config import Config, Messages
from tests.monitor.scene import EXHAUSTED
from tests.monitor.speakers.snapshots import COMPACTED, ENDING, snapshot_at
from tests.transcripts import Transcript, compact, tail_of

NAME = "PROJECT-SUMMARY.md"


class Work:
    """A session at work in a project, with its transcript."""

    def __init__(self, folder: Path) -> None:
        self.project = folder / "shop"
        self.project.mkdir()
        self.transcript = Transcript(folder / "session-1.jsonl")
        self._calls = 0
        self.transcript.answer(EXHAUSTED)

    @property
    def file(self) -> Path:
        return self.project / NAME

    def snapshot(self, *, ends: bool = False, agent: str | None = None, name: str = NAME) -> Snapshot:
        return snapshot_at(
            EXHAUSTED,
            limit=ENDING if ends else COMPACTED,
            agent=agent,
            project=str(self.project),
            transcript=str(self.transcript.path),
            config=Config(messages=Messages(summary_file=name)),
            tail=tail_of(self.transcript),
        )

    def call(self, tool: str, *, result: str | None = "ok", failed: bool = False, **arguments: str) -> None:
        """Write one of the conversation's own tool calls, and its result if there is one yet."""
        self._calls += 1
        name = f"toolu_{self._calls}"
        self.transcript.answer(EXHAUSTED, tool_use_ids=[name])
        *before, newest = self.transcript.path.read_bytes().splitlines(keepends=True)
        line = json.loads(newest)
        line["message"]["content"][0] |= {"name": tool, "input": arguments}
        self.transcript.path.write_bytes(b"".join(before) + compact(line) + b"\n")
        if result is not None:
            self.transcript.result(name, result, failed=failed)


@pytest.fixture
def work(tmp_path: Path) -> Work:
    return Work(tmp_path)


def test_the_file_is_recorded_with_its_size_and_time(work: Work) -> None:
    absent = current(work.snapshot())
    assert absent == SummaryFile(str(work.file), -1, 0, work.transcript.size)
    work.file.write_text("12345")
    os.utime(work.file, ns=(7, 7))
    assert current(work.snapshot()) == SummaryFile(str(work.file), 5, 7, work.transcript.size)


def test_a_conversation_whose_messages_name_no_file_records_none(work: Work) -> None:
    assert current(work.snapshot(agent="a1")) == SummaryFile()
    assert current(snapshot_at(EXHAUSTED)) == SummaryFile()  # no project is known
    assert not is_settled(work.snapshot(), SummaryFile())


def test_the_person_may_name_the_file(work: Work) -> None:
    assert current(work.snapshot(name="docs/STATE.md")).path == str(work.project / "docs" / "STATE.md")


@pytest.mark.parametrize(
    ("before", "now", "is_done"),
    [
        (None, "text", True),
        ("text", "text", False),
        ("text", "longer text", True),
        ("text", "", False),
        ("text", None, False),
        ("", "text", True),
        (None, None, False),
        (None, "", False),
    ],
)
def test_a_changed_non_empty_file_is_done(work: Work, before: str | None, now: str | None, *, is_done: bool) -> None:
    write(work.file, before)
    memory = current(work.snapshot())
    if now != before:
        write(work.file, now)
    assert is_settled(work.snapshot(), memory) is is_done


def write(path: Path, text: str | None) -> None:
    if text is None:
        path.unlink(missing_ok=True)
    else:
        path.write_text(text)


def test_a_new_time_alone_is_a_change(work: Work) -> None:
    work.file.write_text("text")
    memory = current(work.snapshot())
    os.utime(work.file, ns=(7, 7))
    assert is_settled(work.snapshot(), memory)


def test_a_directory_in_its_place_is_no_file(work: Work) -> None:
    memory = current(work.snapshot())
    work.file.mkdir()
    assert not is_settled(work.snapshot(), memory)


def test_if_the_session_ends_somebody_elses_write_does_not_count(work: Work) -> None:
    memory = current(work.snapshot(ends=True))
    work.file.write_text("another session wrote this")
    assert not is_settled(work.snapshot(ends=True), memory)
    assert is_settled(work.snapshot(), memory)


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("Write", {"file_path": f"/shop/{NAME}", "content": "done"}),
        ("Edit", {"file_path": f"/shop/{NAME}", "old_string": "a", "new_string": "b"}),
        ("MultiEdit", {"file_path": f"/shop/{NAME}"}),
        ("Bash", {"command": f"cat > {NAME} <<'END'"}),
        ("PowerShell", {"command": f"Set-Content {NAME}"}),
    ],
)
def test_if_the_session_ends_its_own_write_counts(work: Work, tool: str, arguments: dict[str, str]) -> None:
    memory = current(work.snapshot(ends=True))
    work.file.write_text("written")
    work.call(tool, **arguments)  # type: ignore[arg-type]  # the tool's input
    assert is_settled(work.snapshot(ends=True), memory)


def test_its_own_write_counts_before_its_result_is_written(work: Work) -> None:
    memory = current(work.snapshot(ends=True))
    work.file.write_text("written")
    work.call("Write", file_path=f"/shop/{NAME}", result=None)
    assert is_settled(work.snapshot(ends=True), memory)


@pytest.mark.parametrize(("megabytes", "is_looked_for"), [(7, True), (10, False)])
def test_its_own_write_is_searched_in_the_newest_eight_megabytes(
    work: Work, megabytes: int, *, is_looked_for: bool
) -> None:
    memory = current(work.snapshot(ends=True))
    work.file.write_text("written")
    work.call("Write", file_path=f"/shop/{NAME}")
    for _ in range(megabytes):
        work.transcript.prompt("word " * 210_000)
    assert is_settled(work.snapshot(ends=True), memory) is is_looked_for


@pytest.mark.parametrize(
    ("tool", "arguments"), [("Read", {"file_path": f"/shop/{NAME}"}), ("Write", {"file_path": "/shop/README.md"})]
)
def test_a_call_that_writes_another_file_or_none_does_not_count(
    work: Work, tool: str, arguments: dict[str, str]
) -> None:
    memory = current(work.snapshot(ends=True))
    work.file.write_text("written")
    work.call(tool, **arguments)  # type: ignore[arg-type]  # the tool's input
    assert not is_settled(work.snapshot(ends=True), memory)


def test_a_write_before_the_message_does_not_count(work: Work) -> None:
    work.call("Write", file_path=f"/shop/{NAME}")
    memory = current(work.snapshot(ends=True))
    work.file.write_text("another session wrote this")
    assert not is_settled(work.snapshot(ends=True), memory)
    work.call("Bash", command="make")
    assert not is_settled(work.snapshot(ends=True), memory)


def test_its_own_write_without_a_file_is_not_done(work: Work) -> None:
    memory = current(work.snapshot(ends=True))
    work.call("Write", file_path=f"/shop/{NAME}")
    assert not is_settled(work.snapshot(ends=True), memory)


@pytest.mark.parametrize("ends", [True, False])
@pytest.mark.parametrize(
    "refusal",
    [
        "The user doesn't want to proceed with this tool use. The tool use was rejected (the file was NOT written).",
        "Permission to use Write has been denied.",
    ],
)
def test_a_refused_write_ends_the_repetition(work: Work, refusal: str, *, ends: bool) -> None:
    memory = current(work.snapshot(ends=ends))
    work.call("Write", file_path=f"/shop/{NAME}", result=refusal, failed=True)
    assert is_settled(work.snapshot(ends=ends), memory)


@pytest.mark.parametrize("ends", [True, False])
def test_a_failed_write_is_not_done(work: Work, *, ends: bool) -> None:
    memory = current(work.snapshot(ends=ends))
    work.call("Write", file_path=f"/shop/{NAME}", result="File has not been read yet.", failed=True)
    assert not is_settled(work.snapshot(ends=ends), memory)


def test_a_failed_commands_output_does_not_end_it(work: Work) -> None:
    before = current(work.snapshot())
    work.call("Bash", command=f"make lint {NAME}", result="Exit code 2\nPermission denied, rejected", failed=True)
    assert not is_settled(work.snapshot(), before)


def test_a_refusal_of_something_else_does_not_end_it(work: Work) -> None:
    memory = current(work.snapshot())
    work.call("Bash", command="rm -r build", result="Permission to use Bash has been denied.", failed=True)
    assert not is_settled(work.snapshot(), memory)


def test_a_refusal_before_the_message_does_not_end_it(work: Work) -> None:
    work.call("Write", file_path=f"/shop/{NAME}", result="The tool use was rejected", failed=True)
    memory = current(work.snapshot())
    assert not is_settled(work.snapshot(), memory)
    work.call("Bash", command="make")
    assert not is_settled(work.snapshot(), memory)


def test_without_a_transcript_the_file_alone_decides(work: Work) -> None:
    memory = current(work.snapshot())
    work.transcript.path.unlink()
    at = snapshot_at(EXHAUSTED, project=str(work.project), transcript=str(work.transcript.path))
    assert not is_settled(at, memory)
    work.file.write_text("text")
    assert is_settled(at, memory)
