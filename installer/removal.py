"""An uninstallation: take our entries out of every settings file that has them, then remove the whole folder."""

import contextlib
import os
import re
import time

from installer import files
from installer.data import personal_directories, project_folders
from installer.install_error import InstallError
from installer.layout import NEW, PREVIOUS, Layout, for_project
from installer.program import client_files, launchers, link, lock, program
from installer.settings import change, record, settings
from installer.settings.change import Change
from shared.client.client import LOCAL_SETTINGS, SETTINGS

_PROJECT_FILES = (LOCAL_SETTINGS, SETTINGS)
# What an installation leaves in our folder if it is killed before anything else shows the folder to be ours.
_STAGED = frozenset(f"{name}{ending}" for name in ("environment", "program") for ending in (NEW, PREVIOUS))
# Everything that an installation and the processes that it starts leave there.
_OURS = _STAGED | {
    *("environment", "program", "bin", "run", "directories.json", "installed.json", "choices.json"),
    *("companions.json", "wrapped.json", "learned.json"),
}
# Our names in folders that may hold others' files, too: the launchers, and the state of each conversation.
_FOLDERS = {
    "bin": re.compile("|".join(map(re.escape, (*launchers.PACKAGED, *launchers.ENTRIES, *launchers.COMMANDS)))),
    "run": re.compile(r"[a-z]+(?:-[a-z]+)?-[\w-]+(?:\.[\w-]+)?(?:\.json)?", re.ASCII),
}
_TEMPORARY = re.compile(r"\..+\.tmp")
# Seconds in which whatever the client has started by now has read what it needs.
_SETTLING = 0.5


