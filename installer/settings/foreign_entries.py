"""Entries of another Tidegauge's folder in the same settings: one that was moved, or a second one."""

import os
from typing import NamedTuple

from installer.layout import Layout
from installer.settings import entries, hooks, status_line
from installer.settings.hooks import Handler
from installer.settings.registration import NOTHING


class ForeignEntry(NamedTuple):
    kind: str
    command: str
    is_dead: bool  # the files that it runs are gone


def find(text: str, layout: Layout) -> list[ForeignEntry]:
    """The foreign entries, each command once. Raises Malformed."""
    commands = dict.fromkeys(handler.command for handler in _foreign(text, layout))
    foreign = [ForeignEntry("hook", command, is_dead(command)) for command in commands]
    line = status_line.foreign_command(text, layout)
    if line is not None and entries.is_status_line_of_any_root(line):
        foreign.append(ForeignEntry("status line", line, is_dead(line)))
    return foreign


def without_dead(text: str, layout: Layout) -> str:
    """The text without those that cannot run. Raises Malformed."""
    dead = [handler for handler in _foreign(text, layout) if is_dead(handler.command)]
    text = hooks.drop(text, dead, NOTHING.containers)
    line = status_line.foreign_command(text, layout)
    return status_line.without(text) if line is not None and is_dead(line) else text


def is_dead(command: str) -> bool:
    """Whether this is a command as we write it, of a file that is gone."""
    script = entries.script(command)
    return script is not None and os.path.isabs(script) and not os.path.exists(script)


def has_died(value: str | None) -> bool:
    """Whether a statusLine that ours has wrapped runs a file of ours that is gone; `value` is as it was written."""
    command = status_line.command_of(value)
    return command is not None and is_dead(command)


def _foreign(text: str, layout: Layout) -> list[Handler]:
    return [handler for handler in hooks.ours_of_any_root(text) if not entries.is_hook(handler.command, layout)]
