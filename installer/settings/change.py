"""The change of one settings file, worked out before anything is written."""

from typing import NamedTuple

from installer import files
from installer.install_error import InstallError
from installer.layout import Layout
from installer.settings import foreign_entries, hooks, registration, settings
from installer.settings.record import Entry
from installer.settings.registration import Previous, Wanted
from installer.settings.text import document


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
    before: bytes | None,
    layout: Layout,
    wanted: Wanted,
    entry: Entry | None,
    previous: Previous,
    *,
    new_directories: int = 0,
) -> Change:
    """What puts our entries into the contents of `layout.settings`, whose directories we may have to make."""
    if foreign_entries.has_died(previous.status_line):
        previous = previous._replace(status_line=None)
    with settings.edited(layout.settings, before) as text:
        hooks.check(text, wanted.hooks)
        live = foreign_entries.without_dead(text, layout)
        bare = registration.unregister(live, layout, previous)
        after, replaced = registration.register(live, bare, layout, wanted, previous)
    contents = before if after == text else after.encode()
    original = before if bare == text else bare.encode()
    digest, directory_count = files.digest(contents), new_directories if entry is None else entry.new_directories
    earlier: tuple[str, ...] = ()
    if entry is not None and entry.has_written(before):
        digests = dict.fromkeys([*entry.earlier, entry.after])
        original = entry.before
        earlier = tuple(item for item in digests if item != digest)[-settings.MOST_BACKUPS :]
    return Change(before, contents, Entry(replaced, original, digest, directory_count, earlier))


def unregistered(before: bytes | None, layout: Layout, entry: Entry | None, previous: Previous) -> Change:
    """What takes our entries out: exactly what was there, if nothing else has changed since."""
    if not (before or b"").strip():
        return Change(before, before)
    if entry is not None and entry.has_written(before):
        return Change(before, entry.before)
    with settings.edited(layout.settings, before) as text:
        bare = registration.unregister(text, layout, previous)
    if bare == text:
        return Change(before, before)
    if entry is not None and entry.before is None and bare.strip() == "{}":
        return Change(before, None)
    return Change(before, bare.encode())


def switched_off(text: str) -> bool:
    """Whether the person has switched every hook and the status line off."""
    part = document.parse(text).find("disableAllHooks")
    return part is not None and document.value(text, part.node) is True


def copies(paths: list[str]) -> list[str]:
    """The settings files that have hooks of ours, of this installation or another."""
    matching = []
    for path in paths:
        try:
            ours = hooks.ours_of_any_root(settings.text_of(path, settings.read(path)))
        except (InstallError, document.Malformed):
            continue  # someone else's broken file: the client ignores it too
        if ours:
            matching.append(path)
    return matching
