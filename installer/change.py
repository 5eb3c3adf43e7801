"""The change of one settings file, worked out before anything is written."""

from collections.abc import Callable
from typing import NamedTuple

from installer import document, hooks, record, registration, settings, strays
from installer.install_error import InstallError
from installer.layout import Layout
from installer.record import Entry
from installer.registration import Former, Wanted


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
    layout: Layout, wanted: Wanted, entry: Entry | None, former: Former, *, new_directories: int = 0
) -> Callable[[bytes | None], Change]:
    """What puts our entries into the contents of `layout.settings`, whose directories we may have to make."""
    if strays.has_died(former.status_line):
        former = former._replace(status_line=None)

    def change(before: bytes | None) -> Change:
        with settings.folded(layout.settings, before) as folded:
            text = folded.text
            if text.strip():
                hooks.check(text, wanted.hooks)
            live = strays.without_dead(text, layout)
            after, kept = registration.register(live, layout, wanted, former)
            bare = registration.unregister(live, layout, former)
        contents: bytes | None = folded.unfold(after if text.strip() else after + "\n").encode()
        if after == (text if text.strip() else "{}"):
            contents = before
        original = before if bare == text else folded.unfold(bare).encode()
        digest, made = record.digest(contents), new_directories if entry is None else entry.new_directories
        earlier: tuple[str, ...] = ()
        if entry is not None and entry.has_written(before):
            known = dict.fromkeys([*entry.earlier, entry.after])
            original, earlier = entry.before, tuple(item for item in known if item != digest)[-settings.BACKUPS_KEPT :]
        return Change(before, contents, Entry(kept, original, digest, made, earlier))

    return change


def unregistered(layout: Layout, entry: Entry | None, former: Former) -> Callable[[bytes | None], Change]:
    """What takes our entries out: exactly what was there, if nothing else has changed since."""

    def change(before: bytes | None) -> Change:
        if before is not None and entry is not None and entry.has_written(before):
            return Change(before, entry.before)
        with settings.folded(layout.settings, before) as folded:
            bare = registration.unregister(folded.text, layout, former)
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
    """Those settings files in which hooks of ours stand, of this installation or another."""
    found = []
    for path in paths:
        try:
            text = settings.text_of(path, settings.read(path))
            ours = text.strip() and hooks.ours_of_any_root(text)
        except (InstallError, document.Malformed):
            continue  # somebody else's broken file: the client ignores it too
        if ours:
            found.append(path)
    return found