class Removal:
    """One run: the settings files to change, and whether the folder goes."""

    def __init__(self, layout: Layout, *, purge: bool = False) -> None:
        """With `purge`, the person's directories go too: configuration, log and what was saved."""
        self.layout = layout
        self.entries = record.load(layout)
        personal = layout.personal_settings
        paths = self._of_project() if layout.project else list(dict.fromkeys([personal, *self.entries]))
        for path in paths:
            settings.refuse_hard_link(path)
            self._layout_of(path)
        self.edits = {path: self._change(path, settings.read(path)) for path in paths}
        self.others = {path: entry for path, entry in self.entries.items() if path not in paths}
        self.is_last = not self.others
        self.is_ours = program.is_ours(layout)
        ours, others = self._contents()
        # An uninstallation that was killed before its last step leaves an empty one.
        self.removes_root = self.is_last and os.path.isdir(layout.root) and (bool(ours) or not others)
        self.links = link.find(layout, os.environ) if self.is_last else []
        self.client_files = client_files.plan(layout, wanted=False) if self.is_last else client_files.Plan()
        self.directories = personal_directories.find(layout)
        self.project_folders = project_folders.find(layout, os.environ) if self.is_last else []
        self.purges = purge and self.is_last

    def _of_project(self) -> list[str]:
        """The project's settings files that have our entries: the person's, and the team's."""
        candidates = [os.path.join(os.path.dirname(self.layout.settings), name) for name in _PROJECT_FILES]
        return [path for path in candidates if path == self.layout.settings or path in self.entries]

    def remaining(self) -> list[str]:
        """Paths that stay with the person: after a purge, only those in projects that aren't proven to be ours."""
        if self.purges:
            return [folder.unproven() for folder in self.project_folders if folder.files > len(folder.proven)]
        return self.directories + [folder.describe() for folder in self.project_folders]

    def changes(self) -> dict[str, Change]:
        return {path: planned for path, planned in self.edits.items() if planned.before != planned.after}

    def carry_out(self) -> list[str]:
        """Carry out the removal, and return what stays, for the person to know."""
        with lock.locked(os.path.dirname(self.layout.root)):
            remaining = [*self.remaining(), *self._restore_settings(), *self.client_files.personal]
            if self.is_last:
                client_files.place(self.layout, self.client_files, contextlib.ExitStack())  # nothing is put back
                for path in self.links:
                    with contextlib.suppress(OSError):
                        os.unlink(path)
            if self.removes_root:
                self._remove()
            if self.purges:
                project_folders.remove(self.project_folders)
                remaining += personal_directories.remove(self.directories)
            if self.removes_root:
                remaining += self._contents()[1]
            elif os.path.exists(self.layout.record):
                record.save(self.layout, self.others)
            for path, entry in self.entries.items():
                directory = path
                for _ in range(entry.new_directories if path in self.edits else 0):
                    directory = os.path.dirname(directory)
                    files.remove_empty(directory)
            return remaining

    def _restore_settings(self) -> list[str]:
        """Remove our entries from the settings files, and return the backups that stay."""
        backups: list[str] = []
        for path in self.edits:
            before, after = settings.replace(path, self._editor(path))
            entry = self.entries.get(path)
            if entry is not None and (entry.has_written(before) or entry.before == before):
                # Nothing is lost: only our entries came and went.
                settings.remove_backups(path, [*entry.earlier, entry.after, files.digest(after)])
            backups += settings.backups(path)
        return backups

    def _layout_of(self, path: str) -> Layout:
        is_personal = path == self.layout.personal_settings
        return self.layout._replace(settings=path, project=False) if is_personal else for_project(self.layout, path)

    def _change(self, path: str, before: bytes | None) -> Change:
        return change.unregistered(before, self._layout_of(path), self.entries)

    def _editor(self, path: str) -> settings.Edit:
        return lambda before: self._change(path, before).after

    def _remove(self) -> None:
        """Remove our folder while sessions may still be running from it."""
        if self.is_ours:
            _disable(self.layout)
        with contextlib.suppress(InstallError):
            self._remove_ours()
        self._remove_ours()  # what a status line that was still running has written meanwhile

    def _remove_ours(self) -> None:
        """Remove our files from the folder, and the folder if it is empty then: it may have been there before us."""
        ours, _ = self._contents()
        # The record goes last: by it, whoever continues knows that the rest is ours.
        files.remove_trees(sorted(ours, key=lambda path: path == self.layout.record))
        for path in (*(os.path.join(self.layout.root, name) for name in _FOLDERS), self.layout.root):
            files.remove_empty(path)

    def _contents(self) -> tuple[list[str], list[str]]:
        """The paths in our folder that are ours, and those that are not; in `_FOLDERS`, each file."""
        root = self.layout.root
        ours: list[str] = []
        others: list[str] = []
        for name in sorted(os.listdir(root)) if os.path.isdir(root) else ():
            path = os.path.join(root, name)
            if name in _FOLDERS and os.path.isdir(path) and not os.path.islink(path):
                for inner in sorted(os.listdir(path)):
                    is_known = self.is_ours and _FOLDERS[name].fullmatch(inner) is not None
                    (ours if is_known or _TEMPORARY.fullmatch(inner) else others).append(os.path.join(path, inner))
            else:
                is_known = name in (_OURS if self.is_ours else _STAGED)
                (ours if is_known or _TEMPORARY.fullmatch(name) else others).append(path)
        return ours, others


def _disable(layout: Layout) -> None:
    """Make our launchers do nothing, and then make them impossible to start.

    Each step waits for what the step before it has left running. A shell that was started for a launcher, and finds it
    gone, exits with 2, which the client takes for "block": so nothing may start one any more before it goes.
    """
    paths = [os.path.join(layout.launchers, name) for name in launchers.PACKAGED]
    for path in paths:
        with contextlib.suppress(OSError):  # a full disk must not keep us from leaving
            files.write(path, b"#!/bin/sh\n", 0o755)
    time.sleep(_SETTLING)
    for path in paths:
        with contextlib.suppress(OSError):
            os.chmod(path, 0o644)
    with contextlib.suppress(OSError):  # it may have gone before us
        os.unlink(layout.python)
    time.sleep(_SETTLING)
