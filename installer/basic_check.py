"""The part of `tidegauge doctor` that needs the standard library alone: whether the other part can run at all."""

import os
import subprocess
from collections.abc import Callable, Sequence

from installer import launchers
from installer.layout import Layout

_PACKAGES = "import msgspec, platformdirs, psutil; import monitor.commands.doctor"


def run(layout: Layout, rest: Sequence[str], say: Callable[[str], None]) -> int:
    """Go on with the whole `doctor`, or say what keeps it from running; returns the exit code."""
    problem = find(layout)
    if problem is None:
        return subprocess.run([layout.python, "-I", "-m", "monitor", "doctor", *rest], check=False).returncode
    say(f"wrong    {problem}")
    say(f"         to put it right: {layout.command} repair")
    return 1


def find(layout: Layout) -> str | None:
    """Return what is broken, None for nothing that can be seen from outside."""
    if not os.path.exists(layout.python):
        leads = os.path.islink(layout.python)
        gone = f"leads to a Python that is gone: {os.readlink(layout.python)}" if leads else "is missing"
        return f"interpreter: {layout.python} {gone}"
    missing = [path for path in launchers.names(layout) if not os.path.exists(path)]
    if missing:
        return f"program: there is no {missing[0]}"
    try:
        done = subprocess.run(
            [layout.python, "-I", "-c", _PACKAGES], capture_output=True, text=True, check=False, timeout=30
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"interpreter: {layout.python} does not run: {error}"
    said = (done.stderr.strip().splitlines() or ["it says nothing"])[-1]
    return f"packages: {said}" if done.returncode != 0 else None
