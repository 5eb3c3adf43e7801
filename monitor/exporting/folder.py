"""Where the pivots of a project write: a numbered directory for each."""

import os
import re

from monitor.numbered_folder import numbered_folder
from monitor.session import Project
from shared import client, files

DEFAULT = os.path.join(client.DIRECTORY, "tidegauge", "exports")
_NAME = re.compile(r"([0-9]{3,9})-[a-z]+")


def add(project: Project, configured: str | None, name: str) -> str:
    """Make the directory `NNN-name` under the next free number. Raises OSError, OutsideProjectError."""
    folder = numbered_folder(project, configured, DEFAULT)

    def make(number: int) -> str:
        path = os.path.join(folder.path, f"{number:03}-{name}")
        os.mkdir(path, files.PRIVATE_DIRECTORY)
        return path

    return folder.add(_NAME, make)


def newest(project: Project, configured: str | None) -> list[str]:
    """The directories that are there, the newest first. Raises OutsideProjectError."""
    found = numbered_folder(project, configured, DEFAULT)
    numbered = sorted(
        ((int(match[1]), name) for name in found.names() if (match := _NAME.fullmatch(name))), reverse=True
    )
    return [os.path.join(found.path, name) for _, name in numbered]


def write(path: str, text: str) -> None:
    """Make a new private file that holds `text`. Raises OSError."""
    with files.create(path) as file:
        file.write(text.encode("utf-8", "replace"))
