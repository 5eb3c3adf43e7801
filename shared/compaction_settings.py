"""What the client's own settings say of automatic compaction: whether it is on, and for which window.

The files are the client's and the person's, and are only read. They may be links into somebody's dotfiles.
"""

import os
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from shared import client, files, lenient, models

_LARGEST_STATE = 64 << 20
"""Bytes of the client's state file beyond which it isn't searched."""
_LONGEST_CACHE = 64 << 10
"""Bytes in which the server's values, a short table, must end."""


class CompactionSettings(msgspec.Struct, frozen=True):
    """Automatic compaction, as it is set for one model."""

    is_on: bool = True
    window: int | None = None
    """The window to compact for, in tokens; None where nobody set one, and the model's default counts."""


class _ClientSettings(msgspec.Struct):
    autoCompactEnabled: Any = None
    autoCompactWindow: Any = None
    modelSettings: Any = None


def read(model: str, environ: Mapping[str, str], client_directory: str, project: str = "") -> CompactionSettings:
    """The compaction of `model`: the environment's word, else the settings files', else the server's.

    `client_directory` is the client's configuration directory, `project` the project's, empty when it isn't known.
    """
    if any(client.is_on(environ, name) for name in client.COMPACTION_OFF_VARIABLES):
        return CompactionSettings(is_on=False)
    layers = [_settings(path) for path in _paths(client_directory, project)]
    state = _state(client_directory, environ)
    switches = [layer.autoCompactEnabled for layer in layers if isinstance(layer.autoCompactEnabled, bool)]
    is_on = switches[0] if switches else not _says_off(state)
    given = client.number(environ, client.COMPACT_WINDOW_VARIABLE)
    sizes = (given, _of_model(layers, model), _of_all(layers), _of_server(state, model))
    return CompactionSettings(is_on, next((size for size in sizes if size), None))


def _paths(client_directory: str, project: str) -> Iterator[str]:
    """The settings files, the first wins."""
    if project:
        yield os.path.join(project, client.DIRECTORY, client.LOCAL_SETTINGS)
        yield os.path.join(project, client.DIRECTORY, client.SETTINGS)
    yield os.path.join(client_directory, client.SETTINGS)


def _settings(path: str) -> _ClientSettings:
    try:
        return lenient.decode(files.read_or_none(os.path.realpath(path)) or b"{}", _ClientSettings)
    except (msgspec.MsgspecError, ValueError):  # a NUL in the project's path
        return _ClientSettings()


def _of_model(layers: list[_ClientSettings], model: str) -> int | None:
    for layer in layers:
        if not isinstance(layer.modelSettings, dict):
            continue
        for name, section in layer.modelSettings.items():
            if isinstance(section, dict) and models.is_same(name, model):
                size = _tokens(section.get("autoCompactWindow"))
                if size is not None:
                    return size
    return None


def _of_all(layers: list[_ClientSettings]) -> int | None:
    sizes = (_tokens(layer.autoCompactWindow) for layer in layers)
    return next((size for size in sizes if size is not None), None)


def _state(client_directory: str, environ: Mapping[str, str]) -> bytes:
    """The client's state file. It grows to megabytes, so it is searched and not decoded."""
    return files.read_or_none(os.path.realpath(client.state_file(client_directory, environ)), _LARGEST_STATE) or b""


def _says_off(state: bytes) -> bool:
    return _under(state, b'"autoCompactEnabled"', 16).startswith(b"false")


def _of_server(state: bytes, model: str) -> int | None:
    """What the server told the client: `"autoCompactWindowsCache": {model: tokens}`."""
    table = _under(state, b'"autoCompactWindowsCache"', _LONGEST_CACHE)
    if not table.startswith(b"{"):
        return None
    try:
        sizes = msgspec.json.decode(table[: table.find(b"}") + 1], type=dict[str, Any])
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return None
    return models.named_for(model, {name: size for name, size in sizes.items() if _tokens(size) is not None})


def _tokens(value: Any) -> int | None:
    """`value` where it is a window's size, else None."""
    size = lenient.count(value)
    return size if size is not None and size > 0 else None


def _under(state: bytes, key: bytes, most: int) -> bytes:
    """The first of at most `most` bytes that stand under `key`; nothing when it isn't there."""
    at = state.find(key)
    return state[at + len(key) : at + len(key) + most].lstrip(b" :\t\r\n") if at >= 0 else b""
