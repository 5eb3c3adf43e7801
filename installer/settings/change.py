"""The change of one settings file, which adds or removes our entries, worked out before anything is written."""

from typing import NamedTuple

from installer import files
from installer.layout import Layout
from installer.settings import document, foreign_entries, hooks, record, settings, status_line
from installer.settings.document import Malformed
from installer.settings.offers import other_monitors, reminder
from installer.settings.record import Entry, Previous
from shared.registrations import Registration


class OurSettings(NamedTuple):
    status_line: bool
    hooks: tuple[Registration, ...]
    countdown: bool = False  # the client's totalTokensReminder
    other_monitors: bool = True  # stay on


class Change(NamedTuple):
    """The contents of a settings file before and after, None for no file, and the record of it."""

    before: bytes | None
    after: bytes | None
    entry: Entry | None = None

    def diff(self, path: str) -> str:
        # Decoded with a byte order mark left in: that it goes is part of the change.
        texts = [None if contents is None else contents.decode() for contents in (self.before, self.after)]
        return settings.diff(path, *texts)


def registered(
    before: bytes | None, layout: Layout, ours: OurSettings, entries: dict[str, Entry], *, new_directories: int = 0
) -> Change:
    """The change that adds our entries to the contents of `layout.settings`, whose directories we may have to make."""
    entry, previous = entries.get(layout.settings), record.previous_of(layout, entries)
    if foreign_entries.is_dead(status_line.command_of(previous.status_line)):
        previous = previous._replace(status_line=None)
    with settings.edited(layout.settings, before) as text:
        if ours.hooks:  # before an edit moves the position of what is wrong
            hooks.check(text, [entry.event for entry in ours.hooks])
        live = foreign_entries.without_dead(text, layout)
        bare = remove(live, layout, previous)
        after, replaced = add(live, bare, layout, ours, previous)
        hooks.refuse_lost(text, bare, after)
    contents = before if after == text else after.encode()
    original = before if bare == text else bare.encode()
    digest, directory_count = files.digest(contents), new_directories if entry is None else entry.new_directories
    earlier: tuple[str, ...] = ()
    if entry is not None and entry.has_written(before):
        digests = dict.fromkeys([*entry.earlier, entry.after])
        original = entry.before
        earlier = tuple(item for item in digests if item != digest)[-settings.MOST_BACKUPS :]
    return Change(before, contents, Entry(replaced, original, digest, directory_count, earlier))


def unregistered(before: bytes | None, layout: Layout, entries: dict[str, Entry]) -> Change:
    """The change that removes our entries; it restores exactly what was there if nothing else has changed since."""
    if not (before or b"").strip():
        return Change(before, before)
    entry = entries.get(layout.settings)
    if entry is not None and entry.has_written(before):
        return Change(before, entry.before)
    with settings.edited(layout.settings, before) as text:
        bare = remove(text, layout, record.previous_of(layout, entries))
        hooks.refuse_lost(text, bare)
    if bare == text:
        return Change(before, before)
    if entry is not None and entry.before is None and bare.strip() == "{}":
        return Change(before, None)
    return Change(before, bare.encode())


def add(text: str, bare: str, layout: Layout, ours: OurSettings, previous: Previous) -> tuple[str, Previous]:
    """Add our entries once; return the text and what they replace in `bare`, which lacks them. Raises Malformed."""
    if not document.is_object(text):
        raise Malformed("the settings must be one object", len(text) - len(text.lstrip()))
    switched_off: tuple[other_monitors.OtherMonitor, ...] = ()
    if ours.other_monitors:
        text = other_monitors.switch_on(text, previous.other_monitors)
    else:
        text, newly_off = other_monitors.switch_off(text, layout)
        switched_off = tuple(dict.fromkeys([*previous.other_monitors, *newly_off]))
    text = hooks.sync(text, layout, ours.hooks, previous.containers)
    replaced = Previous(None, tuple(hooks.created(bare, ours.hooks)), other_monitors=switched_off)
    if ours.status_line:
        text = status_line.add(text, layout)
        replaced = replaced._replace(status_line=status_line.foreign(bare, layout))
    else:
        text = status_line.remove(text, layout, previous.status_line)
    if ours.countdown:
        return reminder.add(text), replaced._replace(countdown=reminder.is_offered(bare))
    return reminder.remove(text) if previous.countdown else text, replaced


def remove(text: str, layout: Layout, previous: Previous) -> str:
    """Return the text without our entries; unchanged if there are none."""
    if not document.is_object(text):
        return text
    text = reminder.remove(text) if previous.countdown else text
    text = status_line.remove(text, layout, previous.status_line)
    return other_monitors.switch_on(hooks.sync(text, layout, (), previous.containers), previous.other_monitors)
