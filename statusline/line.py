"""The status line's process: the client's JSON in, our line out, and the bridge left behind."""

import os
import time

import msgspec

from shared import boundary, settings
from shared.config import Config
from statusline import payload, seen, wrapped
from statusline.drawing import draw
from statusline.observation import observe
from statusline.payload import Payload, Verbatim
from statusline.problems import problems_of
from statusline.sample import write_bridge
from statusline.seen import SessionSeen
from statusline.status import Status
from statusline.transcript_stat import stat_of

NAME = "statusline"
BROKEN = b"! statusline: tidegauge doctor\n"
"""Shown when drawing fails, which is a bug of ours."""


def main(stdin: bytes, root: str) -> bytes:
    """What the client shows for `stdin`: our line, or the one that the person had before ours."""
    known = payload.decode(stdin, Payload)
    transcript = stat_of(known.transcript_path or "")
    former = wrapped.read(root)
    running = wrapped.start(former, stdin)  # first of all that takes time: it runs beside ours
    project = (known.workspace and known.workspace.project_dir) or known.cwd
    found = settings.load(root, os.environ, project)
    config = found.config
    status = boundary.attempt(NAME, root, observe, known, transcript, config, root, os.environ)
    if status is not None:
        blocks = payload.decode(stdin, Verbatim)
        boundary.attempt(NAME, root, write_bridge, status, transcript, blocks, root, config.bridge.directory)
    theirs = running.output(config.statusline.wrapped_timeout) if running else b""
    if theirs and config.statusline.wrapped == "alone":
        return theirs
    problems = problems_of(root, found) + (("wrapped status line",) if former and not theirs else ())
    so_far = boundary.attempt(NAME, root, seen.update, known, transcript, root) or SessionSeen()
    whole = msgspec.structs.replace(status or Status(known, time.time()), problems=problems, seen=so_far)
    ours = boundary.attempt(NAME, root, _drawn, whole, config, root, former.indent if former else 0)
    ours = BROKEN if ours is None else ours
    return wrapped.joined(ours, theirs, config.statusline.wrapped) if theirs else ours


def _drawn(status: Status, config: Config, root: str, indent: int) -> bytes:
    text = draw(status, config, root, os.environ, indent)
    return f"{text}\n".encode("utf-8", "replace") if text else b""
