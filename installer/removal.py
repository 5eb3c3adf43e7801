"""An uninstallation: take our entries out of every settings file that has them, then remove the whole folder."""

import contextlib
import os
import shutil
import time
from typing import NamedTuple

from installer import (
    change,
    companions,
    files,
    former,
    launchers,
    link,
    lock,
    personal_directories,
    record,
    settings,
)
from installer.change import Change
from installer.install_error import InstallError
from installer.layout import Layout
from shared.client import LOCAL_SETTINGS, SETTINGS

_PROJECT_FILES = (LOCAL_SETTINGS, SETTINGS)
# Seconds in which whatever the client has started by now has found all that it reads.
_SETTLING = 0.5


class Edit(NamedTuple):
    layout: Layout
    planned: Change


class Removal:
    """One run: the settings files to change, and whether the folder goes."""

    def __init__(self, layout: Layout, *, purge: bool = False) -> None:
        """With `purge`, the person's directories go too: configuration, log and what was saved."""
        self.layout = layout
        self.entries = record.load(layout)
        personal = layout.personal_settings
        paths = self._of_project() if layout.project else list(dict.fromkeys([personal, *self.entries]))
        layouts = [layout._replace(settings=path, project=path != personal) for path in paths]
        for path in paths:
            settings.refuse_hard_link(path)
        self.edits = [Edit(item, self._change(item, settings.read(item.settings))) for item in layouts]
        others = set(self.entries) - set(paths)
        self.is_last = not others
        self.removes_root = os.path.isdir(layout.root) and self.is_last
        self.links = link.find(layout, os.environ) if self.is_last else []
        self.companions = companions.removal(layout) if self.is_last else companions.Plan()
        self.directories = personal_directories.find(layout)
        self.purged = [found.path for found in self.directories] if purge and self.is_last else []

    def _of_project(self) -> list[str]:
        """The project's settings files that have our entries: the person's, and those of the team or of 0.1.0."""
        beside = [os.path.join(os.path.dirname(self.layout.settings), name) for name in _PROJECT_FILES]
        return [path for path in beside if path == self.layout.settings or path in self.entries]

    def changes(self) -> list[Edit]:
        return [edit for edit in self.edits if edit.planned.before != edit.planned.after]

    def carry_out(self) -> list[str]:
        """What stays, for the person to know."""
        with lock.hold(os.path.dirname(self.layout.root)):
            return self._carry_out()

    def _carry_out(self) -> list[str]:
        kept = [found.describe() for found in self.directories if found.path not in self.purged]
        for edit in self.edits:
            path = edit.layout.settings
            before, after = settings.replace(path, self._editor(edit.layout))
            entry = self.entries.get(path)
            if entry is not None and (entry.has_written(before) or entry.before == before):
                # Nothing is lost: ours alone came and went.
                settings.remove_backups(path, [*entry.earlier, entry.after, record.digest(after)])
            kept += settings.backups(path)
        made = [path for edit in self.edits for path in self._made_directories(edit.layout.settings)]
        for edit in self.edits:
            self.entries.pop(edit.layout.settings, None)
        kept += self.companions.kept
        if self.is_last:
            companions.take_away(self.layout, self.companions)
            link.remove(self.layout, os.environ)
        if self.removes_root:
            _remove(self.layout)
        elif os.path.exists(self.layout.record):
            record.save(self.layout, self.entries)
        personal_directories.remove(self.purged)
        for path in made:
            with contextlib.suppress(OSError):  # not empty: the client has used it since
                os.rmdir(path)
        return kept

    def _change(self, layout: Layout, before: bytes | None) -> Change:
        entry = self.entries.get(layout.settings)
        return change.unregistered(layout, entry, former.find(layout, self.entries))(before)

    def _editor(self, layout: Layout) -> settings.Edit:
        return lambda before: self._change(layout, before).after

    def _made_directories(self, path: str) -> list[str]:
        entry, made = self.entries.get(path), []
        for _ in range(entry.new_directories if entry is not None else 0):
            path = os.path.dirname(path)
            made.append(path)
        return made


def _remove(layout: Layout) -> None:
    """Remove our folder from under sessions that still run us.

    Each step waits for what the step before it has left running. Launchers that do nothing come first. Then the
    interpreter goes, and only then the scripts: to 0.1.0's entries a missing script would be exit 2, "block". So it
    would be to a shell that was started for a launcher and opens it too late: before it goes, nobody may start it.
    """
    root = layout.root
    paths = [os.path.join(layout.launchers, name) for name in launchers.PACKAGED]
    for path in paths:
        with contextlib.suppress(OSError):  # a full disk is no reason to stay
            files.write(path, b"#!/bin/sh\n", 0o755)
    time.sleep(_SETTLING)
    for path in paths:
        with contextlib.suppress(OSError):
            os.chmod(path, 0o644)
    with contextlib.suppress(OSError):  # it may have gone before us
        os.unlink(layout.python)
    time.sleep(_SETTLING)
    # A second time for what a status line that was still running has written meanwhile.
    shutil.rmtree(root, ignore_errors=True)
    try:
        if os.path.isdir(root):
            shutil.rmtree(root)
    except OSError as error:
        raise InstallError(f"{error.filename}: cannot be removed: {error.strerror}; delete {root} by hand") from None
