"""A desktop notification for the person, when a level is reached that needs their attention."""

from collections.abc import Mapping

from monitor.hook import Message
from monitor.measuring.snapshot import Snapshot
from monitor.memory.memory import Memory
from monitor.memory.reminder import step
from shared.gauge.levels import Level
from shared.text.plain import plain

_TITLE = "Claude Code"
_LONGEST = 60
_BY_NAME = ("rxvt", "foot")
"""Prefixes of TERM for terminals that know OSC 777 but not OSC 9; those built on VTE have a variable of their own."""


def notify(snapshot: Snapshot, memory: Memory) -> Message | None:
    """Return the sequence whenever CRITICAL or EXHAUSTED is reached; the client drops it in headless sessions."""
    session, used = snapshot.session, snapshot.reading.used
    hooks = session.config.hooks
    if not (hooks.desktop_notification and hooks.notices) or snapshot.conversation.is_subagent or used is None:
        return None
    level = snapshot.level if snapshot.level >= Level.CRITICAL else Level.NORMAL
    memory.notification, is_due = step(memory.notification, level)
    return Message(terminal=sequence(level, used, session.project, session.environ)) if is_due else None


def sequence(level: Level, used: int, project: str, environ: Mapping[str, str]) -> str:
    """OSC 9, or OSC 777 for a terminal that knows only that, with the project's name; `used` is in percent."""
    name = plain(project.rstrip("/\\").replace("\\", "/").rpartition("/")[2], _LONGEST)
    text = f"Context window {level.name}: {used}% used" + (f", {name}" if name else "")
    if environ.get("VTE_VERSION") or environ.get("TERM", "").startswith(_BY_NAME):
        return f"\033]777;notify;{_TITLE};{text}\a"
    return f"\033]9;{_TITLE}: {text}\a"
