"""What `tidegauge doctor --fix` does about what the checks have found."""

import os
import subprocess
import sys
from collections.abc import Iterable

from monitor.commands.diagnosis.finding import CheckFinding, CheckStatus, Fix
from monitor.commands.diagnosis.surroundings import Surroundings

_PRIVATE, _EXECUTABLE = 0o700, 0o755


def of(findings: Iterable[CheckFinding]) -> list[tuple[Fix, str]]:
    """What is to be done, once each; the repair last, for it replaces the program that is running."""
    wanted = {(one.fix, one.path) for one in findings if one.fix and one.status is not CheckStatus.OK}
    return sorted(wanted, key=lambda item: (item[0] is Fix.REPAIR, item))


def carry_out(fix: Fix, path: str, place: Surroundings) -> str:
    """Do it; returns what was done, or why it wasn't, as one line."""
    if fix is Fix.REPAIR:
        return _repair(place)
    try:
        if fix is Fix.REMOVE:
            os.unlink(path)
            return f"removed {path}"
        mode = _PRIVATE if fix is Fix.PRIVATE else _EXECUTABLE
        os.chmod(path, mode)
    except OSError as problem:
        return f"{path}: {problem.strerror or problem}"
    return f"chmod {mode:o} {path}"


def _repair(place: Surroundings) -> str:
    command = place.layout.command
    if sys.platform == "win32":  # an interpreter that runs cannot be replaced
        return f"to do yourself: {command} repair"
    done = subprocess.run([command, "repair"], stdin=subprocess.DEVNULL, stdout=sys.stderr, check=False)
    return f"{command} repair" + (f" ended with exit code {done.returncode}" if done.returncode else "")
