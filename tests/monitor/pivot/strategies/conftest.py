"""A session for which strategies are carried out."""

import os
import time
from collections.abc import Callable
from typing import Any

import pytest

from monitor.measuring.measurement import transcript_reading
from monitor.pivot.strategies.strategy import Context
from monitor.session import Conversation, Project, Session
from shared import settings
from tests.monitor.workshop import Workshop

Carried = Callable[..., Context]


@pytest.fixture
def context(workshop: Workshop) -> Carried:
    """Its context, as it is when this is called; fields are changed by name."""

    def made(**changes: Any) -> Context:
        project = os.path.realpath(workshop.project)
        config = settings.load(str(workshop.root), {}, project).config
        session = Session(str(workshop.root), config, {}, time.time(), project)
        conversation = Conversation(workshop.session_id, str(workshop.transcript.path))
        known = {"reading": transcript_reading(conversation, session), "is_asked": False}
        return Context(conversation, session, Project(project, project), **(known | changes))

    return made
