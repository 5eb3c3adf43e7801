"""Other programs' hooks that watch the context window too: found, switched off, and given back."""

import json
import os
import re
import shlex
from typing import NamedTuple

from installer import document, entries, hooks
from installer.hooks import Handler
from installer.layout import Layout
from monitor.registrations import TOLD_AT

CHOICES = ("keep", "off")


class OtherMonitor(NamedTuple):
    """One hook that was switched off."""

    event: str
    group: str  # as JSON: its matcher and itself alone


def is_other_monitor(command: str, layout: Layout) -> bool:
    """Whether another program's command tells the agent of its context window, by its name."""
    if entries.is_hook(command, layout) or entries.is_hook_of_any_root(command):
        return False
    return hooks.OTHER_MONITOR.search(command) is not None


def find(text: str, layout: Layout) -> list[Handler]:
    """Their handlers. Raises Malformed."""
    if not text.strip() or document.parse(text).kind != "object":
        return []
    found = hooks.handlers(text, edited=True)
    return [item for item in found if item.event.name in TOLD_AT and is_other_monitor(item.command, layout)]


def names(text: str, layout: Layout) -> list[str]:
    """The name of each one's program, for a person. Raises Malformed."""
    return list(dict.fromkeys(_program(handler.command) for handler in find(text, layout)))


def switch_off(text: str, layout: Layout) -> tuple[str, tuple[OtherMonitor, ...]]:
    """The text without them, and what `give_back` needs. The containers stay. Raises Malformed."""
    switched_off = tuple(_recorded(text, handler) for handler in find(text, layout))
    return hooks.drop(text, lambda text: find(text, layout), ()), switched_off


def give_back(text: str, switched_off: tuple[OtherMonitor, ...]) -> str:
    """The text with them at the end of their events; one that stands there again is left. Raises Malformed."""
    for monitor in switched_off:
        present = {(handler.event.name, handler.command) for handler in hooks.handlers(text)}
        group = json.loads(monitor.group)
        if (monitor.event, group["hooks"][0]["command"]) not in present:
            text = hooks.append(text, monitor.event, group)
    return text


def _recorded(text: str, handler: Handler) -> OtherMonitor:
    group = json.loads(text[handler.group.node.start : handler.group.node.end])
    own = json.loads(text[handler.part.node.start : handler.part.node.end])
    return OtherMonitor(handler.event.name or "", json.dumps(group | {"hooks": [own]}, ensure_ascii=False))


def _program(command: str) -> str:
    try:
        words = shlex.split(command)
    except ValueError:
        words = command.split()
    named = [word for word in words if hooks.OTHER_MONITOR.search(word)]
    return os.path.basename(re.split(r"[\\/]", named[0])[-1]) if named else command
