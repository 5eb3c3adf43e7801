"""The person's directories: configuration, log and what was saved, which outlive an installation."""

import os
import shutil
from collections.abc import Iterable

from installer import files
from installer.install_error import InstallError
from installer.layout import NAME, Layout


def find(layout: Layout) -> list[str]:
    """The directories that exist, as the installation has written them down."""
    paths = dict.fromkeys(map(str, files.load(layout.directories).values()))
    return [path for path in paths if os.path.isdir(path)]


def remove(paths: Iterable[str]) -> None:
    """Remove them with all that is in them, and a parent of our name that is empty then. Raises InstallError."""
    for path in paths:
        parent = os.path.dirname(path)
        if NAME not in (os.path.basename(path), os.path.basename(parent)) or os.path.islink(path):
            raise InstallError(f"{path}: doesn't look like one of our directories; delete it by hand")
        try:
            shutil.rmtree(path)
        except FileNotFoundError:
            continue  # it was in one before it
        except OSError as error:
            reason = f"{error.filename}: cannot be removed: {error.strerror}"
            raise InstallError(f"{reason}; delete {path} by hand") from None
        if os.path.basename(parent) == NAME:
            files.remove_empty(parent)
