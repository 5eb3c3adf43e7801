"""Entries of another Tidegauge's folder in the same settings: one that was moved, or one beside ours."""

import json
import os
from typing import NamedTuple

from installer import document, entries, hooks, status_line
from installer.hooks import Handler
from installer.layout import Layout
from installer.registration import NOTHING


class Stray(NamedTuple):
    subject: str
    command: str
    is_dead: bool  # the files that it runs are gone


def find(text: str, layout: Layout) -> list[Stray]:
    """The stray entries, each command once. Raises Malformed."""
    if not _is_object(text):
        return []
    commands = dict.fromkeys(handler.command for handler in _stray(text, layout))
    found = [Stray("hook", command, is_dead(command)) for command in commands]
    line = status_line.foreign_command(text, layout)
    if line is not None and entries.is_status_line_of_any_root(line):
        found.append(Stray("status line", line, is_dead(line)))
    return found


def without_dead(text: str, layout: Layout) -> str:
    """The text without those that cannot run. Raises Malformed."""
    if not _is_object(text):
        return text
    dead = [found for found in _stray(text, layout) if is_dead(found.command)]
    text = hooks.drop(text, dead, NOTHING.made)
    line = status_line.foreign_command(text, layout)
    return status_line.without(text) if line is not None and is_dead(line) else text


def is_dead(command: str) -> bool:
    """Whether this is a command as we write it, of a file that is gone."""
    script = entries.script(command)
    return script is not None and os.path.isabs(script) and not os.path.exists(script)


def has_died(value: str | None) -> bool:
    """Whether the same is true of a statusLine, as it was written, that ours has wrapped."""
    found = json.loads(value) if value is not None else None
    command = found.get("command") if isinstance(found, dict) else None
    return isinstance(command, str) and is_dead(command)


def _is_object(text: str) -> bool:
    return text.strip() != "" and document.parse(text).kind == "object"


def _stray(text: str, layout: Layout) -> list[Handler]:
    return [found for found in hooks.ours_of_any_root(text) if not entries.is_hook(found.command, layout)]
