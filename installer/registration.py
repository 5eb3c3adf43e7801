"""Our entries in a settings text: put in, and taken out so that what was there before is there again."""

from typing import NamedTuple

from installer import document, hooks, status_line
from installer.document import Malformed
from installer.layout import Layout
from monitor.registrations import EVENTS, Registration


class Wanted(NamedTuple):
    status_line: bool
    hooks: tuple[Registration, ...]


class Former(NamedTuple):
    """What our entries stand in the place of."""

    status_line: str | None = None  # the foreign value, as it was written
    made: tuple[str, ...] = ()  # the containers that were not there


NOTHING = Former(made=("hooks", *EVENTS))


def register(text: str, layout: Layout, wanted: Wanted, former: Former) -> tuple[str, Former]:
    """The text with our entries, and what they replace. Raises Malformed; a second time changes nothing."""
    text = text if text.strip() else "{}"
    root = document.parse(text)
    if root.kind != "object":
        raise Malformed("the settings must be one object", root.start)
    bare = unregister(text, layout, former)
    text = hooks.sync(text, layout, wanted.hooks, former.made)
    made = tuple(hooks.created(bare, wanted.hooks))
    if not wanted.status_line:
        return status_line.remove(text, layout, former.status_line), Former(made=made)
    return status_line.add(text, layout), Former(status_line.foreign(bare, layout), made)


def unregister(text: str, layout: Layout, former: Former) -> str:
    """The text without our entries; unchanged when there are none."""
    if not text.strip() or document.parse(text).kind != "object":
        return text
    text = status_line.remove(text, layout, former.status_line)
    return hooks.sync(text, layout, (), former.made)
