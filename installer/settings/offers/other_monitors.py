"""Other programs' hooks that watch the context window too: recognised, switched off, and restored."""

import itertools
import json
import os
import re
import shlex
from collections.abc import Iterator, Sequence
from operator import attrgetter
from typing import Any, NamedTuple

from installer.layout import Layout
from installer.settings import entries, hooks
from installer.settings.hooks import Handler
from shared.registrations import MESSAGE_EVENTS

CHOICES = ("keep", "off")


class OtherMonitor(NamedTuple):
    """One hook that was switched off."""

    event: str
    group: str  # as JSON: its matcher and itself alone

    @property
    def command(self) -> object:
        """What it runs, a text. Raises ValueError, LookupError or TypeError of a group that isn't as we record it."""
        return json.loads(self.group)["hooks"][0]["command"]


def is_other_monitor(command: str, layout: Layout) -> bool:
    """Whether another program's command tells the agent of its context window, by its name."""
    is_monitor = hooks.OTHER_MONITOR.search(command) is not None
    return is_monitor and not (entries.is_hook(command, layout) or entries.is_hook_of_any_root(command))


def find(text: str, layout: Layout) -> list[Handler]:
    """Their handlers. Raises Malformed."""
    monitors = hooks.handlers(text, edited=True)
    return [item for item in monitors if item.event.name in MESSAGE_EVENTS and is_other_monitor(item.command, layout)]


def names(text: str, layout: Layout) -> list[str]:
    """The name of each one's program, for a person. Raises Malformed."""
    return list(dict.fromkeys(_program(handler.command) for handler in find(text, layout)))


def switch_off(text: str, layout: Layout) -> tuple[str, tuple[OtherMonitor, ...]]:
    """The text without them, and what `give_back` needs. The containers stay. Raises Malformed."""
    monitors = find(text, layout)
    return hooks.drop(text, monitors, ()), tuple(_recorded(monitors))


def give_back(text: str, switched_off: tuple[OtherMonitor, ...]) -> str:
    """The text with them at the end of their events; one that is there again already is left. Raises Malformed."""
    present: set[tuple[str | None, object]] = set()
    if switched_off:
        present |= {(handler.event.name, handler.command) for handler in hooks.handlers(text)}
    missing: dict[str, list[Any]] = {}
    for monitor in switched_off:
        key = (monitor.event, monitor.command)
        if key not in present:
            present.add(key)
            missing.setdefault(monitor.event, []).append(json.loads(monitor.group))
    return hooks.append(text, missing)


def _recorded(monitors: Sequence[Handler]) -> Iterator[OtherMonitor]:
    for whole, handlers in itertools.groupby(monitors, attrgetter("group")):
        group = json.loads(whole.node.raw)
        for handler in handlers:
            own = json.loads(handler.part.node.raw)
            yield OtherMonitor(handler.event.name or "", json.dumps(group | {"hooks": [own]}, ensure_ascii=False))


def _program(command: str) -> str:
    try:
        words = shlex.split(command)
    except ValueError:
        words = command.split()
    programs = [word for word in words if hooks.OTHER_MONITOR.search(word)]
    return os.path.basename(re.split(r"[\\/]", programs[0])[-1]) if programs else command
