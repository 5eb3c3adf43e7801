"""Decoders of the person's files, and of what the installer keeps of them."""

import contextlib
import os
import tomllib
from pathlib import Path

from commands.config import document
from installer import configuration
from installer.install_error import InstallError
from installer.layout import Layout
from installer.settings import change, record
from installer.settings.change import OurSettings
from shared import paths
from shared.registrations import REGISTRATIONS
from shared.settings import settings, toml_file
from tests import scratch
from tests.torture.decoders.decoder import Decoder

_TOML = (
    b"[levels.warning]\nremaining = 35\nevery = 5\n\n[hooks]\nread_guard = true # mine\n",
    b'[statusline]\nlines = [["model"], ["context"]]\ncolor = "16"\n[window.models]\n"a b" = 200_000\n',
    b"levels = { warning = { remaining = 30 }, critical.remaining = 20 }\r\n[messages]\nsummary_file = 'x.md'\r\n",
)
_SETTINGS = (
    b'{"model": "opus", "statusLine": {"type": "command", "command": "x"}, "hooks": {"Stop": [{"hooks": []}]}}',
    b'\xef\xbb\xbf{\r\n  "hooks": {"Stop": [{"hooks": [{"type": "command", "command": ""}]}]},\r\n  "n": 1e5\r\n}\r\n',
    b"{}\n",
)
_BESIDE_ANOTHER = b'{"hooks": {"PostToolUse": [{"matcher": "*", "hooks": [{"command": "context-monitor.js"}]}]}}'
_SOME = OurSettings(status_line=True, hooks=REGISTRATIONS[:3])
_ALONE = _SOME._replace(countdown=True, other_monitors=False)


def configuration_file(home: Path) -> Decoder:
    """The person's or a project's: loading never fails, the installer reads it, and an edit changes nothing else."""
    root = scratch.install(home)
    own, projects = Path(paths.config_file(str(root))), Path(paths.project_file(str(home)))
    own.parent.mkdir()
    layout = Layout(str(root), str(home / ".claude" / "settings.json"))

    def decode(data: bytes) -> None:
        own.write_bytes(data)
        projects.write_bytes(data)
        settings.load(str(root), {}, str(home))
        with contextlib.suppress(InstallError):
            configuration.switches(layout, {})
            configuration.wrapping(layout, {})
        with contextlib.suppress(ValueError):
            toml_file.parse(data)
            after = document.edited(data.decode(), "levels.warning.every", 7)
            assert tomllib.loads(after.removeprefix("\ufeff"))["levels"]["warning"]["every"] == 7

    return Decoder(_TOML, decode)


def variables(home: Path) -> Decoder:
    """Each line is one variable and its value."""
    root = scratch.install(home)

    def decode(data: bytes) -> None:
        lines = (line.partition("=") for line in os.fsdecode(data.replace(b"\0", b"")).splitlines())
        environ = {settings.PREFIX + name: value for name, _, value in lines}
        settings.load(str(root), environ)

    return Decoder(
        [
            b"LEVELS__WARNING__EVERY=5\nHOOKS__READ_GUARD=on\n",
            b"STATUSLINE__LINES=model,context;cost\nWINDOW__MODELS=a=1_000\n",
        ],
        decode,
    )


def settings_file(home: Path) -> Decoder:
    """It is refused, or gets our entries and comes back byte for byte without them."""
    layout = Layout(str(home / "tidegauge"), str(home / "settings.json"))

    def decode(data: bytes) -> None:
        with contextlib.suppress(InstallError):
            there = change.registered(data, layout, _SOME, {})
            assert there.after is not None
            assert there.entry is not None
            entries = {layout.settings: there.entry}
            assert change.registered(there.after, layout, _SOME, entries).after == there.after
            assert change.unregistered(there.after, layout, entries).after == data

    return Decoder(_SETTINGS, decode)


def installers_record(home: Path) -> Decoder:
    """A damaged record counts as none, also for the code that acts on it."""
    layout = Layout(str(home / "tidegauge"), str(home / "settings.json"))
    os.mkdir(layout.root)
    written, documents = [], []
    for ours, contents in ((_SOME, _SETTINGS[0]), (_ALONE, _BESIDE_ANOTHER)):
        there = change.registered(contents, layout, ours, {})
        assert there.entry is not None
        record.save(layout, {layout.settings: there.entry})
        written.append(there.after)
        documents.append(Path(layout.record).read_bytes())

    def decode(data: bytes) -> None:
        Path(layout.record).write_bytes(data)
        entries = record.load(layout)
        for contents in (*written, _SETTINGS[1]):
            with contextlib.suppress(InstallError):
                change.unregistered(contents, layout, entries)
                renewed = change.registered(contents, layout, _SOME, entries)
                assert renewed.entry is not None
                record.save(layout, entries | {layout.settings: renewed.entry})
        record.save(layout, entries)

    return Decoder(documents, decode)
