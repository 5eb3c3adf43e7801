"""The environment of a command: installation, client settings, directory, variables and time."""

import os
import sys
import time
from collections.abc import Mapping
from typing import Any

import msgspec

from commands.environment import client_settings
from commands.environment.client_settings import SettingsFile
from installer.layout import Layout
from shared.client import client
from shared.settings.config import Settings
from shared.settings.settings import load


class Environment(msgspec.Struct, frozen=True):
    root: str
    directory: str
    """The directory that the client is, or would be, started in."""
    environ: Mapping[str, str]
    now: float
    """Epoch seconds."""
    settings: tuple[SettingsFile, ...]
    plugins: tuple[SettingsFile, ...] = ()
    """The hooks of the client's plugins, in the form of settings files."""

    @property
    def home(self) -> str:
        return self.environ.get("HOME") or os.path.expanduser("~")

    @property
    def client_directory(self) -> str:
        return os.path.dirname(self.root)

    @property
    def client_state(self) -> str:
        return client.state_file(self.client_directory, self.environ)

    @property
    def layout(self) -> Layout:
        settings = os.path.join(self.client_directory, client.SETTINGS)
        return Layout(self.root, settings, windows=sys.platform == "win32")

    @property
    def configuration(self) -> Settings:
        return load(self.root, self.environ, self.directory)

    @property
    def own_plugin(self) -> SettingsFile | None:
        """The hooks of our own plugin, from whatever marketplace; None when it isn't installed or is switched off."""
        # By its name in plugin/.claude-plugin/plugin.json.
        return next((file for file in self.plugins if file.scope.startswith("plugin tidegauge@")), None)

    def setting(self, name: str) -> tuple[Any, SettingsFile] | None:
        """A client setting as the client resolves it, and the file that decides it; None if unset."""
        return next(((file.values[name], file) for file in self.settings if name in file.values), None)


def environment_here(root: str) -> Environment:
    return environment_at(root, os.getcwd(), os.environ, time.time())


def environment_at(root: str, directory: str, environ: Mapping[str, str], now: float) -> Environment:
    """The environment of a client started in `directory`."""
    root = os.path.abspath(root)
    client_directory = os.path.dirname(root)
    settings = client_settings.read_all(client_directory, directory)
    plugins = client_settings.read_plugins(client_directory, settings)
    return Environment(root, directory, environ, now, settings, plugins)
