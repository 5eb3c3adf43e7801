"""`tidegauge config set` and `unset`, which leave the rest of a file as its author wrote it."""

import argparse
import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from typing import Any

import msgspec

from commands.command import ALL_RIGHT, USAGE, CommandError
from commands.config import keys
from commands.terminal import safe
from installer import files
from shared import gate, paths
from shared.files import locked_file
from shared.settings import settings, toml_file
from shared.settings.config import DEFAULT, ENVIRONMENT, PROJECT, SECRET, Layer
from shared.settings.layers import merge
from shared.settings.project_settings import bounds_of

_PUBLIC, _PRIVATE = 0o644, 0o600
_HEADER = "# Your settings of Tidegauge; `tidegauge config show` lists all of them.\n"
_PROJECT_HEADER = "# Settings of Tidegauge for this project; they apply to everybody who works in it.\n"


class _SettingsTarget(msgspec.Struct, frozen=True):
    """The file that a change goes into, its settings, and the settings below it."""

    path: str
    layer: Layer
    below: tuple[Layer, ...]
    before: bytes | None
    """None when there is no such file."""


def set_value(options: argparse.Namespace, root: str) -> int:
    key = keys.find(options.key)
    if options.project and bounds_of(key.name) is None:
        raise CommandError(f"{key.name}: not for a project's file to set; set it without --project", USAGE)
    value = keys.value_of(key, options.value)
    with _locked(root):
        file = _target(options, root)
        _replace(file, key.name, value, root)
    print(safe(f"{key.name} = {keys.toml_text(keys.without_secrets(key.name, value))} in {file.path}"))
    loaded = settings.load(root, os.environ, os.getcwd())
    source = loaded.sources.get(key.name, DEFAULT)
    if source not in (file.layer.source, DEFAULT):
        where = settings.variable(key.name) if source == ENVIRONMENT else f"the {source}'s file"
        text = keys.toml_text(keys.within(loaded.config, key.name))
        print(f"but {where} says {text}, which takes precedence here")
    return ALL_RIGHT


def unset_value(options: argparse.Namespace, root: str) -> int:
    """`tidegauge config unset`, also for a key in the file that is not a setting."""
    with _locked(root):
        file = _target(options, root)
        value: Any = file.layer.values
        for name in options.key.split("."):
            value = value.get(name) if isinstance(value, dict) else None
        if value is None:
            keys.matching(options.key)
            print(safe(f"{options.key} is not set in {file.path}"))
            return ALL_RIGHT
        _replace(file, options.key, None, root)
    print(safe(f"{options.key} is no longer set in {file.path}"))
    return ALL_RIGHT


@contextmanager
def _locked(root: str) -> Iterator[None]:
    """Run simultaneous changes one after the other: each writes the whole file."""
    with ExitStack() as stack:
        with suppress(OSError):  # without the lock, a change that is seen to collide is refused
            if os.path.isdir(root):
                stack.enter_context(locked_file.locked(paths.settings_lock(root)))
        yield


def _target(options: argparse.Namespace, root: str) -> _SettingsTarget:
    """The person's own file, or with --project the project's. Raises CommandError when it is broken, or a link."""
    problems: list[str] = []
    below: tuple[Layer, ...] = ()
    layer = settings.user(root, problems)
    if options.project:
        problems, below = [], (layer,)
        layer = settings.project(settings.project_directory(os.environ, os.getcwd()), problems)
    if problems:
        raise CommandError(f"{problems[0]}; nothing was changed")
    try:
        return _SettingsTarget(layer.name, layer, below, files.read(layer.name))
    except OSError as problem:
        raise CommandError(f"{layer.name}: {problem.strerror}") from None


def _replace(file: _SettingsTarget, key: str, value: Any, root: str) -> None:
    """Write the file with `value` at `key`, or for None without `key`. Raises CommandError if nothing was written."""
    from commands.config import document  # noqa: PLC0415  tomlkit takes 30 ms, and only writing needs it

    header = _PROJECT_HEADER if file.layer.source == PROJECT else _HEADER
    try:
        text = document.edited(header if file.before is None else file.before.decode(), key, value)
    except ValueError as problem:
        raise CommandError(f"{file.path}: {key}: {problem}") from None
    layer = msgspec.structs.replace(file.layer, values=toml_file.parse(text.encode()))
    now, then = (merge([first, *file.below], []).problems for first in (file.layer, layer))
    for fault in then:  # a change may not cause a new problem
        if fault not in now or fault.startswith(f"{file.path}: {key}: "):
            raise CommandError(f"{fault}; nothing was changed", USAGE)
    _write(file, text.encode(), is_secret=value is not None and key in SECRET)
    gate.remove_all(root)


def _write(file: _SettingsTarget, data: bytes, *, is_secret: bool) -> None:
    """Replace the file with `data`; owner, mode and links stay, but a secret makes it private. Raises CommandError."""
    path = os.path.realpath(file.path)  # a link into dotfiles stays one
    try:
        if file.before is None:
            os.makedirs(os.path.dirname(path), exist_ok=True)
        elif is_secret:
            os.chmod(path, _PRIVATE)
        if not files.replace_if(path, file.before, data):
            raise CommandError(f"{file.path}: another program has just changed it; try again")
        if file.before is None:
            os.chmod(path, _PRIVATE if is_secret else _PUBLIC)
    except OSError as problem:
        raise CommandError(f"{file.path}: cannot be written: {problem.strerror}") from None
