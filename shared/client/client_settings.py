"""The client's settings for its model and compaction, from its command line and its files, which may be links."""

import os
import re
import sys
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Annotated, Any

import msgspec

from shared.client import client, models
from shared.files import files, lenient

_LARGEST_STATE = 64 << 20
"""The largest state file of the client, in bytes, that is searched."""
_LEAST_WINDOW = 100_000
"""Tokens: the client raises a smaller variable to this, and ignores a smaller setting."""


class CompactionSettings(msgspec.Struct, frozen=True):
    """The settings of automatic compaction for one model."""

    is_on: bool = True
    window: int | None = None
    """The window to compact for, in tokens; None if none is set and the model's default counts."""


class ClientSettings(msgspec.Struct):
    """The fields of one of the client's settings files that affect the window."""

    model: str = ""
    agent: str = ""
    """The main conversation's agent, which may have a model of its own."""
    autoCompactEnabled: bool | msgspec.UnsetType = msgspec.UNSET
    autoCompactWindow: Any = None
    modelSettings: msgspec.Raw = msgspec.Raw(b"null")
    """An object keyed by model; decoded only when needed, since a project's may have any contents."""


class _SettingsFile(ClientSettings):
    """The settings with more fields for which, as for those above, a wrong type makes the client ignore the file."""

    outputStyle: str = ""
    cleanupPeriodDays: Annotated[float, msgspec.Meta(ge=1)] = 1
    alwaysThinkingEnabled: bool = True
    includeCoAuthoredBy: bool = True
    env: dict[str, msgspec.Raw] = {}
    permissions: dict[str, msgspec.Raw] = {}
    statusLine: dict[str, msgspec.Raw] = {}
    enabledPlugins: dict[str, msgspec.Raw] = {}


class Run(msgspec.Struct, frozen=True):
    """A session's newest run: how the client was started, and what it has reported since. Earlier reports are invalid.

    A resumed session keeps its id, and so its transcript and the bridge of its last run; model, window and
    client may differ. Only the monitor writes it, at the session's start and when it learns more.
    """

    started_at: Annotated[float, msgspec.Meta(ge=0, le=1e11)] = 0.0
    """Epoch seconds of its SessionStart; 0 if we missed it. A time after the year 5000 means a damaged file."""
    identity: str = ""
    """The client's newest statement to the model, in this run, of which model it is; perhaps old."""
    model: str = ""
    """A headless client's `--model`: an id or an alias, which overrides the settings'."""
    settings: ClientSettings = msgspec.field(default_factory=ClientSettings)
    """The client's `--settings`, which override all files except the organisation's."""
    sources: str = ""
    """The client's `--setting-sources`, such as `user,project`: if there are any, no others count."""
    checkout: str = ""
    """The root of the repository's main checkout, whose local settings file newer clients read before the project's."""
    is_rewound: bool = False
    """Whether it was started with `--resume-session-at`: the newest answer before this run may be left out."""
    is_named: bool = False
    """Whether it was started with any `--model`: then neither the variable's nor the settings' model was requested."""
    has_betas: bool = False
    """Whether it was started with `--betas`, which affect the client's window, unlike the variable's."""


def read_layers(client_directory: str, project: str, run: Run) -> list[ClientSettings]:
    """Read the settings that count in `run`, the first of which wins; `project` is empty if unknown."""
    layers: list[ClientSettings] = []
    for scope, path in client.settings_files(client_directory, project, sys.platform):
        if run.sources and scope != "managed" and scope not in run.sources:
            continue
        is_shared = scope == "local" and run.checkout not in {"", project}
        own = [path.replace(project, run.checkout, 1), path] if is_shared else [path]
        # An organisation's file belongs to another user.
        layers += [_settings_in(text) for one in own if (text := files.beginning(one, files.READ_LIMIT))]
        if os.path.basename(path) == client.MANAGED_SETTINGS:  # the organisation's last file
            layers.append(run.settings)
    return layers


def read(
    model: str, version: str, environ: Mapping[str, str], client_directory: str, layers: Sequence[ClientSettings]
) -> CompactionSettings:
    """Read the compaction settings of `model`: the environment's, otherwise the files', otherwise the server's."""
    if any(client.is_on(environ, name) for name in client.COMPACTION_OFF_VARIABLES):
        return CompactionSettings(is_on=False)
    # The client's state file grows to megabytes, so it is searched and not decoded.
    path = os.path.realpath(client.state_file(client_directory, environ))
    state = files.read_or_none(path, _LARGEST_STATE) or b""
    switches = [layer.autoCompactEnabled for layer in layers if layer.autoCompactEnabled is not msgspec.UNSET]
    is_on = switches[0] if switches else not _bytes_after(state, b'"autoCompactEnabled"', 16).startswith(b"false")
    set_window = _env_window(environ.get(client.COMPACT_WINDOW_VARIABLE, "")) or _file_window(layers, model, version)
    return CompactionSettings(is_on, set_window or _server_window(state, model))


