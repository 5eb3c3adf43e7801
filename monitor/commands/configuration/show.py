"""What every setting is, and who says so."""

import argparse
import os

import msgspec

from monitor.commands.command import ALL_RIGHT, SOMETHING_WRONG
from monitor.commands.configuration import keys, notation
from monitor.commands.terminal import painted, safe
from shared import paths, profile, settings
from shared.layer import DEFAULT, PROJECT, USER, Settings

_SOURCE = 11


def show(options: argparse.Namespace, root: str) -> int:
    """`tidegauge config show`; something is wrong when a setting could not be used."""
    loaded = _load(root)
    if options.json:
        print(msgspec.json.format(msgspec.json.encode(_document(loaded, root))).decode())
    else:
        print(*_lines(loaded, root), sep="\n")
    return SOMETHING_WRONG if loaded.problems else ALL_RIGHT


def get(options: argparse.Namespace, root: str) -> int:
    """`tidegauge config get`: one value as it is, or a section's with their names."""
    found, config = keys.matching(options.key), _load(root).config
    for key in found:
        value = keys.within(config, key.name)
        if key.name != options.key:
            print(f"{key.name} = {safe(notation.of(value))}")
        else:
            print(safe(value if isinstance(value, str) else notation.of(value)))
    return ALL_RIGHT


def _load(root: str) -> Settings:
    return settings.load(root, os.environ, os.getcwd())


def _files(root: str) -> dict[str, str]:
    project = settings.project_directory(os.environ, os.getcwd())
    return {USER: paths.config_file(root), PROJECT: paths.project_file(project)}


def _lines(loaded: Settings, root: str) -> list[str]:
    lines = []
    for source, path in _files(root).items():
        lines.append(safe(f"{source.ljust(_SOURCE)}{path}{'' if os.path.lexists(path) else ' (not there)'}"))
    lines += [f"{'profile'.ljust(_SOURCE)}{profile.read(root)}", ""]
    width = max(len(key.name) for key in keys.all_keys())
    for key in keys.all_keys():
        source = loaded.sources.get(key.name, DEFAULT)
        line = f"{key.name.ljust(width)}  {source.ljust(_SOURCE)}  {notation.of(keys.within(loaded.config, key.name))}"
        lines.append(painted(safe(line), "dim" if source == DEFAULT else "bold"))
    return lines + [painted(safe(f"! {problem}"), "red") for problem in ("", *loaded.problems)[1:]]


def _document(loaded: Settings, root: str) -> dict[str, object]:
    return {
        "files": _files(root),
        "profile": profile.read(root),
        "settings": {
            key.name: {
                "value": keys.within(loaded.config, key.name),
                "source": loaded.sources.get(key.name, DEFAULT),
                "default": key.default,
            }
            for key in keys.all_keys(settings.defaults(root))
        },
        "problems": loaded.problems,
    }
