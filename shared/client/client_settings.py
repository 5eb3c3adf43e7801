"""What the client is set to: its settings files and its command line, on its model and its automatic compaction.

The files are the client's and the person's, and are only read. They may be links into a person's dotfiles.
"""

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
"""Bytes of the client's state file beyond which it isn't searched."""
_LEAST_WINDOW = 100_000
"""Tokens: the client takes a smaller variable for this many, and passes over a smaller setting."""


class CompactionSettings(msgspec.Struct, frozen=True):
    """Automatic compaction, as it is set for one model."""

    is_on: bool = True
    window: int | None = None
    """The window to compact for, in tokens; None where nobody set one, and the model's default counts."""


class ClientSettings(msgspec.Struct):
    """What one of the client's settings files says of the window."""

    model: str = ""
    agent: str = ""
    """The main conversation's agent, which may have a model of its own."""
    autoCompactEnabled: bool | msgspec.UnsetType = msgspec.UNSET
    autoCompactWindow: Any = None
    modelSettings: msgspec.Raw = msgspec.Raw(b"null")
    """An object by models; taken apart where one is asked for, as a project's may be of any contents."""


class _SettingsFile(ClientSettings):
    """With fields that make the client pass over the whole file if they have another type, as those above do."""

    outputStyle: str = ""
    cleanupPeriodDays: Annotated[float, msgspec.Meta(ge=1)] = 1
    alwaysThinkingEnabled: bool = True
    includeCoAuthoredBy: bool = True
    env: dict[str, msgspec.Raw] = {}
    permissions: dict[str, msgspec.Raw] = {}
    statusLine: dict[str, msgspec.Raw] = {}
    enabledPlugins: dict[str, msgspec.Raw] = {}


class Run(msgspec.Struct, frozen=True):
    """A session's newest run: what the client was started with, and what it has said since. What it said before no
    longer holds.

    A resumed session keeps its id, and so its transcript and the bridge of its last run; model, window and
    client may differ. Written by the monitor alone, at the session's start and when it learns more.
    """

    started_at: Annotated[float, msgspec.Meta(ge=0, le=1e11)] = 0.0
    """Epoch seconds of its SessionStart; 0 if we missed it. A time after the year 5000 means a damaged file."""
    identity: str = ""
    """The model that the client named to its model in this run, perhaps long ago."""
    model: str = ""
    """What a headless client was started with as `--model`: an id or an alias, which goes before the settings'."""
    settings: ClientSettings = msgspec.field(default_factory=ClientSettings)
    """What the client was started with as `--settings`, which goes before all files but the organisation's."""
    sources: str = ""
    """What it was started with as `--setting-sources`, such as `user,project`: if it names any, no others count."""
    checkout: str = ""
    """The root of the repository's main checkout, whose local settings file newer clients read before the project's."""
    is_rewound: bool = False
    """Whether it was started with `--resume-session-at`: the newest answer before this run may be left out."""
    is_named: bool = False
    """Whether it was started with any `--model`: then a variable's and the settings' was never asked for."""
    has_betas: bool = False
    """Whether it was started with `--betas`, which the client reckons with, as it doesn't with a variable's."""


def read_layers(client_directory: str, project: str, run: Run) -> list[ClientSettings]:
    """The settings that count in `run`, the first wins; `project` is empty where it isn't known."""
    layers: list[ClientSettings] = []
    for scope, path in client.settings_files(client_directory, project, sys.platform):
        if run.sources and scope != "managed" and scope not in run.sources:
            continue
        is_shared = scope == "local" and run.checkout not in {"", project}
        own = [path.replace(project, run.checkout, 1), path] if is_shared else [path]
        # An organisation's belongs to another user.
        layers += [_settings_in(text) for one in own if (text := files.beginning(one, files.READ_LIMIT))]
        if os.path.basename(path) == client.MANAGED_SETTINGS:  # the last of an organisation's
            layers.append(run.settings)
    return layers


