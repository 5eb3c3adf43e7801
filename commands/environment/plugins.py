"""The hooks that come with the client's plugins, which no settings file names."""

import os

import msgspec

from commands.environment import client_settings
from commands.environment.client_settings import SettingsFile
from shared.files import files

_HOOKS = ("hooks", "hooks.json")


class _Copy(msgspec.Struct, rename="camel"):
    install_path: str = ""


class _Installed(msgspec.Struct):
    plugins: dict[str, list[_Copy]] = {}


def read(client_directory: str, settings: tuple[SettingsFile, ...]) -> tuple[SettingsFile, ...]:
    """The hooks of each plugin that is installed and switched on, as files whose scope is `plugin NAME@MARKETPLACE`."""
    installed = files.load(os.path.join(client_directory, "plugins", "installed_plugins.json"), _Installed, None)
    result = []
    for name, copies in (installed or _Installed()).plugins.items():
        for copy in copies[:1] if _is_enabled(name, settings) else ():
            path = os.path.join(copy.install_path, *_HOOKS)
            if copy.install_path and os.path.exists(path):
                result.append(client_settings.read(f"plugin {name}", path))
    return tuple(result)


def _is_enabled(name: str, settings: tuple[SettingsFile, ...]) -> bool:
    """Whether the client has it on: the file of the highest precedence that names this plugin decides."""
    for file in settings:
        enabled = file.values.get("enabledPlugins")
        if isinstance(enabled, dict) and name in enabled:
            return enabled[name] is True
    return False
