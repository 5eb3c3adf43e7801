"""The part of `tidegauge doctor` that needs the standard library alone: whether the other part can run at all."""

import json
import os
import subprocess
from collections.abc import Callable, Sequence

from installer.layout import Layout
from installer.program import launchers

_SECONDS = 30
_PACKAGES = "import msgspec, platformdirs, psutil; import commands.doctor.command"

_START = """
try:
    import commands.__main__
except KeyboardInterrupt: # while it is still being loaded
    raise SystemExit(130)
"""


def run(layout: Layout, rest: Sequence[str], say: Callable[[str], None]) -> int:
    """Run the whole `doctor`, or report what keeps it from running; return the exit code."""
    problem = find(layout)
    if problem is not None and "--fix" in rest:
        say(f"wrong    {problem}")
        subprocess.run([layout.command, "repair"], stdin=subprocess.DEVNULL, check=False)
        rest, problem = [word for word in rest if word != "--fix"], find(layout)
    if problem is None:
        return subprocess.run([layout.python, "-I", "-c", _START, "doctor", *rest], check=False).returncode
    remedy = f"run: {launchers.repair(layout)}"
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
    """What is broken; None if nothing is, as far as can be seen from outside."""
    is_running, text = trial(layout, "-S", "-c", "")
    if not is_running:
        return f"interpreter: {text}"
    if missing := [path for path in launchers.names(layout) if not os.path.exists(path)]:
        return f"program: there is no {missing[0]}"
    is_whole, text = trial(layout, "-c", _PACKAGES)
    return None if is_whole else f"packages: {text}"


def trial(layout: Layout, *arguments: str) -> tuple[bool, str]:
    """Whether our environment's Python runs with these arguments, and its last line of output, or what is wrong."""
    python = layout.python
    if not os.path.exists(python):
        is_link = os.path.islink(python)
        problem = f"leads to a Python that no longer exists: {os.readlink(python)}" if is_link else "is missing"
        return False, f"{python} {problem}"
    try:
        result = subprocess.run(
            [python, "-I", *arguments],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return False, f"{python} does not run: {error}"
    text = (result.stdout.strip() or result.stderr.strip() or "it says nothing").splitlines()[-1]
    return result.returncode == 0, f"{python} fails: {text}" if result.returncode else text
