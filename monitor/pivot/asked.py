"""The report that a person asks for within the client: its screen shows nothing of what a command's text says."""

import re

from monitor.measuring.measurement import Measurement
from monitor.pivot import report as texts
from monitor.pivot.overview import overview_of
from monitor.pivot.strategies import compress
from monitor.pivot.strategies.strategy import Context
from monitor.session import Conversation, Session, project_of
from shared.plain import plain

COMMAND = "/token-status"
_LONGEST = 400
_COMPRESS = re.compile(r"--pivot[ =]compress\b")
"""Its line is the one thing that a person has to type, so it stands there alone."""


def is_asked(prompt: str) -> bool:
    """Whether a prompt is our command, with whatever options."""
    return prompt.split(maxsplit=1)[:1] == [COMMAND]


def report(conversation: Conversation, session: Session, found: Measurement | None, prompt: str = COMMAND) -> str:
    """What the person's screen shows of the command; the agent reads its answer in the command's own text."""
    if _COMPRESS.search(prompt) and (project := project_of(session, session.project)):
        return compress.command_of(Context(conversation, session, project))
    lines = texts.lines(overview_of(conversation, session, found))
    return "\n".join(plain(line, _LONGEST) for line in lines)
