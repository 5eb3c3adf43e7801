"""The program itself: what is copied from a clone, a wheel or an installation, and its version."""

import os
import shutil
import subprocess
import tomllib
from collections.abc import Sequence
from typing import Any

from installer import files
from installer.install_error import InstallError
from installer.layout import Layout

RUNNING = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
"""The directory of the running program."""
PACKAGES = ("shared", "statusline", "monitor", "history", "installer", "commands")
_FILES = ("install.py", "pyproject.toml", "CHANGELOG.md", "LICENSE")
# From `requirements/`, which has those of the tests, too.
_REQUIREMENTS = ("program.txt", "watch.txt", "otlp.txt")
COMMIT = "COMMIT"  # in a copy, which has no .git


def check(directory: str) -> None:
    """Raise InstallError, naming what is missing, for a directory from which nothing can be installed."""
    for name in (*PACKAGES, *_FILES[:2], os.path.join("requirements", _REQUIREMENTS[0])):
        if not os.path.exists(os.path.join(directory, name)):
            raise InstallError(f"{directory} isn't a Tidegauge checkout: it has no {name}")


def copy(directory: str, target: str) -> None:
    """Copy the program to `target`, where nothing is yet. Raises OSError."""
    os.makedirs(target)
    for name in PACKAGES:
        ignored = shutil.ignore_patterns("__pycache__", "*.pyc")
        try:
            shutil.copytree(os.path.join(directory, name), os.path.join(target, name), ignore=ignored)
        except shutil.Error as error:  # it lists all files that it couldn't copy, each with its reason
            raise OSError(error.args[0][0][-1]) from None
    for name in _FILES:
        if os.path.exists(os.path.join(directory, name)):
            shutil.copy(os.path.join(directory, name), target)
    os.mkdir(os.path.join(target, "requirements"))
    for name in _REQUIREMENTS:
        shutil.copy(os.path.join(directory, "requirements", name), os.path.join(target, "requirements"))
    files.write(os.path.join(target, COMMIT), commit(directory).encode() + b"\n")


def requirements(directory: str, extras: Sequence[str] = ()) -> list[str]:
    """The packages of the program and its `extras`, as pip and uv take them: exact versions, with hashes."""
    paths = (os.path.join(directory, "requirements", f"{name}.txt") for name in ("program", *extras))
    return ["--require-hashes", *(word for path in paths for word in ("-r", path))]


def dependencies(directory: str, extras: Sequence[str] = ()) -> list[str]:
    """The packages that the program and its `extras` import, as its pyproject.toml asks for them."""
    optional = _table(directory, "project", "optional-dependencies")
    groups = [_table(directory, "project")["dependencies"], *(optional[extra] for extra in extras)]
    return [str(requirement) for group in groups for requirement in group]


def version(directory: str) -> str:
    number, checkout = str(_table(directory, "project")["version"]), commit(directory)
    return f"{number} ({checkout})" if checkout else number


def installed(layout: Layout) -> str | None:
    return version(layout.program) if os.path.exists(os.path.join(layout.program, "pyproject.toml")) else None


def commit(directory: str) -> str:
    """The commit, shortened; "" without one."""
    written = files.read(os.path.join(directory, COMMIT))
    if written is not None:
        return written.decode().strip()
    if not os.path.exists(os.path.join(directory, ".git")):
        return ""
    try:
        command = ["git", "-C", directory, "rev-parse", "--short=10", "HEAD"]
        result = subprocess.run(command, capture_output=True, text=True, check=False, timeout=10)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return result.stdout.strip() if result.returncode == 0 else ""


def _table(directory: str, *names: str) -> dict[str, Any]:
    """A table of its pyproject.toml; an empty one if it is missing."""
    with open(os.path.join(directory, "pyproject.toml"), "rb") as file:
        table = tomllib.load(file)
    for name in names:
        table = table.get(name, {})
    return table
