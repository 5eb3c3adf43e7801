"""At a turn's end its last answer may not be written yet: the hook waits for it, but not for long."""

import json

import pytest

from monitor.measuring.snapshot import LAG_SECONDS
from tests import scratch
from tests.monitor.scene import CRITICAL, NORMAL
from tests.monitor.workshop import Workshop


def test_an_answer_written_late_is_saved(workshop: Workshop, monkeypatch: pytest.MonkeyPatch) -> None:
    pauses: list[float] = []

    def write_it(seconds: float) -> None:
        pauses.append(seconds)
        workshop.transcript.answer(CRITICAL, tool_use_ids=(), text="It is done.")

    monkeypatch.setattr("monitor.hooks.stop.time.sleep", write_it)
    workshop.transcript.answer(NORMAL, text="Once more.")
    workshop.fire("Stop", last_assistant_message="It is done.")

    assert pauses == [LAG_SECONDS]
    assert [checkpoint["session_info"]["trigger"] for checkpoint in workshop.checkpoints()] == ["critical"]


def test_a_missing_transcript_is_no_failure(workshop: Workshop) -> None:
    workshop.transcript.path.unlink()
    payload = workshop.payload("Stop", last_assistant_message="It is done.")
    result = scratch.run(workshop.root, json.dumps(payload).encode())
    assert (result.returncode, result.stdout, result.stderr) == (0, b"", b"")
    assert scratch.log(workshop.root) == []


def test_a_subagents_end_is_ignored(workshop: Workshop, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("monitor.hooks.stop.time.sleep", lambda _: pytest.fail("waited"))
    workshop.transcript.answer(CRITICAL, tool_use_ids=(), text="It is done.")
    workshop.fire("Stop", last_assistant_message="It is done.", agent_id="a1")
    assert workshop.checkpoints() == []
