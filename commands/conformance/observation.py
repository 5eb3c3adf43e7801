"""What a status line does with the redraws of a case."""

import os
import tempfile
import time
from collections.abc import Iterator

import msgspec

from commands.conformance.case import CaseRow, RecordedCase
from commands.conformance.scratch_client import ScratchClient
from shared import paths
from shared.files import files
from shared.gauge import bridge as bridges
from shared.gauge.bridge import Bridge
from shared.text.plain import one_line
from statusline.wrapping.command import Command

_LONGEST = 4_000
"""Characters of a line that are parsed."""


class Observation(msgspec.Struct, frozen=True):
    accepted: tuple[int | None, ...]
    printed: str = ""
    """Its output, on one line and without escape sequences."""
    status: int | None = None
    """The exit code; None if the process had to be killed."""
    bridge: Bridge | None = None
    """The bridge that it wrote; None if a reader would reject it."""
    has_bridge: bool = False
    """Whether it wrote any bridge at all."""


def observe(case: RecordedCase, command: str, seconds: float, root: str) -> Iterator[Observation]:
    """Run `command` once for each redraw of `case`, up to the first that takes more than `seconds`.

    All redraws of a case share a home and a session, so a program sees its own state again. `command` may be the
    Tidegauge installed in `root`, so what that has stored about the session is removed. Raises OSError.
    """
    with tempfile.TemporaryDirectory(prefix="tidegauge-conformance-", ignore_cleanup_errors=True) as directory:
        scratch = ScratchClient(os.path.realpath(directory))
        try:
            for row in case.rows:
                if not row.redraw:
                    scratch.append(row)
                    continue
                observation = _redraw(scratch, row, command, seconds)
                yield observation
                if observation.status is None:
                    return
        finally:
            state = paths.run_directory(root)
            for name in os.listdir(state) if os.path.isdir(state) else ():
                if scratch.session in name:
                    files.remove(os.path.join(state, name))


def _redraw(scratch: ScratchClient, row: CaseRow, command: str, seconds: float) -> Observation:
    payload = scratch.filled(bytes(row.redraw))
    running = Command(command, payload, scratch.environ(), scratch.project, is_ended_with_us=False)
    try:
        result = running.result(seconds)
    finally:
        running.kill()  # what it may have left in the background
    printed = one_line(result.stdout.decode("utf-8", "replace"), _LONGEST)
    written = [path for path in scratch.bridges if os.path.exists(path)]
    bridge = bridges.read(written[0], scratch.session) if written else None
    if bridge is not None and not bridges.is_fresh(bridge, time.time(), files.size(scratch.transcript)):
        bridge = None
    return Observation(row.accepted, printed, result.status, bridge, bool(written))
