"""When a session ends: the history takes it in, where the person has begun one."""

import sqlite3
import time

from history import sync
from history.store import store
from monitor.hook import HookEvent, Reply
from monitor.session import Session
from shared.settings import settings

_SECONDS = 1.0
"""The client gives all hooks of this event together 1.5 s or what a settings file sets (docs/client.md, "Hooks")."""


def handle(event: HookEvent, session: Session) -> Reply | None:
    """Silence: the client shows nothing of this event."""
    transcript = event.transcript_path
    if session.config.hooks.history and transcript and store.exists(session.root):
        try:
            until = time.monotonic() + _SECONDS
            config = settings.own(session.root, session.environ).config  # as the command's, whatever a project has set
            sync.one_session(session.root, transcript, config, until)
        except sqlite3.OperationalError as problem:
            if not store.is_locked(problem):  # a sync is at work, which takes this session in, too
                raise
    return None
