"""Our entries in a settings text: put in, and taken out so that what was there before is there again."""

import functools
from typing import NamedTuple

from installer import document, hooks, other_monitors, reminder, status_line
from installer.document import Malformed
from installer.layout import Layout
from installer.other_monitors import OtherMonitor
from monitor.registrations import EVENTS, Registration


class Wanted(NamedTuple):
    status_line: bool
    hooks: tuple[Registration, ...]
    countdown: bool = False  # the client's totalTokensReminder
    other_monitors: bool = True  # stay on


class Former(NamedTuple):
    """What our entries replace."""

    status_line: str | None = None  # the foreign value, as it was written
    made: tuple[str, ...] = ()  # the containers that were not there
    countdown: bool = False  # set by us: there was none
    other_monitors: tuple[OtherMonitor, ...] = ()  # that we have switched off


NOTHING = Former(made=("hooks", *EVENTS))


def register(text: str, layout: Layout, wanted: Wanted, former: Former) -> tuple[str, Former]:
    """The text with our entries, and what they replace. Raises Malformed; a second time changes nothing."""
    text = text if text.strip() else "{}"
    root = document.parse(text)
    if root.kind != "object":
        raise Malformed("the settings must be one object", root.start)
    bare = unregister(text, layout, former)
    text, switched_off = _with_other_monitors(text, layout, wanted, former)
    text = hooks.sync(text, layout, wanted.hooks, former.made)
    kept = Former(None, tuple(hooks.created(bare, wanted.hooks)), other_monitors=switched_off)
    if wanted.status_line:
        text = status_line.add(text, layout)
        kept = kept._replace(status_line=status_line.foreign(bare, layout))
    else:
        text = status_line.remove(text, layout, former.status_line)
    if wanted.countdown:
        return reminder.add(text), kept._replace(countdown=reminder.is_offered(bare))
    return reminder.remove(text) if former.countdown else text, kept


@functools.lru_cache(maxsize=1)  # asked twice of the same text, which may be megabytes long
def unregister(text: str, layout: Layout, former: Former) -> str:
    """The text without our entries; unchanged when there are none."""
    if not text.strip() or document.parse(text).kind != "object":
        return text
    text = reminder.remove(text) if former.countdown else text
    text = status_line.remove(text, layout, former.status_line)
    return other_monitors.give_back(hooks.sync(text, layout, (), former.made), former.other_monitors)


def _with_other_monitors(
    text: str, layout: Layout, wanted: Wanted, former: Former
) -> tuple[str, tuple[OtherMonitor, ...]]:
    """The text with them on or off, and those that are off."""
    if wanted.other_monitors:
        return other_monitors.give_back(text, former.other_monitors), ()
    text, found = other_monitors.switch_off(text, layout)
    return text, tuple(dict.fromkeys([*former.other_monitors, *found]))
