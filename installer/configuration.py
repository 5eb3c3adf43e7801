"""The part of the person's configuration that decides what is registered: read before there is an environment."""

import ast
import os
import sys
from collections.abc import Mapping
from typing import Any

from installer import choices, files
from installer.layout import Layout
from shared.files.files import open_regular
from shared.settings.profile import ADDED_BY_FULL, FULL
from shared.settings.toml_file import values

_RECORDS = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "shared", "settings", "config.py")
_WORDS = {"true": True, "yes": True, "on": True, "1": True, "false": False, "no": False, "off": False, "0": False}


def path(layout: Layout, environ: Mapping[str, str] = os.environ) -> str:
    """The path at which the configuration file is, or would be."""
    directory = files.load(layout.directories).get("config") or os.path.join(_config_home(environ), "tidegauge")
    return os.path.join(directory, "config.toml")


def switches(layout: Layout, environ: Mapping[str, str] = os.environ, profile: str | None = None) -> dict[str, bool]:
    """Which parts are on: the environment over the file over the defaults, as shared.settings.settings has it.

    The defaults are those of the `profile`, None for the one that was chosen when it was installed. A project's file
    is not read: it may not switch anything.
    """
    parts = _defaults()
    if (profile or choices.load(layout).profile) == FULL:
        parts |= {key.removeprefix("hooks."): True for key in ADDED_BY_FULL if key.startswith("hooks.")}
    table = _table(path(layout, environ)).get("hooks")
    variables = {name.lower(): _WORDS.get(text.lower()) for name, text in environ.items()}
    for name in parts:
        for value in (table.get(name) if isinstance(table, dict) else None, variables.get(f"tidegauge_hooks__{name}")):
            if isinstance(value, bool):
                parts[name] = value
    return parts


def wrapping(layout: Layout, environ: Mapping[str, str] = os.environ) -> str:
    """Where our line goes next to a wrapped one: below (the default) or above; "alone" draws only the wrapped one."""
    value = text(layout, "statusline", "wrapped", environ)
    return value if value in ("above", "alone") else "below"


def text(layout: Layout, section: str, name: str, environ: Mapping[str, str] = os.environ) -> str | None:
    """A text setting in the person's file; None if it isn't set."""
    table = _table(path(layout, environ)).get(section)
    value = table.get(name) if isinstance(table, dict) else None
    return value if isinstance(value, str) else None


def _defaults() -> dict[str, bool]:
    """The defaults, parsed from shared.settings.config, which can't be imported without a package."""
    with open(_RECORDS, encoding="utf-8") as file:
        tree = ast.parse(file.read())
    records = [node for node in tree.body if isinstance(node, ast.ClassDef) and node.name == "Hooks"]
    fields = [node for record in records for node in record.body if isinstance(node, ast.AnnAssign)]
    return {ast.unparse(field.target): ast.literal_eval(field.value) for field in fields if field.value is not None}


def _table(path: str) -> dict[str, Any]:
    try:
        return values(open_regular(path), path, [])
    except (OSError, ValueError):
        return {}


def _config_home(environ: Mapping[str, str]) -> str:
    """The directory that platformdirs will return, which is installed only with the environment."""
    home = os.path.expanduser("~")
    if sys.platform == "win32":
        return environ.get("LOCALAPPDATA") or os.path.join(home, "AppData", "Local")
    usual = os.path.join(home, *(("Library", "Application Support") if sys.platform == "darwin" else (".config",)))
    chosen = environ.get("XDG_CONFIG_HOME", "")
    return chosen if os.path.isabs(chosen) else usual
