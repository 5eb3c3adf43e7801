"""Entries of another Tidegauge's folder: one that was moved, or a second one."""

import os
from collections.abc import Iterable

from installer.install_error import InstallError
from installer.layout import Layout
from installer.settings import entries, hooks, settings, status_line
from installer.settings.document import Malformed
from installer.settings.hooks import Handler
from installer.settings.record import NOTHING


def find(text: str, layout: Layout) -> dict[str, str]:
    """Map each foreign command to what it belongs to, a hook or a status line. Raises Malformed."""
    foreign = {handler.command: "hook" for handler in hooks.handlers(text) if _is_foreign(handler, layout)}
    line = status_line.foreign_command(text, layout)
    if line is not None and entries.is_status_line_of_any_root(line):
        foreign[line] = "status line"
    return foreign


def without_dead(text: str, layout: Layout) -> str:
    """Return the text without foreign entries that cannot run. Raises Malformed."""
    containers = NOTHING.containers
    text = hooks.drop(text, lambda handler: _is_foreign(handler, layout) and is_dead(handler.command), containers)
    return status_line.without(text) if is_dead(status_line.foreign_command(text, layout)) else text


def is_dead(command: str | None) -> bool:
    """Whether this is a command as we write it whose file is gone."""
    script = entries.script(command or "")
    return script is not None and os.path.isabs(script) and not os.path.exists(script)


def copies(paths: Iterable[str]) -> list[str]:
    """The settings files that have our hooks, of this installation or another."""
    matching = []
    for path in paths:
        try:
            handlers = hooks.handlers(settings.text_of(path, settings.read(path)))
        except (InstallError, Malformed):
            continue  # someone else's broken file: the client ignores it too
        if any(entries.is_hook_of_any_root(handler.command) for handler in handlers):
            matching.append(path)
    return matching


def _is_foreign(handler: Handler, layout: Layout) -> bool:
    return entries.is_hook_of_any_root(handler.command) and not entries.is_hook(handler.command, layout)
