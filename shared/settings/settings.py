"""The layers of the configuration: environment over a project's file over the person's own over the defaults.

A bad value affects only its own key: the next layer's counts, and the problem is shown (the status line's
badge, `tidegauge doctor`).
"""

import errno
import os
from collections.abc import Mapping
from typing import Any

import msgspec

from shared import paths
from shared.client import client
from shared.files import files, lenient
from shared.settings.config import ENVIRONMENT, PROJECT, USER, Config, Layer, Settings
from shared.settings.profile import ADDED_BY_FULL, CORE, FULL

PREFIX = "TIDEGAUGE_"
_NOT_THERE = frozenset({errno.ENOENT, errno.ENOTDIR, errno.ENAMETOOLONG})


def load(root: str, environ: Mapping[str, str] = os.environ, directory: object = "") -> Settings:
    """Load the configuration of the Tidegauge in `root`, as it applies in `directory`. Never fails."""
    problems: list[str] = []
    of_project = project(project_directory(environ, directory), problems)
    layers = [layer for layer in (environment(environ), of_project, user(root, problems)) if layer.values]
    if not layers:
        return Settings(defaults(root), tuple(problems))
    from shared.settings.layers import merge  # noqa: PLC0415  not needed without settings

    return merge(layers, problems, defaults(root))


def own(root: str, environ: Mapping[str, str] = os.environ) -> Settings:
    """Load the person's configuration without any project's, for data that any process stores across projects."""
    return load(root, {name: value for name, value in environ.items() if name != client.PROJECT_VARIABLE})


def defaults(root: str) -> Config:
    """The configuration without any layer: the records' defaults, and the parts that the profile turns on."""
    config = Config()
    for key in ADDED_BY_FULL if read_profile(root) == FULL else ():
        section, name = key.split(".")
        changed = msgspec.structs.replace(getattr(config, section), **{name: True})
        config = msgspec.structs.replace(config, **{section: changed})
    return config


def read_profile(root: str) -> str:
    """Read the profile in force: core, unless the person has chosen full."""
    choices = lenient.decode_or(files.read_or_none(paths.choices(root)) or b"", dict, {})
    return FULL if choices.get("profile") == FULL else CORE


def project_directory(environ: Mapping[str, str], directory: object) -> str:
    """The project as the client names it, otherwise the event's `directory`; empty if neither is known."""
    path = environ.get(client.PROJECT_VARIABLE) or directory
    return path if isinstance(path, str) and os.path.isabs(path) else ""


def variable(key: str) -> str:
    """The environment variable that sets the dotted `key`."""
    return PREFIX + key.replace(".", "__").upper()


def environment(environ: Mapping[str, str]) -> Layer:
    """The layer of the variables `TIDEGAUGE_…`, with `__` for a dot."""
    values: dict[str, Any] = {}
    for name in sorted(name for name in environ if name.startswith(PREFIX)):
        *sections, key = name[len(PREFIX) :].lower().split("__")
        table = values
        for section in sections:
            if not isinstance(table.setdefault(section, {}), dict):
                table[section] = {}  # the longer name shows that it is a section
            table = table[section]
        table[key] = environ[name]
    return Layer(ENVIRONMENT, values, ENVIRONMENT)


def user(root: str, problems: list[str]) -> Layer:
    """The layer of the person's own file, which may be a link into their dotfiles."""
    path = paths.config_file(root)
    return Layer(path, _values(path, problems), USER)


def project(directory: str, problems: list[str]) -> Layer:
    """The layer of a repository's file, which is not trusted (project_settings): it is never read through a link."""
    if not directory:  # a relative path would be another directory's file
        return Layer("", {}, PROJECT)
    path = paths.project_file(directory)
    if os.path.islink(path):
        problems.append(f"{path}: is a link")
        return Layer(path, {}, PROJECT)
    return Layer(path, _values(path, problems, is_trusted=False), PROJECT)


def _values(path: str, problems: list[str], *, is_trusted: bool = True) -> dict[str, Any]:
    """The tables in the file at `path`; if it can't be read, nothing, and a problem is added."""
    try:
        descriptor = files.open_regular(path, is_ours=not is_trusted)
    except ValueError:  # a NUL in the path
        return {}
    except OSError as problem:
        if problem.errno not in _NOT_THERE:
            problems.append(f"{path}: {problem.strerror or problem}")
        return {}
    from shared.settings import toml_file  # noqa: PLC0415  2 ms, needed only where there is such a file

    return toml_file.values(descriptor, path, problems, is_trusted=is_trusted)
