"""The client's process: whether the session that left a checkpoint is still at work elsewhere."""

import os
from collections.abc import Mapping

from monitor.checkpoints.checkpoint import Client
from shared.client import PROCESS_VARIABLE

_SHELLS = ("sh", "bash", "dash", "zsh", "fish", "ksh", "cmd", "powershell", "pwsh")
_TOLERANCE = 2.0
"""Seconds between two readings of when one process was started."""


def own(environ: Mapping[str, str]) -> Client | None:
    """The client that has started this process; None when it cannot be told."""
    import psutil  # noqa: PLC0415  14 ms that no tool use pays

    try:
        named = environ.get(PROCESS_VARIABLE, "")
        if named.isdecimal():
            return Client(int(named), psutil.Process(int(named)).create_time())
        process = psutil.Process(os.getppid())
        # Older clients don't say: it is what has started the shell that runs hooks.
        while process.name().lower().removesuffix(".exe") in _SHELLS and (parent := process.parent()):
            process = parent
        return Client(process.pid, process.create_time())
    except (psutil.Error, OSError, OverflowError):
        return None


def is_alive(client: Client) -> bool:
    """Whether it still runs."""
    import psutil  # noqa: PLC0415  see above

    try:
        return abs(psutil.Process(client.pid).create_time() - client.started) < _TOLERANCE
    except (psutil.Error, OSError, OverflowError, ValueError):
        return False
