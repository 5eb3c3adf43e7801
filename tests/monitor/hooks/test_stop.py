"""At the end of a turn the answer that ended it may not be written yet: it is waited for, but not for long."""

import json
import time

import pytest

from monitor.measuring.snapshot import LAG_SECONDS, STEP_SECONDS
from tests import scratch
from tests.monitor.scene import CRITICAL
from tests.monitor.workshop import Workshop


@pytest.fixture
def pauses(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The pauses that are made; they alone move the clock on."""
    waits: list[float] = []
    monkeypatch.setattr("monitor.hooks.stop.time.monotonic", lambda: sum(waits))
    monkeypatch.setattr("monitor.hooks.stop.time.sleep", waits.append)
    return waits


def end(workshop: Workshop, answer: str) -> None:
    workshop.fire("Stop", last_assistant_message=answer)


def test_an_answer_that_is_written_is_not_waited_for(workshop: Workshop, pauses: list[float]) -> None:
    words = 'It is "done" \u2014\nall of it.' + " And more." * 20
    workshop.transcript.answer(CRITICAL, tool_use_ids=(), text=words)
    end(workshop, words)
    assert pauses == []
    assert [one["session_info"]["trigger"] for one in workshop.checkpoints()] == ["critical"]


def test_one_that_is_not_is_waited_for_as_long_as_the_client_may_take(workshop: Workshop, pauses: list[float]) -> None:
    workshop.transcript.answer(CRITICAL, tool_use_ids=(), text="Another one.")
    end(workshop, "It is done.")
    assert sum(pauses) == pytest.approx(LAG_SECONDS, abs=STEP_SECONDS)


def test_an_answer_far_behind_the_end_is_not_looked_for(workshop: Workshop, pauses: list[float]) -> None:
    workshop.transcript.answer(CRITICAL, tool_use_ids=(), text="It is done.")
    workshop.transcript.grow(300 << 10)
    end(workshop, "It is done.")
    assert pauses


def test_a_transcript_that_is_not_there_costs_the_wait_alone(workshop: Workshop) -> None:
    workshop.transcript.path.unlink()
    began = time.monotonic()
    payload = workshop.payload("Stop", last_assistant_message="It is done.")
    result = scratch.run(workshop.root, json.dumps(payload).encode())
    assert (result.returncode, result.stdout, result.stderr) == (0, b"", b"")
    assert time.monotonic() - began >= LAG_SECONDS
    assert scratch.log(workshop.root) == []


def test_a_subagents_end_is_left_alone(workshop: Workshop, pauses: list[float]) -> None:
    workshop.transcript.answer(CRITICAL, tool_use_ids=(), text="Another one.")
    workshop.fire("Stop", last_assistant_message="It is done.", agent_id="a1")
    assert pauses == []
    assert workshop.checkpoints() == []
