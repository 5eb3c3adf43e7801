"""The part of `tidegauge doctor` that needs the standard library alone: whether the other part can run at all."""

import json
import os
import subprocess
from collections.abc import Callable, Sequence

from installer.layout import Layout
from installer.program import launchers

_PACKAGES = "import msgspec, platformdirs, psutil; import commands.doctor.command"


def run(layout: Layout, rest: Sequence[str], say: Callable[[str], None]) -> int:
    """Go on with the whole `doctor`, or say what keeps it from running; returns the exit code."""
    problem = find(layout)
    if problem is not None and "--fix" in rest:
        say(f"wrong    {problem}")
        subprocess.run([layout.command, "repair"], stdin=subprocess.DEVNULL, check=False)
        rest, problem = [word for word in rest if word != "--fix"], find(layout)
    if problem is None:
        return subprocess.run([layout.python, "-I", "-m", "commands", "doctor", *rest], check=False).returncode
    remedy = f"run: {layout.command} repair"
    if "--json" in rest:
        subject, _, text = problem.partition(": ")
        # As the whole `doctor` writes it (CheckFinding, in commands/doctor/finding.py).
        finding = {"status": "wrong", "subject": subject, "message": text, "remedy": remedy, "silences": True}
        say(json.dumps({"root": layout.root, "findings": [finding]}, indent=2))
    else:
        say(f"wrong    {problem}")
        say(f"         {remedy}")
    return 1


def find(layout: Layout) -> str | None:
    """What is broken, None for nothing that can be seen from outside."""
    if not os.path.exists(layout.python):
        leads = os.path.islink(layout.python)
        gone = f"leads to a Python that is gone: {os.readlink(layout.python)}" if leads else "is missing"
        return f"interpreter: {layout.python} {gone}"
    missing = [path for path in launchers.names(layout) if not os.path.exists(path)]
    if missing:
        return f"program: there is no {missing[0]}"
    try:
        result = subprocess.run(
            [layout.python, "-I", "-c", _PACKAGES], capture_output=True, text=True, check=False, timeout=30
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"interpreter: {layout.python} does not run: {error}"
    errors = (result.stderr.strip().splitlines() or ["it says nothing"])[-1]
    return f"packages: {errors}" if result.returncode != 0 else None
