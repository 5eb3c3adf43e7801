"""Every setting's value, and where it comes from."""

import argparse
import os
import sys
from itertools import accumulate

from commands.command import ALL_RIGHT, SOMETHING_WRONG
from commands.config import keys
from commands.terminal import painted, print_result, safe
from shared import paths
from shared.settings import settings
from shared.settings.config import DEFAULT, PROJECT, USER, Settings

_SOURCE = 11


def show(options: argparse.Namespace, root: str) -> int:
    """`tidegauge config show`; fails when a setting could not be used."""
    loaded = settings.load(root, os.environ, os.getcwd())
    print_result(_document(loaded, root), _lines(loaded, root), as_json=options.json)
    return SOMETHING_WRONG if loaded.problems else ALL_RIGHT


def get(options: argparse.Namespace, root: str) -> int:
    """`tidegauge config get`: one bare value, or a section's values with names; reports those that can't be used."""
    wanted = keys.matching(options.key)
    loaded = settings.load(root, os.environ, os.getcwd())
    for key in wanted:
        value = keys.within(loaded.config, key.name)
        if key.name != options.key:
            print(f"{key.name} = {safe(keys.toml_text(value))}")
        else:
            print(safe(value if isinstance(value, str) else keys.toml_text(value)))
    # A scale out of order is a problem of its section: `levels: remaining must fall`.
    names = {name for key in wanted for name in accumulate(key.name.split("."), "{}.{}".format)}
    problems = [problem for problem in loaded.problems if any(f": {name}: " in problem for name in names)]
    for problem in problems:
        print(f"tidegauge: {safe(problem)}", file=sys.stderr)
    return SOMETHING_WRONG if problems else ALL_RIGHT


def _files(root: str) -> dict[str, str]:
    project = settings.project_directory(os.environ, os.getcwd())
    return {USER: paths.config_file(root), PROJECT: paths.project_file(project)}


def _lines(loaded: Settings, root: str) -> list[str]:
    lines = []
    for source, path in _files(root).items():
        lines.append(safe(f"{source.ljust(_SOURCE)}{path}{'' if os.path.lexists(path) else ' (not there)'}"))
    lines += [f"{'profile'.ljust(_SOURCE)}{settings.read_profile(root)}", ""]
    names = [key.name for key in keys.all_keys()]
    width = max(map(len, names))
    for name in names:
        source = loaded.sources.get(name, DEFAULT)
        line = f"{name.ljust(width)}  {source.ljust(_SOURCE)}  {keys.toml_text(keys.within(loaded.config, name))}"
        lines.append(painted(safe(line), "quiet" if source == DEFAULT else "bold"))
    return lines + [painted(safe(f"! {problem}"), "urgent") for problem in loaded.problems]


def _document(loaded: Settings, root: str) -> dict[str, object]:
    return {
        "files": _files(root),
        "profile": settings.read_profile(root),
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
