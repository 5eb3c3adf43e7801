"""What is known of a session near its end, and its sources."""

import time

import pytest

from monitor.measuring.snapshot import snapshot_of
from monitor.memory.memory import PivotState
from monitor.pivot.analysis import analyse
from monitor.session import Conversation, Session
from shared.settings.config import Config
from tests.monitor.workshop import Workshop


def test_the_patterns_use_the_measured_figures(workshop: Workshop) -> None:
    session = Session(str(workshop.root), Config(), {}, time.time())
    conversation = Conversation(workshop.session_id, str(workshop.transcript.path))
    workshop.transcript.answer(40_000)
    measured = snapshot_of(conversation, session)
    assert measured is not None

    assert analyse(conversation, session, measured.verdict, PivotState()).activity.log.measured_tokens == 40_000
    assert analyse(conversation, session, None, PivotState()).activity.log.measured_tokens == 0


def test_tool_calls_before_a_compaction_do_not_count_for_the_window_after_it(workshop: Workshop) -> None:
    session = Session(str(workshop.root), Config(), {}, time.time())
    conversation = Conversation(workshop.session_id, str(workshop.transcript.path))
    workshop.edit("src/app.py")
    workshop.transcript.boundary()

    usage = analyse(conversation, session, None, PivotState(tool_calls=400)).usage

    assert (usage.tokens, usage.used, usage.tool_calls) == (0, 0, 400)


def test_tool_calls_on_an_abandoned_branch_do_not_count_either(workshop: Workshop) -> None:
    """After a rewind to the first prompt the status line has no figures, and the transcript's are the branch's."""
    session = Session(str(workshop.root), Config(), {}, time.time())
    conversation = Conversation(workshop.session_id, str(workshop.transcript.path))
    workshop.edit("src/app.py")
    workshop.transcript.answer(172_000)

    usage = analyse(conversation, session, None, PivotState(tool_calls=400)).usage

    assert (usage.tokens, usage.used, usage.tool_calls) == (0, 0, 400)


@pytest.mark.parametrize(("count", "counted"), [(0, 1), (7, 7)])
def test_tool_calls_missing_from_the_transcript_count(workshop: Workshop, count: int, counted: int) -> None:
    session = Session(str(workshop.root), Config(), {}, time.time())
    conversation = Conversation(workshop.session_id, str(workshop.transcript.path))
    workshop.edit("src/app.py")

    assert analyse(conversation, session, None, PivotState(tool_calls=count)).usage.tool_calls == counted
