"""Other programs' hooks that watch the context window too: recognised, switched off, and restored."""

import json
import os
import re
import shlex
from typing import Any, NamedTuple

from installer.layout import Layout
from installer.settings import document, entries, hooks
from installer.settings.hooks import Handler
from shared.registrations import MESSAGE_EVENTS

CHOICES = ("keep", "off")
# Matches the command of another program that tells the agent about its context window, such as GSD's.
_OTHER_MONITOR = re.compile(r"context[-_ ]?(window[-_ ]?)?(monitor|guard|warning|watch)", re.IGNORECASE)


class OtherMonitor(NamedTuple):
    """One hook that was switched off."""

    event: str
    group: str  # as JSON: the matcher, and this hook alone

    @property
    def command(self) -> object:
        """The command that it runs. Raises ValueError, LookupError or TypeError if the group isn't as we record it."""
        return json.loads(self.group)["hooks"][0]["command"]


def is_other_monitor(command: str, layout: Layout) -> bool:
    """Whether another program's command tells the agent about its context window, judged by its name."""
    is_monitor = _OTHER_MONITOR.search(command) is not None
    return is_monitor and not (entries.is_hook(command, layout) or entries.is_hook_of_any_root(command))


def names(text: str, layout: Layout) -> list[str]:
    """The names of the other monitors' programs, to show to a person. Raises Malformed."""
    monitors = (handler for handler in hooks.handlers(text) if _watches(handler, layout))
    return list(dict.fromkeys(_program(handler.command) for handler in monitors))


def switch_off(text: str, layout: Layout) -> tuple[str, tuple[OtherMonitor, ...]]:
    """Return the text without other monitors, and what `switch_on` needs. The containers stay. Raises Malformed."""
    monitors = [handler for handler in hooks.handlers(text) if _watches(handler, layout)]
    recorded = (OtherMonitor(one.event, document.dump(one.group | {"hooks": [one.part]})) for one in monitors)
    return hooks.drop(text, lambda handler: _watches(handler, layout), ()), tuple(recorded)


def switch_on(text: str, switched_off: tuple[OtherMonitor, ...]) -> str:
    """Return the text with them at the end of their events, except for those that are there again. Raises Malformed."""
    present = {(handler.event, handler.command) for handler in hooks.handlers(text)} if switched_off else set()
    missing: dict[str, list[Any]] = {}
    for monitor in switched_off:
        key = (monitor.event, str(monitor.command))
        if key not in present:
            present.add(key)
            missing.setdefault(monitor.event, []).append(document.load(monitor.group))
    return hooks.append(text, missing)


def _watches(handler: Handler, layout: Layout) -> bool:
    """Whether this is another monitor, at an event that can tell the agent something."""
    return handler.event in MESSAGE_EVENTS and is_other_monitor(handler.command, layout)


def _program(command: str) -> str:
    try:
        words = shlex.split(command)
    except ValueError:
        words = command.split()
    programs = [word for word in words if _OTHER_MONITOR.search(word)]
    return os.path.basename(re.split(r"[\\/]", programs[0])[-1]) if programs else command
