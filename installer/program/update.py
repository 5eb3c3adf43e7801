"""The newest version, fetched and installed by its own installer."""

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable

from installer.install_error import InstallError
from installer.program import environment, source

_NAME = "tidegauge"
_UNPUBLISHED = (
    "there is no published version to fetch; update your clone and install from there: "
    "run git pull, then python3 install.py"
)


def run(chosen: argparse.Namespace, directory: str, say: Callable[[str], None]) -> int:
    """Run the installer of the new version; returns its exit code.

    The new version is what `--from` names: a directory, a wheel or an address; without it, the package index's. Raises
    InstallError when there is none.
    """
    origin = chosen.origin
    if origin is None and not source.is_published(directory):
        raise InstallError(_UNPUBLISHED)
    if origin is not None and os.path.exists(origin):
        origin = os.path.abspath(origin)
    if origin is not None and os.path.isdir(origin):
        source.check(origin)
        return _install(origin, chosen)
    with tempfile.TemporaryDirectory(prefix="tidegauge-") as scratch:
        fetched = _fetch(origin or _NAME, os.path.join(scratch, "environment"), say)
        if origin is None and source.version(fetched) == source.version(directory):
            say(f"Tidegauge {source.version(directory)} is the newest.")
            return 0
        return _install(fetched, chosen)


def _fetch(origin: str, path: str, say: Callable[[str], None]) -> str:
    """Install the wheel of `origin` into an environment at `path`; returns the directory of its program."""
    say(f"Fetching {origin} ...")
    try:
        environment.build(path, ["--no-deps", origin], "the update")
    except InstallError as refusal:
        raise InstallError(f"{origin} can't be fetched: {refusal}") from None
    program = os.path.join(environment.packages(path, "the update cannot be read"), "tidegauge", "_program")
    source.check(program)
    return program


def _install(directory: str, chosen: argparse.Namespace) -> int:
    flags = ["--yes"] if chosen.yes else []
    flags += ["--dry-run"] if chosen.dry_run else []
    command = [sys.executable, "-I", os.path.join(directory, "install.py"), "install", *flags]
    return subprocess.run(command, check=False).returncode
