"""A session's run: from when on what the client says holds.

A resumed session keeps its id, and with it its transcript and the bridge that its last run left; model, window and
client may be others. Written by the monitor alone, at the session's start and where it learns.
"""

from typing import Annotated

import msgspec

from shared import files, paths


class Run(msgspec.Struct, frozen=True):
    """What is known of a session's newest run."""

    started_at: Annotated[float, msgspec.Meta(ge=0, le=1e11)] = 0.0
    """Epoch seconds of its SessionStart; 0 where we weren't there. After the year 5000, a file of ours is damaged."""
    identity: str = ""
    """The model as the client named it to its model in this run, which long ago it may have done."""


def read(root: str, session_id: str) -> Run:
    """The newest run of a session, whose id is a valid one."""
    return files.load(paths.session_run(root, session_id), Run, Run())


def write(root: str, session_id: str, run: Run) -> None:
    """Replace what is known of a session's run. Raises OSError."""
    files.write_atomic(paths.session_run(root, session_id), msgspec.json.encode(run))
