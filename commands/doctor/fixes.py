"""The fixes that `tidegauge doctor --fix` carries out."""

import os
import subprocess
import sys
from collections.abc import Iterable

from commands.doctor.finding import CheckFinding, CheckStatus, Fix
from commands.environment.environment import Environment

_PRIVATE, _EXECUTABLE = 0o700, 0o755


def of(findings: Iterable[CheckFinding]) -> list[tuple[Fix, str]]:
    """The fixes to carry out, once each; the repair last, for it replaces the program that is running."""
    wanted = {(item.fix, item.path) for item in findings if item.fix and item.status is not CheckStatus.OK}
    return sorted(wanted, key=lambda item: (item[0] is Fix.REPAIR, item))


def carry_out(fix: Fix, path: str, environment: Environment) -> str:
    """Do it; returns what was done, or why it wasn't, as one line."""
    if fix is Fix.REPAIR:
        return _repair(environment)
    try:
        if fix is Fix.REMOVE:
            os.unlink(path)
            return f"removed {path}"
        mode = _PRIVATE if fix is Fix.PRIVATE else _EXECUTABLE
        os.chmod(path, mode)
    except OSError as problem:
        return f"{path}: {problem.strerror or problem}"
    return f"chmod {mode:o} {path}"


def _repair(environment: Environment) -> str:
    command = environment.layout.command
    if sys.platform == "win32":  # an interpreter that runs cannot be replaced
        return f"to do yourself: {command} repair"
    result = subprocess.run([command, "repair"], stdin=subprocess.DEVNULL, stdout=sys.stderr, check=False)
    return f"{command} repair" + (f" ended with exit code {result.returncode}" if result.returncode else "")
