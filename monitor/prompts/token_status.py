"""The report that a person asks for within the client: its screen shows nothing of what a command's text says."""

import re

from monitor import command_line
from monitor.measuring.snapshot import Snapshot
from monitor.pivot import report as texts
from monitor.pivot.overview import overview_of
from monitor.pivot.strategies import compress
from monitor.pivot.strategies.strategy import Context
from monitor.session import Conversation, Session, project_of
from shared.text.plain import plain

COMMAND = "/token-status"
_PLUGINS = "/tidegauge:token-status"
_LONGEST = 400
_COMPRESS = re.compile(r"--pivot[ =]compress\b")
"""Compressing gives a line that the person has to paste, so the answer is that line alone."""
_RESETTING = re.compile(r"--reset\b")
_RESET = "Reset: every level is announced again in this session."


def is_asked(prompt: str) -> bool:
    """Whether a prompt is our command, the installer's or the plugin's, with whatever options."""
    return prompt.split(maxsplit=1)[:1] in ([COMMAND], [_PLUGINS])


def report(conversation: Conversation, session: Session, snapshot: Snapshot | None, prompt: str = COMMAND) -> str:
    """What the person's screen shows of the command; the agent reads its answer in the command's own text."""
    if _COMPRESS.search(prompt) and (project := project_of(session, session.project)):
        return compress.command_of(Context(conversation, session, project))
    lines = [_RESET] if _RESETTING.search(prompt) else []
    lines += texts.lines(overview_of(conversation, session, snapshot, command_line.pivot))
    return "\n".join(plain(line, _LONGEST) for line in lines)
