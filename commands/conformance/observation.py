"""What a status line does when it is given the redraws of a case."""

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
    """What it printed, on one line and without escape sequences."""
    status: int | None = None
    """The exit code; None if the process had to be ended."""
    bridge: Bridge | None = None
    """The bridge that it wrote, as long as a reader would believe it."""
    has_bridge: bool = False
    """Whether it has left any bridge at all."""


def observe(case: RecordedCase, command: str, seconds: float, root: str) -> Iterator[Observation]:
    """Run `command` once for each redraw of `case`; no further after one that takes more than `seconds`.

    All redraws of a case share a home and a session, so what a program remembers is its own. The Tidegauge that is
    installed in `root` may be that program: what it noted of the session is removed. Raises OSError.
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
