"""The status line's process: it reads the client's JSON, prints our line and writes the bridge."""

import os
import time

import msgspec

from shared.files import files
from shared.files.lenient import record_or_empty
from shared.process import boundary
from shared.settings import settings
from shared.settings.config import WRAPPED_SECONDS, Config
from statusline.drawing import draw
from statusline.measuring import session_samples
from statusline.measuring.measurement import observe
from statusline.measuring.sample import write_bridge
from statusline.measuring.session_samples import SessionSamples
from statusline.measuring.status import Status
from statusline.payload import Payload, Verbatim
from statusline.segments.badge import problems_of
from statusline.wrapping import wrapped

NAME = "statusline"
BROKEN = b"! statusline: tidegauge doctor\n"
"""The line shown if drawing fails, which is a bug of ours."""


def main(stdin: bytes, root: str) -> bytes:
    """The text that the client shows for `stdin`: our line, the person's previous one, or both."""
    payload = record_or_empty(stdin, Payload)
    size = files.size(payload.transcript_path or "")  # before reading anything else: no more than the payload knew
    previous = wrapped.read(root)
    running = wrapped.start(previous, stdin)  # before anything slow, since it runs in parallel
    project = (payload.workspace and payload.workspace.project_dir) or payload.cwd
    loaded = settings.load(root, os.environ, project)
    config = loaded.config
    status = boundary.attempt(NAME, root, observe, payload, size, config, root, os.environ)
    if status is not None:
        blocks = record_or_empty(stdin, Verbatim)
        boundary.attempt(NAME, root, write_bridge, status, size, blocks, root, config.bridge.directory)
    theirs = running.output(WRAPPED_SECONDS) if running else b""
    if theirs and config.statusline.wrapped == "alone":
        return theirs
    problems = problems_of(root, loaded) + (("wrapped status line",) if previous and not theirs else ())
    so_far = boundary.attempt(NAME, root, session_samples.update, payload, size, root) or SessionSamples()
    whole = msgspec.structs.replace(status or Status(payload, time.time()), problems=problems, samples=so_far)
    ours = boundary.attempt(NAME, root, _render, whole, config, root)
    ours = BROKEN if ours is None else ours
    if not theirs:
        return ours
    newline = b"" if theirs.endswith(b"\n") else b"\n"
    return ours + theirs if config.statusline.wrapped == "above" else theirs + newline + ours


def _render(status: Status, config: Config, root: str) -> bytes:
    text = draw(status, config, root, os.environ)
    return f"{text}\n".encode("utf-8", "replace") if text else b""
