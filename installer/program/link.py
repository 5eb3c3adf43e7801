"""The `tidegauge` command by name: a link in the person's own directory of commands, if there is one on PATH."""

import os
import shutil
from collections.abc import Mapping
from contextlib import ExitStack

from installer.layout import NAME, Layout

_DIRECTORIES = (os.path.join(".local", "bin"), "bin")  # in the home
_OURS = os.path.join(NAME, "bin", NAME)  # the end of every path that a link of ours leads to


def plan(layout: Layout, environ: Mapping[str, str]) -> str | None:
    """The link to make; None if there is no directory for it, or already another `tidegauge`."""
    if layout.windows or layout.project or existing(environ) is not None:
        return None
    on_path = {os.path.realpath(path) for path in _permanent_directories(environ)}
    free = [path for path in _links(environ) if not os.path.lexists(path) or _is_dead(path)]
    usable = [path for path in free if os.access(os.path.dirname(path), os.W_OK)]
    reachable = [path for path in usable if os.path.realpath(os.path.dirname(path)) in on_path]
    # A link that died when our home was moved is renewed in any case: another shell than this one may find it.
    return next(iter([*reachable, *filter(_is_dead, usable)]), None)


def existing(environ: Mapping[str, str]) -> str | None:
    """The `tidegauge` that a new shell finds by name: ours or another one, such as pipx's, which stays."""
    return shutil.which(NAME, path=os.pathsep.join(_permanent_directories(environ)))


def place(layout: Layout, path: str | None, undo: ExitStack) -> None:
    if path is not None:
        dead = os.readlink(path) if os.path.islink(path) else None  # one of ours
        undo.callback(_put_back, path, layout.command, dead)
        if dead is not None:
            os.unlink(path)
        os.symlink(layout.command, path)


def _put_back(path: str, ours: str, dead: str | None) -> None:
    """Undo `place`, however far it got."""
    if os.path.islink(path) and os.readlink(path) == ours:
        os.unlink(path)
    if dead is not None and not os.path.lexists(path):
        os.symlink(dead, path)


def find(layout: Layout, environ: Mapping[str, str]) -> list[str]:
    """The links that lead to our command, or to one of ours that is gone because its home has moved."""
    links = [path for path in _links(environ) if os.path.islink(path)]
    return [path for path in links if os.readlink(path) == layout.command or _is_dead(path)]


def has_own_directory(environ: Mapping[str, str]) -> bool:
    """Whether ~/.local/bin is on PATH."""
    on_path = {os.path.realpath(path) for path in _permanent_directories(environ)}
    return any(os.path.realpath(os.path.dirname(path)) in on_path for path in _links(environ)[:1])


def _permanent_directories(environ: Mapping[str, str]) -> list[str]:
    """The directories of PATH that a new shell has too, so none of a virtual environment, such as uvx's."""
    paths = [path for path in environ.get("PATH", "").split(os.pathsep) if os.path.isabs(path)]
    return [path for path in paths if not os.path.exists(os.path.join(os.path.dirname(path), "pyvenv.cfg"))]


def _is_dead(path: str) -> bool:
    """Whether this is a link to a command of ours that is gone."""
    return os.path.islink(path) and not os.path.exists(path) and os.readlink(path).endswith(os.sep + _OURS)


def _links(environ: Mapping[str, str]) -> list[str]:
    home = environ.get("HOME", "")
    return [os.path.join(home, name, NAME) for name in _DIRECTORIES] if os.path.isabs(home) else []