def read(
    model: str, version: str, environ: Mapping[str, str], client_directory: str, layers: Sequence[ClientSettings]
) -> CompactionSettings:
    """The compaction of `model`: the environment's word, else the settings files', else the server's.

    `version` is the client's, and `client_directory` its configuration directory.
    """
    if any(client.is_on(environ, name) for name in client.COMPACTION_OFF_VARIABLES):
        return CompactionSettings(is_on=False)
    # The client's state file grows to megabytes, so it is searched and not decoded.
    path = os.path.realpath(client.state_file(client_directory, environ))
    state = files.read_or_none(path, _LARGEST_STATE) or b""
    switches = [layer.autoCompactEnabled for layer in layers if layer.autoCompactEnabled is not msgspec.UNSET]
    is_on = switches[0] if switches else not _under(state, b'"autoCompactEnabled"', 16).startswith(b"false")
    set_window = _window_of(environ.get(client.COMPACT_WINDOW_VARIABLE, "")) or _window_in(layers, model, version)
    return CompactionSettings(is_on, set_window or _of_server(state, model))


def read_run(path: str) -> Run:
    return files.load(path, Run, Run())


def write_run(path: str, run: Run) -> None:
    """Replace what is known of a session's run. Raises OSError."""
    files.write_atomic(path, msgspec.json.encode(run))


def started(at: float, arguments: Sequence[str], directory: str, checkout: str = "", *, is_headless: bool) -> Run:
    """The run of a client that was started with `arguments` in `directory`.

    In a terminal `/model` may have chosen another model by now, and a beta another window.
    """
    value = _option(arguments, "--settings")
    path, is_document = os.path.join(directory, value), value.lstrip().startswith("{")
    document = os.fsencode(value) if is_document else files.beginning(path, files.READ_LIMIT)
    settings = _settings_in(document or b"")
    # arguments are bytes, which need not be UTF-8
    names = ("--model", "--setting-sources", "--agent")
    model, sources, agent = (lenient.storable(_option(arguments, name)) for name in names)
    settings.agent = agent or settings.agent
    is_rewound, has_betas = (bool(_option(arguments, name)) for name in ("--resume-session-at", "--betas"))
    model = "" if " " in model else model  # another's text
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
    """The value of an option, the last one where there are several; empty without it."""
    value = ""
    for argument, following in pairwise([*arguments, ""]):
        if argument == "--":  # what follows is the prompt
            break
        if argument == name:
            value = following
        elif argument.startswith(f"{name}="):
            value = argument.removeprefix(f"{name}=")
    return value


def _window_of(variable: str) -> int | None:
    """The window in a variable: `150,000`, `150k`, the digits that it begins with; None for what the client ignores."""
    text = re.sub(r"(?<=\d)[,_](?=\d{3}(?!\d))", "", variable.strip().lower())
    size = (client.number(text) or 0) * {"k": 1_000, "m": 1_000_000}.get(text[-1:], 1)
    return max(int(size), _LEAST_WINDOW) if size else None


def _window_in(layers: Sequence[ClientSettings], model: str, version: str) -> int | None:
    """The window in the settings: of the first file that names one, for the model, else for all; None for `auto`.

    The earlier client knows no models' settings, and passes over a window larger than any model's.
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


def _of_server(state: bytes, model: str) -> int | None:
    """What the server told the client: `"autoCompactWindowsCache": {model: tokens}`, a short table."""
    table = _under(state, b'"autoCompactWindowsCache"', 64 << 10)
    sizes = lenient.decode_or(table[: table.find(b"}") + 1], dict[str, Any], {})
    return models.size_for(model, {name: size for name, size in sizes.items() if lenient.count(size)})


def _under(state: bytes, key: bytes, most: int) -> bytes:
    """At most the first `most` bytes under `key`; nothing if it is missing."""
    at = state.find(key)
    return state[at + len(key) : at + len(key) + most].lstrip(b" :\t\r\n") if at >= 0 else b""