def read_run(path: str) -> Run:
    return files.load(path, Run, Run())


def write_run(path: str, run: Run) -> None:
    """Replace the stored facts about a session's run. Raises OSError."""
    files.write_atomic(path, msgspec.json.encode(run))


def parse_run(at: float, arguments: Sequence[str], directory: str, checkout: str = "", *, is_headless: bool) -> Run:
    """The run of a client that was started with `arguments` in `directory`.

    In a terminal `/model` may have chosen another model by now, and a beta another window.
    """
    value = _option(arguments, "--settings")
    path, is_document = os.path.join(directory, value), value.lstrip().startswith("{")
    document = os.fsencode(value) if is_document else files.beginning(path, files.READ_LIMIT)
    settings = _settings_in(document or b"")
    # arguments are bytes that may not be UTF-8
    names = ("--model", "--setting-sources", "--agent")
    model, sources, agent = (lenient.storable(_option(arguments, name)) for name in names)
    settings.agent = agent or settings.agent
    is_rewound, has_betas = (bool(_option(arguments, name)) for name in ("--resume-session-at", "--betas"))
    model = "" if " " in model else model  # another argument's text
    is_named = bool(model)
    if not is_headless or has_betas:
        settings.model = model = ""
    return Run(
        started_at=at,
        model=model,
        settings=settings,
        sources=sources,
        checkout=checkout,
        is_rewound=is_rewound,
        is_named=is_named,
        has_betas=has_betas,
    )


def _settings_in(document: bytes) -> ClientSettings:
    file = lenient.decode_or(document, _SettingsFile, _SettingsFile())
    return ClientSettings(file.model, file.agent, file.autoCompactEnabled, file.autoCompactWindow, file.modelSettings)


def _option(arguments: Sequence[str], name: str) -> str:
    """The value of an option, the last if it is repeated; empty if it is missing."""
    value = ""
    for argument, following in pairwise([*arguments, ""]):
        if argument == "--":  # what follows is the prompt
            break
        if argument == name:
            value = following
        elif argument.startswith(f"{name}="):
            value = argument.removeprefix(f"{name}=")
    return value


def _env_window(variable: str) -> int | None:
    """The window in a variable: `150,000`, `150k`, or its leading digits; None if the client ignores it."""
    text = re.sub(r"(?<=\d)[,_](?=\d{3}(?!\d))", "", variable.strip().lower())
    size = (client.number(text) or 0) * {"k": 1_000, "m": 1_000_000}.get(text[-1:], 1)
    return max(int(size), _LEAST_WINDOW) if size else None


def _file_window(layers: Sequence[ClientSettings], model: str, version: str) -> int | None:
    """The window in the first settings file that has one, for the model or else for all; None for `auto`.

    The earlier client has no settings by model, and ignores a window larger than any model's.
    """
    is_earlier = (models.version_of(version) or models.LATER_CLIENT) <= models.EARLIER_CLIENT
    for layer in layers:
        sections = {} if is_earlier else lenient.decode_or(bytes(layer.modelSettings), dict[str, msgspec.Raw], {})
        own = [bytes(section) for name, section in sections.items() if models.is_same(name, model)]
        sizes = [lenient.decode_or(section, dict[str, Any], {}).get("autoCompactWindow") for section in own]
        for size in (*sizes, layer.autoCompactWindow):
            if size == "auto":
                return None
            tokens = lenient.count(size) or 0
            if tokens >= _LEAST_WINDOW and not (is_earlier and tokens > models.LONG):
                return tokens
    return None


def _server_window(state: bytes, model: str) -> int | None:
    """The window that the server gave the client, in the short table `"autoCompactWindowsCache": {model: tokens}`."""
    table = _bytes_after(state, b'"autoCompactWindowsCache"', 64 << 10)
    sizes = lenient.decode_or(table[: table.find(b"}") + 1], dict[str, Any], {})
    return models.size_for(model, {name: size for name, size in sizes.items() if lenient.count(size)})


def _bytes_after(state: bytes, key: bytes, most: int) -> bytes:
    """At most the first `most` bytes of the value of `key`; empty if it is missing."""
    at = state.find(key)
    return state[at + len(key) : at + len(key) + most].lstrip(b" :\t\r\n") if at >= 0 else b""
