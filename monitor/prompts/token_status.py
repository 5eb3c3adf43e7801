"""The report that a person asks for within the client, whose screen doesn't show the text of a command."""

import re

from monitor import command_line
from monitor.measuring.snapshot import Snapshot
from monitor.pivot import report as texts
from monitor.pivot.overview import overview_of
from monitor.pivot.strategies import compress
from monitor.pivot.strategies.strategy import Context
from monitor.session import Conversation, Session, project_of
from shared.text.plain import plain


def is_asked(prompt: str) -> bool:
    """Whether a prompt is our command, with any options."""
    return not command_line.SLASH_COMMANDS.isdisjoint(prompt.split(maxsplit=1)[:1])


def report(conversation: Conversation, session: Session, snapshot: Snapshot | None, prompt: str) -> str:
    """The text for the person's screen; the agent reads its answer in the command's own text."""
    # Compressing gives a line that the person has to paste, so only that line is shown.
    if re.search(r"--pivot[ =]compress\b", prompt) and (project := project_of(session, session.project)):
        return compress.carry_out(Context(conversation, session, project)).text.partition("\n")[0]
    lines = texts.lines(overview_of(conversation, session, snapshot, command_line.pivot))
    if re.search(r"--reset\b", prompt):
        lines.insert(0, "Reset: every level is announced again in this session.")
    return "\n".join(plain(line, 400) for line in lines)
