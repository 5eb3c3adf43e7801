"""The `tidegauge` command by name: a link in the person's own directory of commands, where there is one on PATH."""

import os
import shutil
from collections.abc import Mapping
from contextlib import ExitStack, suppress

from installer import interruption
from installer.layout import Layout

_DIRECTORIES = (os.path.join(".local", "bin"), "bin")  # in the home


def plan(layout: Layout, environ: Mapping[str, str]) -> str | None:
    """The link to make; None where there is no place for it, or another `tidegauge` already."""
    if layout.windows or layout.project or existing(environ) is not None:
        return None
    on_path = {os.path.realpath(path) for path in environ.get("PATH", "").split(os.pathsep) if os.path.isabs(path)}
    for path in _links(environ):
        directory = os.path.dirname(path)
        if os.path.realpath(directory) in on_path and os.access(directory, os.W_OK) and not os.path.lexists(path):
            return path
    return None


def existing(environ: Mapping[str, str]) -> str | None:
    """The `tidegauge` that a shell finds by name: ours or, such as uv's own, another one, which stays."""
    return shutil.which("tidegauge", path=environ.get("PATH", ""))


def place(layout: Layout, path: str | None, undo: ExitStack) -> None:
    if path is not None:
        with interruption.hold():
            os.symlink(layout.command, path)
            undo.callback(_unlink, path)


def find(layout: Layout, environ: Mapping[str, str]) -> list[str]:
    """The links that lead to our command."""
    return [path for path in _links(environ) if os.path.islink(path) and os.readlink(path) == layout.command]


def remove(layout: Layout, environ: Mapping[str, str]) -> None:
    for path in find(layout, environ):
        _unlink(path)


def _links(environ: Mapping[str, str]) -> list[str]:
    home = environ.get("HOME", "")
    return [os.path.join(home, name, "tidegauge") for name in _DIRECTORIES] if os.path.isabs(home) else []


def _unlink(path: str) -> None:
    with suppress(OSError):
        os.unlink(path)
