"""Our entries in a settings text: put in, and taken out so that what was there before is there again."""

from typing import NamedTuple

from installer.layout import Layout
from installer.settings import hooks, status_line
from installer.settings.offers import other_monitors, reminder
from installer.settings.offers.other_monitors import OtherMonitor
from installer.settings.text import document
from installer.settings.text.document import Malformed
from shared.registrations import EVENTS, Registration


class Wanted(NamedTuple):
    status_line: bool
    hooks: tuple[Registration, ...]
    countdown: bool = False  # the client's totalTokensReminder
    other_monitors: bool = True  # stay on


class Previous(NamedTuple):
    """What our entries replace."""

    status_line: str | None = None  # the foreign value, as it was written
    containers: tuple[str, ...] = ()  # those that we made
    countdown: bool = False  # set by us: there was none
    other_monitors: tuple[OtherMonitor, ...] = ()  # that we have switched off


NOTHING = Previous(containers=("hooks", *EVENTS))


def register(text: str, bare: str, layout: Layout, wanted: Wanted, previous: Previous) -> tuple[str, Previous]:
    """The text with our entries, and what they replace in `bare`, the text without them.

    Raises Malformed; a second time changes nothing.
    """
    root = document.parse(text)
    if root.kind != "object":
        raise Malformed("the settings must be one object", root.start)
    text, switched_off = _with_other_monitors(text, layout, wanted, previous)
    text = hooks.sync(text, layout, wanted.hooks, previous.containers)
    replaced = Previous(None, tuple(hooks.created(bare, wanted.hooks)), other_monitors=switched_off)
    if wanted.status_line:
        text = status_line.add(text, layout)
        replaced = replaced._replace(status_line=status_line.foreign(bare, layout))
    else:
        text = status_line.remove(text, layout, previous.status_line)
    if wanted.countdown:
        return reminder.add(text), replaced._replace(countdown=reminder.is_offered(bare))
    return reminder.remove(text) if previous.countdown else text, replaced


def unregister(text: str, layout: Layout, previous: Previous) -> str:
    """The text without our entries; unchanged when there are none."""
    if document.parse(text).kind != "object":
        return text
    text = reminder.remove(text) if previous.countdown else text
    text = status_line.remove(text, layout, previous.status_line)
    return other_monitors.give_back(hooks.sync(text, layout, (), previous.containers), previous.other_monitors)


def _with_other_monitors(
    text: str, layout: Layout, wanted: Wanted, previous: Previous
) -> tuple[str, tuple[OtherMonitor, ...]]:
    """The text with them on or off, and those that are off."""
    if wanted.other_monitors:
        return other_monitors.give_back(text, previous.other_monitors), ()
    text, newly_off = other_monitors.switch_off(text, layout)
    return text, tuple(dict.fromkeys([*previous.other_monitors, *newly_off]))
