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
    text: str = "{}"
    """What may be taken apart: an empty object where there is nothing usable."""
    values: dict[str, Any] = {}
    problem: str = ""
    """Why the client cannot use it."""


def read_all(client_directory: str, directory: str) -> tuple[SettingsFile, ...]:
    """The settings files that exist, the strongest first. `directory` is where the client is started."""
    paths = client.settings_files(client_directory, directory, sys.platform)
    personal = os.path.realpath(paths["user"])
    return tuple(
        read(scope, path)
        for scope, path in paths.items()
        if os.path.exists(path) and (scope == "user" or os.path.realpath(path) != personal)
    )


def read(scope: str, path: str) -> SettingsFile:
    """One file, with what is wrong with it."""
    text = ""
    try:
        with open(files.open_regular(path), encoding="utf-8-sig", newline="") as file:
            text = file.read() or "{}"
        if document.parse(text).kind == "object":
            return SettingsFile(scope, path, text, lenient.decode(text.encode(), dict[str, Any]))
        reason = "it is not a JSON object"
    except OSError as problem:
        reason = problem.strerror or str(problem)
    except UnicodeDecodeError:
        reason = "it is not UTF-8"
    except document.Malformed as problem:
        line, column = document.position(text, problem.offset)
        reason = f"line {line}, column {column}: {problem.reason}"
    except msgspec.MsgspecError as problem:  # a number of thousands of digits
        reason = str(problem)
    return SettingsFile(scope, path, problem=reason)
