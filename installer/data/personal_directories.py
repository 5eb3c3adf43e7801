"""The person's directories: configuration, log and what was saved, which outlive an installation."""

import os
import re
from collections.abc import Sequence

from installer import files
from installer.install_error import InstallError
from installer.layout import NAME, Layout

_OURS = re.compile(
    r"config\.toml|tidegauge\.log|goals|checkpoint-key|history\.sqlite(-wal|-shm|-journal)?|report\.html|\..+\.tmp"
)
"""Our names in these directories (docs/files.md)."""


def find(layout: Layout) -> list[str]:
    return [path for path in dict.fromkeys(map(str, files.load(layout.directories).values())) if os.path.isdir(path)]


def remove(paths: Sequence[str]) -> list[str]:
    """Remove our files from `paths`, and directories left empty; return those that stay. Raises InstallError."""
    for path in sorted(paths, key=len, reverse=True):  # on Windows the log's directory is inside another
        parent = os.path.dirname(path)
        if NAME not in (os.path.basename(path), os.path.basename(parent)) or os.path.islink(path):
            raise InstallError(f"{path}: doesn't look like one of our directories; delete it by hand")
        files.remove_trees([os.path.join(path, name) for name in filter(_OURS.fullmatch, os.listdir(path))])
        if files.remove_empty(path) and os.path.basename(parent) == NAME:
            files.remove_empty(parent)
    return [path for path in paths if os.path.isdir(path)]
