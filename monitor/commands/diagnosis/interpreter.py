"""Whether the private environment's interpreter runs, and starts as fast as it could."""

import os
import re
import subprocess
from collections.abc import Iterator
from importlib import metadata

from installer import choices, source
from monitor import registrations
from monitor.commands.diagnosis.finding import REPAIR, CheckFinding, ok, warning, wrong
from monitor.commands.diagnosis.surroundings import Surroundings
from shared import bundle

_PROGRAM = os.path.dirname(os.path.dirname(os.path.abspath(registrations.__file__)))
_NAME = re.compile(r"[\w.-]+")
_SECONDS = 10
_QUESTION = "import sys; print('.'.join(map(str, sys.version_info[:3]))); sys.exit(sys.version_info < (3, 11))"


def interpreter(place: Surroundings) -> Iterator[CheckFinding]:
    """A system's upgrade can take away the Python that an environment stands on."""
    path = place.layout.python
    remedy = f"{REPAIR} (it recreates the environment)"
    if not os.path.exists(path):
        gone = "leads to a Python that no longer exists" if os.path.islink(path) else "is missing"
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


def packages(place: Surroundings) -> Iterator[CheckFinding]:
    """The packages that the program needs, also those that only one of its commands loads."""
    wanted = source.dependencies(_PROGRAM, choices.load(place.layout).extras)
    missing = [name for name in map(_name, wanted) if not _is_whole(name)]
    if missing:
        yield wrong("packages", f"{place.layout.environment} lacks {' and '.join(missing)}", REPAIR)
    else:
        yield ok("packages", "all there")


def _name(requirement: str) -> str:
    return _NAME.match(requirement)[0]  # type: ignore[index]  # every requirement begins with a name


def _is_whole(name: str) -> bool:
    """Whether the package's own record and the modules that it lists are there."""
    try:
        files = metadata.files(name) or []
    except metadata.PackageNotFoundError:
        return False
    modules = [file for file in files if len(file.parts) == 1 + (file.name == "__init__.py")]
    return all(os.path.exists(str(file.locate())) for file in modules if file.suffix == ".py")


def startup_bundle(place: Surroundings) -> Iterator[CheckFinding]:
    """The bundle, without which everything works, and starts a tenth slower."""
    subject, path = "start-up bundle", place.layout.bundle
    if os.path.islink(place.layout.environment):
        return  # somebody's development environment, into which the installer writes nothing
    if bundle.fits(path):
        yield ok(subject, path)
        return
    said = f"{path} is damaged, or made for another interpreter" if os.path.exists(path) else f"there is no {path}"
    yield warning(subject, f"{said}: everything starts slower", REPAIR)
