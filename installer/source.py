"""The program itself: what of a clone, a wheel or an installation is copied, and what it says of its version."""

import os
import shutil
import subprocess
import tomllib
from collections.abc import Sequence
from typing import Any

from installer import files
from installer.install_error import InstallError

PACKAGES = ("shared", "statusline", "monitor", "history", "installer")
_BESIDE = (
    "install.py",
    "pyproject.toml",
    "requirements.txt",
    "requirements-watch.txt",
    "requirements-otlp.txt",
    "CHANGELOG.md",
    "LICENSE",
)
COMMIT = "COMMIT"  # in a copy, which has no .git


def check(directory: str) -> None:
    """Refuse a directory from which nothing can be installed. Raises InstallError, which names what is missing."""
    for name in (*PACKAGES, *_BESIDE[:3]):
        if not os.path.exists(os.path.join(directory, name)):
            raise InstallError(f"{directory} can't be installed from: it has no {name}")


def copy(directory: str, target: str) -> None:
    """Copy the program to `target`, where nothing is yet. Raises OSError."""
    os.makedirs(target)
    for name in PACKAGES:
        ignored = shutil.ignore_patterns("__pycache__", "*.pyc")
        shutil.copytree(os.path.join(directory, name), os.path.join(target, name), ignore=ignored)
    for name in _BESIDE:
        if os.path.exists(os.path.join(directory, name)):
            shutil.copy(os.path.join(directory, name), target)
    files.write(os.path.join(target, COMMIT), commit(directory).encode() + b"\n")


def requirements(directory: str, extras: Sequence[str] = ()) -> list[str]:
    """The packages of the program and its `extras`, as pip and uv take them: exact versions, with hashes."""
    names = ["requirements.txt", *(f"requirements-{extra}.txt" for extra in extras)]
    return ["--require-hashes", *(word for name in names for word in ("-r", os.path.join(directory, name)))]


def dependencies(directory: str, extras: Sequence[str] = ()) -> list[str]:
    """The packages that the program and its `extras` import, as its pyproject.toml asks for them."""
    project = _project(directory)
    optional = project.get("optional-dependencies", {})
    return [str(one) for group in (project["dependencies"], *(optional[extra] for extra in extras)) for one in group]


def version(directory: str) -> str:
    """The version, and the commit where it is known."""
    number, known = str(_project(directory)["version"]), commit(directory)
    return f"{number} ({known})" if known else number


def commit(directory: str) -> str:
    """The commit, shortened; "" where it is not known."""
    written = files.read(os.path.join(directory, COMMIT))
    if written is not None:
        return written.decode().strip()
    if not os.path.exists(os.path.join(directory, ".git")):
        return ""
    try:
        command = ["git", "-C", directory, "rev-parse", "--short=10", "HEAD"]
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=10)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""


def _project(directory: str) -> dict[str, Any]:
    with open(os.path.join(directory, "pyproject.toml"), "rb") as file:
        project: dict[str, Any] = tomllib.load(file)["project"]
    return project
