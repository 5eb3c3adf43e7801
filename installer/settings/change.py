"""The change of one settings file, worked out before anything is written."""

from collections.abc import Callable
from typing import NamedTuple

from installer.install_error import InstallError
from installer.layout import Layout
from installer.settings import foreign_entries, hooks, record, registration, settings
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
    layout: Layout, wanted: Wanted, entry: Entry | None, previous: Previous, *, new_directories: int = 0
) -> Callable[[bytes | None], Change]:
    """What puts our entries into the contents of `layout.settings`, whose directories we may have to make."""
    if foreign_entries.has_died(previous.status_line):
        previous = previous._replace(status_line=None)

    def change(before: bytes | None) -> Change:
        with settings.folded(layout.settings, before) as folded:
            text = folded.text
            if text.strip():
                hooks.check(text, wanted.hooks)
            live = foreign_entries.without_dead(text, layout)
            after, replaced = registration.register(live, layout, wanted, previous)
            bare = registration.unregister(live, layout, previous)
        contents: bytes | None = folded.unfold(after if text.strip() else after + "\n").encode()
        if after == (text if text.strip() else "{}"):
            contents = before
        original = before if bare == text else folded.unfold(bare).encode()
        digest, made = record.digest(contents), new_directories if entry is None else entry.new_directories
        earlier: tuple[str, ...] = ()
        if entry is not None and entry.has_written(before):
            digests = dict.fromkeys([*entry.earlier, entry.after])
            original, earlier = (
                entry.before,
                tuple(item for item in digests if item != digest)[-settings.MOST_BACKUPS :],
            )
        return Change(before, contents, Entry(replaced, original, digest, made, earlier))

    return change


def unregistered(layout: Layout, entry: Entry | None, previous: Previous) -> Callable[[bytes | None], Change]:
    """What takes our entries out: exactly what was there, if nothing else has changed since."""

    def change(before: bytes | None) -> Change:
        if before is not None and entry is not None and entry.has_written(before):
            return Change(before, entry.before)
        with settings.folded(layout.settings, before) as folded:
            bare = registration.unregister(folded.text, layout, previous)
        if bare == folded.text:
            return Change(before, before)
        if entry is not None and entry.before is None and bare.strip() == "{}":
            return Change(before, None)
        return Change(before, folded.unfold(bare).encode())

    return change


def switched_off(contents: bytes | None) -> bool:
    """Whether the person has switched every hook and the status line off."""
    text = (contents or b"{}").decode()
    part = document.parse(text).find("disableAllHooks") if text.strip() else None
    return part is not None and document.value(text, part.node) is True


def copies(paths: list[str]) -> list[str]:
    """The settings files that have hooks of ours, of this installation or another."""
    matching = []
    for path in paths:
        try:
            text = settings.text_of(path, settings.read(path))
            ours = text.strip() and hooks.ours_of_any_root(text)
        except (InstallError, document.Malformed):
            continue  # somebody else's broken file: the client ignores it too
        if ours:
            matching.append(path)
    return matching
