"""Whether the private environment's interpreter runs, and starts as fast as it could."""

import os
import subprocess
from collections.abc import Iterator

from monitor.commands.diagnosis.finding import CheckFinding, ok, warning, wrong
from monitor.commands.diagnosis.surroundings import Surroundings
from shared import bundle

_SECONDS = 10
_QUESTION = "import sys; print('.'.join(map(str, sys.version_info[:3]))); sys.exit(sys.version_info < (3, 11))"


def interpreter(place: Surroundings) -> Iterator[CheckFinding]:
    """A system's upgrade can take away the Python that an environment stands on."""
    path = place.layout.python
    remedy = "run: tidegauge repair, which makes the environment again"
    if not os.path.exists(path):
        gone = "leads to a Python that is no longer there" if os.path.islink(path) else "is missing"
        yield wrong("interpreter", f"{path} {gone}", remedy, silences=True)
        return
    try:
        done = subprocess.run(
            [path, "-I", "-S", "-c", _QUESTION],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as problem:
        yield wrong("interpreter", f"{path} does not run: {problem!s}", remedy, silences=True)
        return
    said = (done.stdout.strip() or done.stderr.strip() or "it says nothing").splitlines()[-1]
    if done.returncode == 0:
        yield ok("interpreter", f"Python {said}, {path}")
    else:
        yield wrong("interpreter", f"{path} ends with exit code {done.returncode}: {said}", remedy, silences=True)


def startup_bundle(place: Surroundings) -> Iterator[CheckFinding]:
    """Without it everything works, and starts a tenth slower."""
    subject, path = "start-up bundle", place.layout.bundle
    if os.path.islink(place.layout.environment):
        return  # somebody's development environment, into which the installer writes nothing
    if bundle.fits(path):
        yield ok(subject, path)
        return
    said = f"{path} is damaged, or of another interpreter" if os.path.exists(path) else f"there is no {path}"
    yield warning(subject, f"{said}: everything starts slower", "run: tidegauge repair")
