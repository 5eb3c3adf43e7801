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
# With the digest of everything but its own line: a file is ours as long as that matches.
_MARK = "Installed by Tidegauge ({digest}), which renews and removes it; once you change it, it is yours and stays."
_MARK_LINE = re.compile(rb"^# Installed by Tidegauge(?: \((\w+)\))?, .*\n", re.MULTILINE)
# Digests of what commit 1627285 wrote, whose mark has none: of everything but our command's path.
_EARLIER = (
    "693b838ed5bebabf496e22d93fcc3aefee37ea49dfe2df9041a2d661e2250792",
    "4c84ce9d937d77a5e210228954954010fed884e6145c55a1769c65a8e48cc083",
)
_DIRECTORIES = "directories"  # the key of those that we made, in the record
_SOURCES = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "client_files")
# Characters that would end a permission rule, the line that the client runs, or the quotes around a path in it.
_UNSAFE = re.compile(r'[()`$"\\!#\n]')


class Plan(NamedTuple):
    written: tuple[tuple[str, bytes], ...] = ()
    removed: tuple[str, ...] = ()
    personal: tuple[str, ...] = ()  # the person's own, or changed by them
    problem: str = ""  # why there can be none


def plan(layout: Layout, *, wanted: bool) -> Plan:
    """Plan an installation of the files, or if they aren't `wanted` their removal; nothing for a project's settings."""
    if layout.project:
        return Plan()
    command = layout.command
    if not wanted:
        return _removal(layout)
    if _UNSAFE.search(command.replace("\\", "/") if layout.windows else command):
        return _removal(layout)._replace(problem=f"{command} has characters that a slash command can't contain")
    written: list[tuple[str, bytes]] = []
    personal: list[str] = []
    for name in NAMES:
        path = _path(layout, name)
        before = _read(path)
        if before is None or _is_ours(before, layout):
            written.append((path, _contents(name, layout)))
        else:
            personal.append(path)
    return Plan(tuple(written), personal=tuple(personal))


def place(layout: Layout, planned: Plan, undo: ExitStack) -> None:
    """Carry out a plan; `undo` restores what was there. Raises OSError."""
    for name in () if layout.project else NAMES:
        files.remove_leftovers(*os.path.split(_path(layout, name)))
    program.keep(layout.client_directories, undo)
    directories = [os.path.dirname(path) for path, _ in planned.written]
    missing = [path for path in directories if not os.path.isdir(path)]
    if missing:  # first, so that what we make is known as ours if we are killed before the end
        record = {_DIRECTORIES: sorted({*_directories(layout), *missing})}
        files.write(layout.client_directories, json.dumps(record).encode() + b"\n", 0o600)
    for path, contents in planned.written:
        directory = os.path.dirname(path)
        if not os.path.isdir(directory):
            undo.callback(files.remove_empty, directory)
            make_directories(directory)
        if _read(path) != contents:
            program.keep(path, undo)
            files.write(path, contents)
    for path in planned.removed:
        program.keep(path, undo)
        files.remove(path)
    if not planned.written and not layout.project:
        for path in _directories(layout):
            if files.remove_empty(path):
                undo.callback(make_directories, path)
        files.remove(layout.client_directories)


def _removal(layout: Layout) -> Plan:
    """Plan to remove our files that are still as we wrote them."""
    removed: list[str] = []
    personal: list[str] = []
    for path in (_path(layout, name) for name in NAMES):
        before = _read(path)
        if before is not None and _MARK_LINE.search(before):
            (removed if _is_ours(before, layout) else personal).append(path)
    return Plan(removed=tuple(removed), personal=tuple(personal))


def _directories(layout: Layout) -> list[str]:
    """The files' directories that we made, even if the home has moved since."""
    recorded = files.load(layout.client_directories).get(_DIRECTORIES)
    names = {os.path.basename(str(path)) for path in recorded} if isinstance(recorded, list) else set()
    paths = [os.path.dirname(_path(layout, name)) for name in NAMES]
    return [path for path in paths if os.path.basename(path) in names]


def _is_ours(contents: bytes, layout: Layout) -> bool:
    mark = _MARK_LINE.search(contents)
    if mark is None:
        return False
    if mark[1] is None:
        return files.digest(contents.replace(_command(layout).encode(), b"@COMMAND@")) in _EARLIER
    return files.digest(contents[: mark.start()] + contents[mark.end() :]) == mark[1].decode()


def _contents(name: str, layout: Layout) -> bytes:
    with open(os.path.join(_SOURCES, os.path.basename(name)), encoding="utf-8") as file:
        text = file.read().replace("@COMMAND@", _command(layout))
    digest = files.digest(text.replace("# @MARK@\n", "", 1).encode())
    return text.replace("@MARK@", _MARK.format(digest=digest), 1).encode()


def _command(layout: Layout) -> str:
    return quoted(layout.command, layout)


def _path(layout: Layout, name: str) -> str:
    return os.path.join(os.path.dirname(layout.root), *name.split("/"))


def _read(path: str) -> bytes | None:
    """The contents, None for no file; a link or a directory reads as empty, which makes it the person's."""
    return b"" if os.path.islink(path) or os.path.isdir(path) else files.read(path)
