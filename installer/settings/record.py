"""installed.json: what we wrote into which settings file and what stood there before."""

import base64
import contextlib
import json
import os
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from installer import files
from installer.install_error import InstallError
from installer.layout import Layout
from installer.settings import document, settings, status_line
from installer.settings.offers.other_monitors import OtherMonitor
from shared.registrations import EVENTS


class Previous(NamedTuple):
    """The parts of a settings file that our entries replace."""

    status_line: str | None = None  # the foreign value, as it was written
    containers: tuple[str, ...] = ()  # those that we made
    countdown: bool = False  # set by us: there was none
    other_monitors: tuple[OtherMonitor, ...] = ()  # that we have switched off


NOTHING = Previous(containers=("hooks", *EVENTS))


class Entry(NamedTuple):
    """One settings file: before our entries and, as a digest, with them."""

    previous: Previous
    before: bytes | None
    after: str
    new_directories: int = 0  # that we made: the one that it is in, its parent, ...
    earlier: tuple[str, ...] = ()  # digests of the contents in between, changed by us alone

    def has_written(self, contents: bytes | None) -> bool:
        """Whether the file is as we left it at some time, with nothing else changed in it."""
        return files.digest(contents) in (self.after, *self.earlier)


def load(layout: Layout) -> dict[str, Entry]:
    """The record by settings file; what cannot be read counts as missing."""
    try:
        saved = files.load(layout.record)
        # A home that has been moved takes the person's own settings along.
        moved = {saved["settings"]: layout.personal_settings} if not os.path.exists(saved["settings"]) else {}
        return {moved.get(path, path): _entry(item) for path, item in saved["files"].items()}
    except (ValueError, TypeError, LookupError, AttributeError, OverflowError, RecursionError, document.Malformed):
        return {}


def projects(layout: Layout) -> list[str]:
    """The settings files of an installation that is for projects alone; none for one that is also the person's."""
    entries = load(layout)
    return [] if layout.personal_settings in entries else [path for path in entries if os.path.exists(path)]


def previous_of(layout: Layout, entries: dict[str, Entry]) -> Previous:
    """The parts of this settings file before our entries; without a record, what traces show, and what we assume.

    When our folder has been deleted by hand, that is the newest backup.
    """
    entry = entries.get(layout.settings)
    if entry is not None:
        return entry.previous
    line = None if layout.project else _wrapped(layout)
    return NOTHING._replace(status_line=line if line is not None else _from_backup(layout))


def interim(new: Entry, old: Entry | None, status_line: str | None) -> Entry:
    """The entry to save during the change, so that the next run after a kill still knows the person's `status_line`."""
    line = new.previous.status_line if new.previous.status_line is not None else status_line
    before = old.previous if old is not None else Previous()
    containers = dict.fromkeys([*new.previous.containers, *before.containers])
    switched_off = dict.fromkeys([*new.previous.other_monitors, *before.other_monitors])
    has_set = new.previous.countdown or before.countdown
    return new._replace(previous=Previous(line, tuple(containers), has_set, tuple(switched_off)))


def save(layout: Layout, entries: dict[str, Entry]) -> None:
    own = entries.get(layout.personal_settings)
    foreign = own.previous.status_line if own is not None else None
    record = {
        "settings": layout.personal_settings,
        "statusLine": json.loads(foreign) if foreign is not None else None,
        "files": {path: _item(entry) for path, entry in entries.items()},
    }
    # A settings file may hold keys and tokens, and so does its copy.
    files.write(layout.record, json.dumps(record, indent=2).encode() + b"\n", 0o600)
    every = [own, *entries.values()] if own is not None else list(entries.values())
    values = (entry.previous.status_line for entry in every)
    wrapped = next((value for value in values if status_line.command_of(value) is not None), None)
    if wrapped is not None:
        files.write(layout.wrapped, wrapped.encode(), 0o600)
    else:
        files.remove(layout.wrapped)


def _wrapped(layout: Layout) -> str | None:
    contents = files.read(layout.wrapped)
    try:
        text = (contents or b"").decode()
        document.load(text)
    except (UnicodeDecodeError, document.Malformed):
        return None
    return text


def _from_backup(layout: Layout) -> str | None:
    """The status line in the newest backup without ours, if ours is in the settings."""
    if not any(status_line.command(text, layout) for text in _readable([layout.settings])):
        return None
    backups = _readable(reversed(settings.backups(layout.settings)))
    return next((status_line.foreign(text, layout) for text in backups if not status_line.command(text, layout)), None)


def _readable(paths: Iterable[str]) -> Iterator[str]:
    """Yield the texts of the settings files that can be read; the code that changes a file reports the others."""
    for path in paths:
        with contextlib.suppress(InstallError, document.Malformed):
            text = settings.text_of(path, settings.read(path))
            document.load(text)
            yield text


def _item(entry: Entry) -> dict[str, object]:
    before = base64.b64encode(entry.before).decode() if entry.before is not None else None
    return {
        "statusLine": entry.previous.status_line,
        "made": list(entry.previous.containers),
        "countdown": entry.previous.countdown,
        "other_monitors": [list(monitor) for monitor in entry.previous.other_monitors],
        "before": before,
        "after": entry.after,
        "new_directory": entry.new_directories,
        "earlier": list(entry.earlier),
    }


def _entry(item: dict[str, Any]) -> Entry:
    before = base64.b64decode(item["before"]) if item["before"] is not None else None
    switched_off = tuple(OtherMonitor(*monitor) for monitor in item["other_monitors"])
    previous = Previous(item["statusLine"], tuple(item["made"]), item["countdown"], switched_off)
    earlier = tuple(item["earlier"])
    texts = (item["after"], *earlier, *previous.containers, *(part for monitor in switched_off for part in monitor))
    commands = (monitor.command for monitor in switched_off)
    if not all(isinstance(text, str) for text in (*texts, previous.status_line or "", *commands)):
        raise TypeError("not as it was saved")
    for value in (previous.status_line, *(monitor.group for monitor in switched_off)):
        if value is not None:
            document.load(value)
    return Entry(previous, before, item["after"], int(item["new_directory"]), earlier)
