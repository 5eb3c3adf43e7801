"""The client's settings files, in the order of their precedence (docs/client.md, "Settings files")."""

import os
import sys
from typing import Any

import msgspec

from installer.settings.text import document
from shared.client import client
from shared.files import files, lenient


class SettingsFile(msgspec.Struct, frozen=True):
    """One of them, as it stands."""

    scope: str
    """managed, local, project or user."""
    path: str
    text: str
    """Empty when there is no such file or it cannot be read."""
    values: dict[str, Any]
    problem: str = ""
    """Why the client cannot use it."""

    @property
    def usable_text(self) -> str:
        """What may be taken apart: an empty object where there is nothing usable."""
        return "{}" if self.problem or not self.text.strip() else self.text


def read_all(client_directory: str, directory: str) -> tuple[SettingsFile, ...]:
    """The settings files that exist, the strongest first. `directory` is where the client is started."""
    files = [
        ("managed", os.path.join(client.managed_directory(sys.platform), client.MANAGED_SETTINGS)),
        ("local", os.path.join(directory, client.DIRECTORY, client.LOCAL_SETTINGS)),
        ("project", os.path.join(directory, client.DIRECTORY, client.SETTINGS)),
        ("user", os.path.join(client_directory, client.SETTINGS)),
    ]
    personal = os.path.realpath(files[-1][1])
    return tuple(
        read(scope, path)
        for scope, path in files
        if os.path.exists(path) and (scope == "user" or os.path.realpath(path) != personal)
    )


def read(scope: str, path: str) -> SettingsFile:
    """One file, with what is wrong with it."""
    try:
        with open(files.open_regular(path), encoding="utf-8-sig", newline="") as file:
            text = file.read()
    except OSError as problem:
        return SettingsFile(scope, path, "", {}, problem.strerror or str(problem))
    except UnicodeDecodeError:
        return SettingsFile(scope, path, "", {}, "it is not UTF-8")
    try:
        root = document.parse(text or "{}")
    except document.Malformed as problem:
        line, column = document.position(text, problem.offset)
        return SettingsFile(scope, path, text, {}, f"line {line}, column {column}: {problem.reason}")
    if root.kind != "object":
        return SettingsFile(scope, path, text, {}, "it is not a JSON object")
    try:
        values = lenient.decode((text or "{}").encode(), dict[str, Any])
    except msgspec.MsgspecError as problem:  # a number of thousands of digits
        return SettingsFile(scope, path, text, {}, str(problem))
    return SettingsFile(scope, path, text, values)
