"""What was last done with a session counts until its window is emptied."""

import os

import pytest

from monitor.activity.activity import Activity, Compacted
from monitor.pivot import state as states
from monitor.pivot.analysis import last_strategy
from monitor.pivot.state import LastPivot
from monitor.session import Conversation, Session
from shared.config import Config
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
