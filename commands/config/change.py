"""Setting and unsetting, in a file that stays its author's; and the profile: what is on where nobody has set it."""

import argparse
import os
from typing import Any

from commands.command import ALL_RIGHT, USAGE, CommandError
from commands.config import keys, notation
from commands.config.target import SettingsTarget, target_of
from commands.terminal import safe
from shared import gate, paths
from shared.settings import settings, toml_file
from shared.settings.config import SECRET
from shared.settings.layer import DEFAULT, ENVIRONMENT
from shared.settings.project_settings import MAY_SET


def set_value(options: argparse.Namespace, root: str) -> int:
    """`tidegauge config set`."""
    key = keys.find(options.key)
    if options.project and key.name not in MAY_SET:
        raise CommandError(f"{key.name}: not for a project's file to set; set it without --project", USAGE)
    value = keys.value_of(key, options.value)
    file = _target(options, root)
    _replace(file, key.name, value)
    gate.remove_all(root)
    print(safe(f"{key.name} = {notation.of(keys.without_secrets(key.name, value))} in {file.path}"))
    _say_what_counts(root, file, key.name)
    return ALL_RIGHT


def unset_value(options: argparse.Namespace, root: str) -> int:
    """`tidegauge config unset`; also of what is no setting, which a file may hold all the same."""
    file = _target(options, root)
    if file.value(options.key) is None:
        keys.matching(options.key)
        print(safe(f"{options.key} is not set in {file.path}"))
        return ALL_RIGHT
    _replace(file, options.key, None)
    gate.remove_all(root)
    print(safe(f"{options.key} is no longer set in {file.path}"))
    return ALL_RIGHT


def profile(options: argparse.Namespace, root: str) -> int:
    """`tidegauge config profile`; settings.json follows with the next run of the installer, its only editor."""
    before, chosen = settings.read_profile(root), options.profile
    if chosen is None:
        print(before)
        return ALL_RIGHT
    try:
        settings.write_profile(root, chosen)
    except OSError as problem:
        raise CommandError(f"{safe(paths.choices(root))}: cannot be written: {problem.strerror}") from None
    gate.remove_all(root)
    print(f"profile = {chosen}")
    if chosen != before:
        print("Now run: tidegauge repair. It updates the client's settings.json to match.")
    return ALL_RIGHT


def _target(options: argparse.Namespace, root: str) -> SettingsTarget:
    project = settings.project_directory(os.environ, os.getcwd()) if options.project else None
    return target_of(root, project)


def _replace(file: SettingsTarget, key: str, value: Any) -> None:
    """Write the file with `value` at `key`, or without `key`. Raises CommandError, and then nothing has changed."""
    from commands.config import document  # noqa: PLC0415  tomlkit's 30 ms, for those who write

    try:
        text = document.without(file.text, key) if value is None else document.with_value(file.text, key, value)
    except ValueError as problem:
        raise CommandError(f"{file.path}: {key}: {problem}") from None
    file.refuse(toml_file.parsed(text.encode()), key)
    file.write(text, is_secret=value is not None and key in SECRET)


def _say_what_counts(root: str, file: SettingsTarget, key: str) -> None:
    """Say so when another layer has the last word on `key`."""
    loaded = settings.load(root, os.environ, os.getcwd())
    source = loaded.sources.get(key, DEFAULT)
    if source not in (file.layer.source, DEFAULT):
        where = settings.variable(key) if source == ENVIRONMENT else f"the {source}'s file"
        print(f"but {where} says {notation.of(keys.within(loaded.config, key))}, which takes precedence here")
