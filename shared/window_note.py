"""What the client said of a session's window before it could say how full that is.

At its first draw, and after a compaction, the status line is given a size but no usage, so there is no bridge;
the size and the model are noted apart, lest the monitor guess them. Written by the status line alone.
"""

import msgspec

from shared import files, paths


class WindowNote(msgspec.Struct, frozen=True):
    model_id: str
    """As the client gave it, with `[1m]` where it has that."""
    context_window_size: int
    """Tokens."""


def read(root: str, session_id: str) -> WindowNote | None:
    """The note on a session, whose id is a valid one; None when there is none."""
    return files.load(paths.window_note(root, session_id), WindowNote, None)


def write(root: str, session_id: str, note: WindowNote) -> None:
    """Replace the note on a session. Raises OSError."""
    files.write_atomic(paths.window_note(root, session_id), msgspec.json.encode(note))
