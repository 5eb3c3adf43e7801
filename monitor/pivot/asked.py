"""The report that a person asks for within the client: its screen shows nothing of what a command's text says."""

from monitor.measuring.measurement import Measurement
from monitor.pivot import report as texts
from monitor.pivot.overview import overview_of
from monitor.session import Conversation, Session
from shared.plain import plain

COMMAND = "/token-status"
_LONGEST = 400


def is_asked(prompt: str) -> bool:
    """Whether a prompt is our command, with whatever options."""
    return prompt.split(maxsplit=1)[:1] == [COMMAND]


def report(conversation: Conversation, session: Session, found: Measurement | None) -> str:
    """Where the session stands, for the person's screen; the agent reads it in the command's own text."""
    lines = texts.lines(overview_of(conversation, session, found))
    return "\n".join(plain(line, _LONGEST) for line in lines)
