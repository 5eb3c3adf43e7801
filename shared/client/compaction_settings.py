"""What the client's own settings say of automatic compaction: whether it is on, and for which window.

The files are the client's and the person's, and are only read. They may be links into a person's dotfiles.
"""

import os
import sys
from collections.abc import Mapping, Sequence
from typing import Annotated, Any

import msgspec

from shared.client import client, models
from shared.files import files, lenient
from shared.files.lenient import LARGEST_COUNT, LenientRecord

_LARGEST_STATE = 64 << 20
"""Bytes of the client's state file beyond which it isn't searched."""


class CompactionSettings(msgspec.Struct, frozen=True):
    """Automatic compaction, as it is set for one model."""

    is_on: bool = True
    window: int | None = None
    """The window to compact for, in tokens; None where nobody set one, and the model's default counts."""


class ClientSettings(LenientRecord):
    """What one of the client's settings files says of the window."""

    model: str = ""
    autoCompactEnabled: bool | None = None
    autoCompactWindow: Annotated[int, msgspec.Meta(ge=1, le=LARGEST_COUNT)] | None = None
    modelSettings: dict[str, Any] | None = None


def read_layers(client_directory: str, project: str = "") -> list[ClientSettings]:
    """The settings files that are there, the first wins; `project` is empty where it isn't known."""
    layers = []
    for path in client.settings_files(client_directory, project, sys.platform).values():
        try:
            document = files.read_or_none(os.path.realpath(path))
        except ValueError:  # a NUL in the project's path
            continue
        if document:
            layers.append(lenient.record_or_empty(document, ClientSettings))
    return layers


def model_in(layers: Sequence[ClientSettings]) -> str:
    """The model that the settings ask for, by its id or an alias; empty where they name none."""
    return next((layer.model for layer in layers if layer.model), "")


def read(
    model: str, environ: Mapping[str, str], client_directory: str, layers: Sequence[ClientSettings]
) -> CompactionSettings:
    """The compaction of `model`: the environment's word, else the settings files', else the server's.

    `client_directory` is the client's configuration directory.
    """
    if any(client.is_on(environ, name) for name in client.COMPACTION_OFF_VARIABLES):
        return CompactionSettings(is_on=False)
    # The client's state file grows to megabytes, so it is searched and not decoded.
    path = os.path.realpath(client.state_file(client_directory, environ))
    state = files.read_or_none(path, _LARGEST_STATE) or b""
    switches = [layer.autoCompactEnabled for layer in layers if layer.autoCompactEnabled is not None]
    is_on = switches[0] if switches else not _under(state, b'"autoCompactEnabled"', 16).startswith(b"false")
    set_window = client.number(environ, client.COMPACT_WINDOW_VARIABLE) or _window_in(layers, model)
    return CompactionSettings(is_on, set_window or _of_server(state, model))


def _window_in(layers: Sequence[ClientSettings], model: str) -> int | None:
    """The window in the settings files: what any of them says of the model goes before what one says of all."""
    own = [
        lenient.count(section.get("autoCompactWindow"))
        for layer in layers
        for name, section in (layer.modelSettings or {}).items()
        if isinstance(section, dict) and models.is_same(name, model)
    ]
    return next(filter(None, [*own, *(layer.autoCompactWindow for layer in layers)]), None)


def _of_server(state: bytes, model: str) -> int | None:
    """What the server told the client: `"autoCompactWindowsCache": {model: tokens}`, a short table."""
    table = _under(state, b'"autoCompactWindowsCache"', 64 << 10)
    if not table.startswith(b"{"):
        return None
    sizes = lenient.decode_or(table[: table.find(b"}") + 1], dict[str, Any], {})
    return models.size_for(model, {name: size for name, size in sizes.items() if lenient.count(size)})


def _under(state: bytes, key: bytes, most: int) -> bytes:
    """At most the first `most` bytes under `key`; nothing if it is missing."""
    at = state.find(key)
    return state[at + len(key) : at + len(key) + most].lstrip(b" :\t\r\n") if at >= 0 else b""
