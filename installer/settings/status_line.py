"""The statusLine of a settings text: ours put in place of a foreign one, and taken out again."""

import json

from installer.layout import Layout
from installer.settings import entries
from installer.settings.text import document, edit
from installer.settings.text.document import Element, Node


def foreign(text: str, layout: Layout) -> str | None:
    """The value as it is written there, if there is one and it is not ours."""
    part = document.parse(text).find("statusLine")
    return part.node.raw if part is not None and not _is_ours(part, layout) else None


def command(text: str, layout: Layout) -> str | None:
    """Our command, if it is the one in the settings."""
    part = document.parse(text).find("statusLine")
    return _command(part.node) if part is not None and _is_ours(part, layout) else None


def foreign_command(text: str, layout: Layout) -> str | None:
    """The command in the settings, if it is not ours."""
    part = document.parse(text).find("statusLine")
    return _command(part.node) if part is not None and not _is_ours(part, layout) else None


def without(text: str) -> str:
    """The text without the value, whosever it is."""
    root = document.parse(text)
    part = root.find("statusLine")
    return edit.remove(text, root, part) if part is not None else text


def add(text: str, layout: Layout) -> str:
    root = document.parse(text)
    part = root.find("statusLine")
    if part is None:
        return edit.append(text, root, {"statusLine": entries.status_line(layout)})
    present = part.node.find("command")
    if present is None or _command(part.node) is None:
        return edit.put(text, part, entries.status_line(layout))
    # Only the command changes: padding and the refresh interval are the person's taste, ours or wrapped.
    ours = entries.status_line_command(layout)
    return text if _command(part.node) == ours else edit.put(text, present, ours)


def remove(text: str, layout: Layout, previous: str | None) -> str:
    """Take ours out; `previous` is the text of the value that stood there before."""
    root = document.parse(text)
    part = root.find("statusLine")
    if part is None or not _is_ours(part, layout):
        return text
    if previous is not None:
        return edit.replace(text, part.node, previous)
    # Of a duplicate name the client reads the last: what is removed may have hidden another of ours.
    return remove(edit.remove(text, root, part), layout, None)


def command_of(value: str | None) -> str | None:
    """The command for ours to run in its turn, of a value as it is written in a settings file."""
    line = json.loads(value) if value is not None else None
    command = line.get("command") if isinstance(line, dict) else None
    return command if isinstance(command, str) and command.strip() else None


def _command(node: Node) -> str | None:
    """What the client would run: it needs the type too."""
    return node.string("command") if node.string("type") == "command" else None


def _is_ours(part: Element, layout: Layout) -> bool:
    present = _command(part.node)
    return present is not None and entries.is_status_line(present, layout)
