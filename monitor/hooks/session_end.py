"""The hook at a session's end: add the session to the history, if the person has one."""

import sqlite3
import time

from history import sync
from history.store import store
from monitor.hook import HookEvent, Reply
from monitor.session import Session
from shared.settings import settings

_SECONDS = 1.0
"""All hooks of this event share 1.5 s, or what a settings file sets (docs/client.md, "Hooks")."""


def handle(event: HookEvent, session: Session) -> Reply | None:
    """Return None: the client shows nothing of this event."""
    transcript = event.transcript_path
    if session.config.hooks.history and transcript and store.exists(session.root):
        try:
            until = time.monotonic() + _SECONDS
            config = settings.own(session.root, session.environ).config  # as for the command, whatever a project sets
            sync.one_session(session.root, transcript, config, until)
        except sqlite3.OperationalError as problem:
            if not store.is_locked(problem):  # a running sync adds this session, too
                raise
    return None
