"""The layers of the configuration: environment over a project's file over the person's own over the defaults.

A bad value costs its own key alone: the next layer's counts, and the problem is shown (the status line's
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
    """The configuration of the person whose Tidegauge is in `root`, as it applies in `directory`. Never fails."""
    problems: list[str] = []
    of_project = project(project_directory(environ, directory), problems)
    layers = [layer for layer in (environment(environ), of_project, user(root, problems)) if layer.values]
    if not layers:
        return Settings(defaults(root), tuple(problems))
    from shared.settings.layers import merge  # noqa: PLC0415  only who sets something pays for it

    return merge(layers, problems, defaults(root))


def own(root: str, environ: Mapping[str, str] = os.environ) -> Settings:
    """The person's configuration without any project's: for what is stored over all projects, by any process."""
    return load(root, {name: value for name, value in environ.items() if name != client.PROJECT_VARIABLE})


def defaults(root: str) -> Config:
    """What holds where nobody has set anything: the records' defaults, and what the profile turns on besides."""
    config = Config()
    for key in ADDED_BY_FULL if read_profile(root) == FULL else ():
        section, name = key.split(".")
        changed = msgspec.structs.replace(getattr(config, section), **{name: True})
        config = msgspec.structs.replace(config, **{section: changed})
    return config


def read_profile(root: str) -> str:
    """The profile in force: core, unless the person has chosen full."""
    choices = lenient.decode_or(files.read_or_none(paths.choices(root)) or b"", dict, {})
    return FULL if choices.get("profile") == FULL else CORE


def project_directory(environ: Mapping[str, str], directory: object) -> str:
    """The client's word for the project, else `directory`, where the event happened; empty when neither is known."""
    path = environ.get(client.PROJECT_VARIABLE) or directory
    return path if isinstance(path, str) and os.path.isabs(path) else ""


def variable(key: str) -> str:
    """The variable that sets the dotted `key`."""
    return PREFIX + key.replace(".", "__").upper()


def environment(environ: Mapping[str, str]) -> Layer:
    """The variables `TIDEGAUGE_…`, with `__` for a dot."""
    values: dict[str, Any] = {}
    for name in sorted(name for name in environ if name.startswith(PREFIX)):
        *sections, key = name[len(PREFIX) :].lower().split("__")
        table = values
        for section in sections:
            if not isinstance(table.setdefault(section, {}), dict):
                table[section] = {}  # the longer name says that it is a section
            table = table[section]
        table[key] = environ[name]
    return Layer(ENVIRONMENT, values, ENVIRONMENT)


def user(root: str, problems: list[str]) -> Layer:
    """The person's own file, which may well be a link into their dotfiles."""
    path = paths.config_file(root)
    return Layer(path, _values(path, problems), USER)


def project(directory: str, problems: list[str]) -> Layer:
    """What a repository brings along, and so is not trusted (project_settings): never read through a link."""
    if not directory:  # no path: what is relative would be another directory's file
        return Layer("", {}, PROJECT)
    path = paths.project_file(directory)
    if os.path.islink(path):
        problems.append(f"{path}: is a link")
        return Layer(path, {}, PROJECT)
    return Layer(path, _values(path, problems, is_trusted=False), PROJECT)


def _values(path: str, problems: list[str], *, is_trusted: bool = True) -> dict[str, Any]:
    """What the file at `path` says; nothing, and a problem, when it cannot be read."""
    try:
        descriptor = files.open_regular(path, is_ours=not is_trusted)
    except ValueError:  # a NUL in the path
        return {}
    except OSError as problem:
        if problem.errno not in _NOT_THERE:
            problems.append(f"{path}: {problem.strerror or problem}")
        return {}
    from shared.settings import toml_file  # noqa: PLC0415  2 ms that only who has such a file pays

    return toml_file.values(descriptor, path, problems, is_trusted=is_trusted)
