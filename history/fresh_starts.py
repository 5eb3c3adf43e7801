"""The tokens that a new session of a project begins with: the price of starting over, from the project's sessions."""

import sqlite3

from history.store import store
from history.store.stored_paths import paths_of

_SESSIONS = 50
"""How many of the project's newest sessions count: what a session begins with changes with the project."""
_PATIENCE = 0.05
"""Seconds that a hook can wait for a store that is being recovered."""
_STARTS = """
SELECT fill FROM (
    SELECT (SELECT fill FROM calls WHERE cycle = cycles.id AND step = 1 LIMIT 1) AS fill
    FROM transcripts JOIN cycles ON cycles.transcript = transcripts.id AND number = 0
    WHERE project = (SELECT id FROM paths WHERE name = ? AND directory IS NULL) AND agent IS NULL
    ORDER BY last_at DESC LIMIT ?
) WHERE fill IS NOT NULL ORDER BY fill
"""


def median_fresh_start(root: str, project: str) -> int | None:
    """The tokens that the project's newest sessions held at their first answer: the lower median of the newest 50.

    `project` is the directory that the sessions were started in. None if the history has no session of it, or if no
    store can be read: the caller is a hook, or a command that has more to say.
    """
    try:
        with store.for_reading(root, _PATIENCE) as opened:
            fills = [fill for (fill,) in opened.execute(_STARTS, (paths_of(opened).directory(project), _SESSIONS))]
    except (store.StoreError, sqlite3.Error, OSError, UnicodeError):
        return None
    return fills[(len(fills) - 1) // 2] if fills else None
