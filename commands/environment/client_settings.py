"""The settings files of the client, in the order of their precedence (docs/client.md), and the hooks of its plugins."""

import os
import sys
from typing import Any

import msgspec

from installer.layout import PROJECT_LIMIT
from installer.settings import document
from shared.client import client
from shared.files import files, lenient

_LARGEST = files.READ_LIMIT
"""Most characters read of a file, in the hooks as well: a repository's may be of any size."""
UNREAD = "and was not read"


class _PluginCopy(msgspec.Struct, rename="camel"):
    install_path: str = ""


class _InstalledPlugins(msgspec.Struct):
    plugins: dict[str, list[_PluginCopy]] = {}


class SettingsFile(msgspec.Struct, frozen=True):
    scope: str
    """managed, local, project or user; `plugin NAME@MARKETPLACE` for a plugin's hooks, which no settings file holds."""
    path: str
    text: str = "{}"
    """The file's text if it can be parsed, else an empty object."""
    values: dict[str, Any] = {}
    problem: str = ""
    """Why the client or Tidegauge can't use it."""


def read_all(client_directory: str, directory: str) -> tuple[SettingsFile, ...]:
    """Read the settings files that exist, highest precedence first. `directory` is where the client is started."""
    paths = client.settings_files(client_directory, directory, sys.platform)
    personal = os.path.realpath(paths[-1][1])
    return tuple(
        read(scope, path)
        for scope, path in paths
        if os.path.exists(path) and (scope == "user" or os.path.realpath(path) != personal)
    )


def read(scope: str, path: str) -> SettingsFile:
    text, limit = "", PROJECT_LIMIT if scope in {"local", "project"} else _LARGEST
    try:
        with open(files.open_regular(path), encoding="utf-8-sig", newline="") as file:
            text = file.read(limit + 1) or "{}"
        if len(text) > limit:
            return SettingsFile(scope, path, problem=f"it is larger than {limit >> 10} KiB, {UNREAD}")
        return SettingsFile(scope, path, text, lenient.decode(text.encode(), dict[str, Any]))
    except OSError as problem:
        reason = problem.strerror or str(problem)
    except UnicodeDecodeError:
        reason = "it is not UTF-8"
    except msgspec.MsgspecError as problem:
        reason = _reason(text) or str(problem)  # as for a number of thousands of digits
    return SettingsFile(scope, path, problem=reason)


def _reason(text: str) -> str:
    """The fault of a document, with its position; empty if our own parser finds none."""
    try:
        return "" if document.is_object(text) else "it is not a JSON object"
    except document.Malformed as problem:
        line, column = document.position(text, problem.offset)
        return f"line {line}, column {column}: {problem.reason}"


def variables(settings: tuple[SettingsFile, ...]) -> dict[str, str]:
    """The variables that the files' `env` sets in the client's environment, over those that it was started with."""
    result: dict[str, str] = {}
    for file in reversed(settings):
        added = file.values.get("env")
        result |= {name: str(value) for name, value in added.items()} if isinstance(added, dict) else {}
    return result


def read_plugins(client_directory: str, settings: tuple[SettingsFile, ...]) -> tuple[SettingsFile, ...]:
    """Read the hooks of each plugin that is installed and switched on."""
    path = os.path.join(client_directory, "plugins", "installed_plugins.json")
    installed = {
        name: os.path.join(copies[0].install_path, "hooks", "hooks.json")
        for name, copies in files.load(path, _InstalledPlugins, _InstalledPlugins()).plugins.items()
        if copies and copies[0].install_path and _is_enabled(name, settings)
    }
    return tuple(read(f"plugin {name}", path) for name, path in installed.items() if os.path.exists(path))


def _is_enabled(plugin: str, settings: tuple[SettingsFile, ...]) -> bool:
    """Whether a plugin is switched on: the file with the highest precedence that names it decides."""
    choices = (file.values.get("enabledPlugins") for file in settings)
    return next((choice[plugin] is True for choice in choices if isinstance(choice, dict) and plugin in choice), False)
