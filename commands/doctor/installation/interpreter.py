"""Whether the private environment's interpreter runs, and has its packages."""

import csv
import os
import re
from collections.abc import Iterator
from importlib import metadata

from commands.doctor.finding import REPAIR, CheckFinding, ok, wrong
from commands.environment.environment import Environment
from installer import choices
from installer.checking import basic_check
from installer.program import source

_NAME = re.compile(r"[\w.-]+")
_MODULE = re.compile(r"\w+\.py|\w+/__init__\.py")
_QUESTION = "import sys; print('.'.join(map(str, sys.version_info[:3]))); sys.exit(sys.version_info < (3, 11))"


def interpreter(environment: Environment) -> Iterator[CheckFinding]:
    """Whether the environment's Python runs: a system upgrade can remove it."""
    is_running, text = basic_check.trial(environment.layout, "-S", "-c", _QUESTION)
    if is_running:
        yield ok("interpreter", f"Python {text}, {environment.layout.python}")
    else:
        yield wrong("interpreter", text, f"{REPAIR} (it recreates the environment)", silences=True)


def packages(environment: Environment) -> Iterator[CheckFinding]:
    """Whether the program's packages are there, including those that only one command loads."""
    wanted = source.dependencies(source.RUNNING, choices.load(environment.layout).extras)
    names = [match[0] for requirement in wanted if (match := _NAME.match(requirement))]
    if missing := [name for name in names if not _is_whole(name)]:
        yield wrong("packages", f"{environment.layout.environment} lacks {' and '.join(missing)}", REPAIR)
    else:
        yield ok("packages", "all there")


def _is_whole(name: str) -> bool:
    """Whether the package's own record and the modules that it lists are there."""
    try:
        package = metadata.distribution(name)
    except metadata.PackageNotFoundError:
        return False
    # Not `package.files`, which omits missing files from Python 3.12 on.
    paths = (row[0] for row in csv.reader((package.read_text("RECORD") or "").splitlines()) if row)
    return all(os.path.exists(str(package.locate_file(path))) for path in paths if _MODULE.fullmatch(path))
