"""Our slash command and our agent in the client's directory; a file of the person's own is never touched."""

import json
import os
import re
from contextlib import ExitStack
from typing import NamedTuple

from installer import files
from installer.layout import Layout
from installer.program import program
from installer.settings.entries import quoted
from shared.files.files import make_directories

NAMES = ("commands/token-status.md", "agents/token-limit-pivot-orchestrator.md")
MARK = "Installed by Tidegauge, which renews and removes it; once you change it, it is yours and stays."
_DIRECTORIES = "directories"  # in the record, next to the paths
_SOURCES = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "client_files")
# Would end a permission rule, the line that the client runs, or the quotes around a path in it.
_UNSAFE = re.compile(r'[()`$"\\!#\n]')


class Plan(NamedTuple):
    written: tuple[tuple[str, bytes], ...] = ()
    removed: tuple[str, ...] = ()
    personal: tuple[str, ...] = ()  # the person's own, or changed by them
    problem: str = ""  # why there can be none
    directories: tuple[str, ...] = ()  # to remove if they are empty by then


def plan(layout: Layout, *, wanted: bool) -> Plan:
    """Work out what an installation does, or where they are not `wanted` an uninstallation; nothing for a project's."""
    if layout.project:
        return Plan()
    command = layout.command
    if not wanted:
        return _removal(layout)
    if _UNSAFE.search(command.replace("\\", "/") if layout.windows else command):
        return _removal(layout)._replace(problem=f"{command} has characters that a slash command can't contain")
    written: list[tuple[str, bytes]] = []
    personal: list[str] = []
    ours = _load(layout)
    for name in NAMES:
        path, new = _path(layout, name), _contents(name, quoted(command, layout))
        before = _read(path)
        if before is not None and before != new and ours.get(path) != files.digest(before):
            personal.append(path)
        else:
            written.append((path, new))
    return Plan(tuple(written), personal=tuple(personal))


def place(layout: Layout, planned: Plan, undo: ExitStack) -> None:
    """Carry a plan out; `undo` puts back what was there. Raises OSError."""
    if not planned.written and not planned.removed:
        return
    record = layout.client_files
    program.keep(record, undo)
    ours, own_directories = _load(layout), set(_own_directories(layout))
    directories = [os.path.dirname(path) for path, _ in planned.written]
    own_directories.update(path for path in directories if not os.path.isdir(path))
    _save(record, ours, own_directories)  # first: what we made is known as ours, should we be killed before the end
    for path, contents in planned.written:
        directory = os.path.dirname(path)
        if not os.path.isdir(directory):
            undo.callback(files.remove_empty, directory)
            make_directories(directory)
        files.remove_leftovers(*os.path.split(path))
        if _read(path) != contents:
            program.keep(path, undo)
            files.write(path, contents)
        ours[path] = files.digest(contents)
    for path in planned.removed:
        program.keep(path, undo)
        files.remove(path)
        ours.pop(path, None)
    for directory in planned.directories:
        if files.remove_empty(directory):
            undo.callback(make_directories, directory)
            own_directories.discard(directory)
    _save(record, ours, own_directories)


def take_away(layout: Layout, planned: Plan) -> None:
    """Remove the files, and the directories that we made where nothing else is in them. Raises OSError."""
    for name in NAMES:
        files.remove_leftovers(*os.path.split(_path(layout, name)))
    for path in planned.removed:
        files.remove(path)
    for directory in planned.directories:
        files.remove_empty(directory)


def _removal(layout: Layout) -> Plan:
    """What is ours, and as we wrote it, goes."""
    removed: list[str] = []
    personal: list[str] = []
    for path, digest in _load(layout).items():
        before = _read(path)
        if before is not None:
            (removed if files.digest(before) == digest else personal).append(path)
    return Plan(removed=tuple(removed), personal=tuple(personal), directories=_own_directories(layout))


def _contents(name: str, command: str) -> bytes:
    with open(os.path.join(_SOURCES, os.path.basename(name)), encoding="utf-8") as file:
        return file.read().replace("@COMMAND@", command).replace("@MARK@", MARK).encode("utf-8", "surrogateescape")


def _path(layout: Layout, name: str) -> str:
    return os.path.join(os.path.dirname(layout.root), *name.split("/"))


def _read(path: str) -> bytes | None:
    """The contents; None for no file. Anything but a plain file is the person's, whatever is in it."""
    if os.path.islink(path) or os.path.isdir(path):
        return b""
    return files.read(path)


def _save(record: str, ours: dict[str, str], directories: set[str]) -> None:
    contents = json.dumps(ours | {_DIRECTORIES: sorted(directories)}, indent=2).encode() + b"\n"
    files.write(record, contents, 0o600)


def _load(layout: Layout) -> dict[str, str]:
    """The digest of each file as we wrote it, by path."""
    # By the ends of the paths: the home may have been moved.
    recorded = {
        _path(layout, name): str(digest)
        for path, digest in files.load(layout.client_files).items()
        for name in NAMES
        if path.replace("\\", "/").endswith(f"/{name}")
    }
    return recorded | _recognised(layout)  # which the record lacks when an installation was killed on its way to it


def _own_directories(layout: Layout) -> tuple[str, ...]:
    """Which of the directories we made; without a record those count that hold a file of ours."""
    saved = files.load(layout.client_files)
    if not saved:
        return tuple(os.path.dirname(path) for path in _recognised(layout))
    recorded = saved.get(_DIRECTORIES)
    paths = recorded if isinstance(recorded, list) else []
    names = {os.path.basename(path) for path in paths if isinstance(path, str)}
    ours = (os.path.dirname(_path(layout, name)) for name in NAMES)
    return tuple(path for path in ours if os.path.basename(path) in names)


def _recognised(layout: Layout) -> dict[str, str]:
    """The digests of the files that bear our mark and are, to the byte, what we would write."""
    command = quoted(layout.command, layout)
    expected = {_path(layout, name): _contents(name, command) for name in NAMES}
    return {path: files.digest(contents) for path, contents in expected.items() if _read(path) == contents}
