"""What was last done with a session counts until its window is emptied."""

import os
import time

import pytest

from monitor.activity.activity import Activity, Compacted
from monitor.measuring.snapshot import snapshot_of
from monitor.memory.memory import LastPivot
from monitor.pivot import state as states
from monitor.pivot.analysis import analyse, last_strategy
from monitor.session import Conversation, Session
from shared.settings.config import Config
from tests.monitor.workshop import Workshop


@pytest.mark.parametrize(
    ("compacted", "last"),
    [(None, "spawn"), ("2026-11-22T09:00:00.000Z", "spawn"), ("2026-11-22T11:00:00.000Z", ""), ("nonsense", "spawn")],
)
def test_a_compaction_ends_it(workshop: Workshop, compacted: str | None, last: str) -> None:
    session = Session(str(workshop.root), Config(), os.environ, 0.0)
    conversation = Conversation(workshop.session_id, "")
    assert last_strategy(conversation, session, Activity()) == ""

    states.record(str(workshop.root), workshop.session_id, LastPivot("spawn", "2026-11-22T10:00:00Z", "person"))

    activity = Activity(compactions=[Compacted(compacted, "auto")] if compacted else [])
    assert last_strategy(conversation, session, activity) == last


def test_what_was_measured_is_what_the_patterns_count_with(workshop: Workshop) -> None:
    session = Session(str(workshop.root), Config(), {}, time.time())
    conversation = Conversation(workshop.session_id, str(workshop.transcript.path))
    workshop.transcript.answer(40_000)
    measured = snapshot_of(conversation, session)
    assert measured is not None

    assert analyse(conversation, session, measured.verdict, 0).activity.log.measured_tokens == 40_000
    assert analyse(conversation, session, None, 0).activity.log.measured_tokens == 0


@pytest.mark.parametrize(("known", "counted"), [(0, 1), (7, 7)])
def test_tool_calls_that_the_transcript_lacks_count(workshop: Workshop, known: int, counted: int) -> None:
    session = Session(str(workshop.root), Config(), {}, time.time())
    conversation = Conversation(workshop.session_id, str(workshop.transcript.path))
    workshop.edit("src/app.py")

    assert analyse(conversation, session, None, known).usage.tool_calls == counted
