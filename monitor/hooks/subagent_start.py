"""When a subagent starts: from now on the launcher has to tell the session's events from its subagents'."""

import msgspec

from monitor.hook import Reply
from monitor.session import Session
from shared import files, paths


class Event(msgspec.Struct, frozen=True):
    """SubagentStart; the client waits for it before the subagent's first request."""

    session_id: str


def handle(event: Event, session: Session) -> Reply | None:
    """Leave the mark, in silence."""
    if paths.is_id(event.session_id):
        files.write_atomic(paths.subagents_mark(session.root, event.session_id), b"")
    return None
