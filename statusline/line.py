"""The status line's process: the client's JSON in, our line out, and the bridge left behind."""

import os

import msgspec

from shared import boundary, settings
from shared.config import Config
from statusline import payload, wrapped
from statusline.drawing import draw
from statusline.observation import observe
from statusline.payload import Payload, Verbatim
from statusline.record import record_of
from statusline.sample import leave
from statusline.status import Status
from statusline.troubles import troubles_of

NAME = "statusline"


def main(stdin: bytes, root: str) -> bytes:
    """What the client shows for `stdin`: our line, or the one that the person had before ours."""
    known = payload.decode(stdin, Payload)
    record = record_of(known.transcript_path or "")
    former = wrapped.read(root)
    running = wrapped.start(former, stdin)  # first of all that takes time: it runs beside ours
    project = (known.workspace and known.workspace.project_dir) or known.cwd
    found = settings.load(root, os.environ, project)
    config = found.config
    status = boundary.attempt(NAME, root, observe, known, record, config, root, os.environ)
    if status is None:
        status = Status(known)
    else:
        blocks = payload.decode(stdin, Verbatim)
        boundary.attempt(NAME, root, leave, status, record, blocks, root, config.bridge.directory)
    troubles = troubles_of(root, found)
    indent = former.indent if former else 0
    theirs = running.output(config.statusline.wrapped_timeout) if running else b""
    if theirs and config.statusline.wrapped == "alone":
        return theirs
    if former and not theirs:
        troubles = (*troubles, "wrapped status line")
    ours = _drawn(msgspec.structs.replace(status, troubles=troubles), config, root, indent)
    return wrapped.joined(ours, theirs, config.statusline.wrapped) if theirs else ours


def _drawn(status: Status, config: Config, root: str, indent: int) -> bytes:
    text = draw(status, config, root, os.environ, indent)
    return f"{text}\n".encode("utf-8", "replace") if text else b""
