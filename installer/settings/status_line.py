"""The statusLine of a settings text: ours put in place of a foreign one, and taken out again."""

import json

from installer.layout import Layout
from installer.settings import document, entries
from installer.settings.document import Raw

_NAME = "statusLine"


def foreign(text: str, layout: Layout) -> str | None:
    return document.raw(text, _NAME) if command(text, layout) is None else None


def command(text: str, layout: Layout) -> str | None:
    """Our command, if it is the one in the settings."""
    present = _command(text)
    return present if present is not None and entries.is_status_line(present, layout) else None


def foreign_command(text: str, layout: Layout) -> str | None:
    return _command(text) if command(text, layout) is None else None


def without(text: str) -> str:
    return document.remove_member(text, _NAME)


def add(text: str, layout: Layout) -> str:
    present, ours = _command(text), entries.status_line(layout)
    if present is None:
        return document.put(text, _NAME, ours)
    # Only the command changes: padding and the refresh interval are the person's choice, ours or wrapped.
    return text if present == ours["command"] else document.put(text, _NAME, document.value(text, _NAME) | ours)


def remove(text: str, layout: Layout, previous: str | None) -> str:
    """Remove ours; `previous` is the text of the value that was there before."""
    if command(text, layout) is None:
        return text
    if previous is not None:
        return document.put(text, _NAME, Raw(previous))
    # Of duplicate names the client reads the last: what is removed may have hidden another of ours.
    return remove(without(text), layout, None)


def command_of(value: str | None) -> str | None:
    """The command, for ours to run, in a value as it is written in a settings file."""
    line = json.loads(value) if value is not None else None
    command = line.get("command") if isinstance(line, dict) else None
    return command if isinstance(command, str) and command.strip() else None


def _command(text: str) -> str | None:
    """The command that the client would run: the entry needs its type, too."""
    line = document.value(text, _NAME)
    present = line.get("command") if isinstance(line, dict) and line.get("type") == "command" else None
    return present if isinstance(present, str) else None
