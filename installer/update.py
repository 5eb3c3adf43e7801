"""The newest version, fetched and installed by its own installer."""

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable

from installer import environment, source
from installer.environment import ProcessError
from installer.install_error import InstallError
from installer.layout import python_of

_FIND = "import sysconfig; print(sysconfig.get_path('purelib'))"


def run(chosen: argparse.Namespace, directory: str, say: Callable[[str], None]) -> int:
    """Run the installer of the new version; returns its exit code. Raises InstallError when there is none."""
    wanted = chosen.origin or "tidegauge"
    if os.path.isdir(wanted):
        source.check(wanted)
        return _install(wanted, chosen)
    with tempfile.TemporaryDirectory(prefix="tidegauge-") as scratch:
        say(f"Fetching {wanted} ...")
        place = os.path.join(scratch, "environment")
        try:
            environment.build(place, ["--no-deps", wanted], "the update")
        except InstallError as refusal:
            raise InstallError(f"{wanted} cannot be fetched, or there is none: {refusal}") from None
        try:
            packages = environment.run([python_of(place), "-I", "-c", _FIND]).strip()
        except ProcessError as error:
            raise InstallError(f"the update cannot be read: {environment.reason(str(error))}") from None
        fetched = os.path.join(packages, "tidegauge", "_program")
        source.check(fetched)
        if chosen.origin is None and source.version(fetched) == source.version(directory):
            say(f"Tidegauge {source.version(directory)} is the newest.")
            return 0
        return _install(fetched, chosen)


def _install(directory: str, chosen: argparse.Namespace) -> int:
    flags = ["--yes"] if chosen.yes else []
    flags += ["--dry-run"] if chosen.dry_run else []
    command = [sys.executable, "-I", os.path.join(directory, "install.py"), "install", *flags]
    return subprocess.run(command, check=False).returncode
