"""Which instruction files load here, in the client's order, and which would load when something below is read.

The order was measured on 2.1.197 and 2.1.330: the organisation's, the person's, then from the topmost directory down to
the one that the client is started in CLAUDE.md, .claude/CLAUDE.md, .claude/rules and CLAUDE.local.md of each; then the
same of directories given with --add-dir, if a variable says so; last the client's own memory of the project. None of
them is cut: the clients load every file whole, and warn from 40,000 characters on.
"""

import os
import sys
from collections.abc import Iterator, Sequence

import msgspec

from monitor.checkpoints.repository import Repository, repository_of
from monitor.commands.auditing.instruction_file import InstructionFile, Scope, digest_of, text_of
from monitor.commands.auditing.loader import InstructionLoader, MissingImport
from monitor.commands.diagnosis import client_settings
from monitor.commands.diagnosis.client import takes_external_imports
from monitor.commands.diagnosis.surroundings import Surroundings
from monitor.commands.overview.projects import folder_name
from shared import client
from shared.config import ReadGuard

_EXCLUDES = "claudeMdExcludes"
_MEMORY = os.path.join("memory", "MEMORY.md")
_MEMORY_LINES, _MEMORY_BYTES = 200, 25_000
"""How much of its memory the client loads."""
_MOST_DIRECTORIES = 20_000


class Instructions(msgspec.Struct, frozen=True):
    """All that load, in order."""

    files: tuple[InstructionFile, ...]
    missing: tuple[MissingImport, ...]
    is_complete: bool
    """False if there are more files or directories than are checked."""
    unread: tuple[str, ...] = ()
    """Directories given with --add-dir, if the client loads no instructions from there."""


def instructions(place: Surroundings, added: Sequence[str] = ()) -> Instructions:
    """What a client that is started in `place.directory`, with --add-dir for each of `added`, loads."""
    if place.environ.get(client.INSTRUCTIONS_OFF_VARIABLE):
        return Instructions((), (), is_complete=True)
    loader = InstructionLoader(
        place.directory, _home(place), _excluded(place), takes_external=takes_external_imports(place)
    )
    below, is_complete = _directories_below(place.directory)
    added = [os.path.normpath(os.path.join(place.directory, directory)) for directory in added]
    read = added if client.is_on(_variables(place), client.ADDED_INSTRUCTIONS_VARIABLE) else []
    found = [*_at_start(place, loader, read), *_on_reading(below, loader)]
    unread = tuple(directory for directory in added if directory not in read)
    return Instructions(tuple(found), tuple(loader.missing), loader.is_complete and is_complete, unread)


def _at_start(place: Surroundings, loader: InstructionLoader, added: list[str]) -> Iterator[InstructionFile]:
    managed = client_settings.managed_directory(sys.platform)
    yield from loader.file(os.path.join(managed, client.INSTRUCTIONS), "organisation")
    yield from loader.rules(os.path.join(managed, client.DIRECTORY, client.RULES), "organisation")
    yield from loader.file(os.path.join(place.client_directory, client.INSTRUCTIONS), "user")
    yield from loader.rules(os.path.join(place.client_directory, client.RULES), "user")
    repository = repository_of(place.directory)
    for directory in reversed(list(_upwards(place.directory))):
        scope: Scope = "root" if directory == place.directory else "parent"
        if not _is_main_checkout(directory, repository):
            yield from _shared(directory, scope, loader)
        yield from loader.file(os.path.join(directory, client.LOCAL_INSTRUCTIONS), scope)
    for directory in added:
        yield from _shared(directory, "added", loader)
        yield from loader.file(os.path.join(directory, client.LOCAL_INSTRUCTIONS), "added")
    yield from _memory(place, repository)


def _shared(directory: str, scope: Scope, loader: InstructionLoader) -> Iterator[InstructionFile]:
    """Those of a directory that are everyone's: all but CLAUDE.local.md."""
    yield from loader.file(os.path.join(directory, client.INSTRUCTIONS), scope)
    yield from loader.file(os.path.join(directory, client.DIRECTORY, client.INSTRUCTIONS), scope)
    yield from loader.rules(os.path.join(directory, client.DIRECTORY, client.RULES), scope)


def _on_reading(directories: list[str], loader: InstructionLoader) -> Iterator[InstructionFile]:
    for directory in directories:
        yield from loader.file(os.path.join(directory, client.INSTRUCTIONS), "child", "reading")
        yield from loader.file(os.path.join(directory, client.DIRECTORY, client.INSTRUCTIONS), "child", "reading")
        yield from loader.file(os.path.join(directory, client.LOCAL_INSTRUCTIONS), "child", "reading")
        yield from loader.rules(os.path.join(directory, client.DIRECTORY, client.RULES), "child", "reading")


def _memory(place: Surroundings, repository: Repository | None) -> Iterator[InstructionFile]:
    """The client's own notes of a project: one folder for all worktrees of a repository."""
    project = _main_checkout(repository) or place.directory
    path = os.path.join(place.client_directory, client.PROJECTS, folder_name(project), _MEMORY)
    text = text_of(path)
    if text is not None and text.strip():
        text = text.strip()
        shown = "\n".join(text.split("\n")[:_MEMORY_LINES])
        shown = shown.encode()[:_MEMORY_BYTES].decode("utf-8", "ignore")
        cut = len(text) - len(shown)
        yield InstructionFile(path, "memory", "start", len(shown), digest_of(shown), left_out=cut)


def _directories_below(directory: str) -> tuple[list[str], bool]:
    """Working directories, and whether these are all; without those that the read guard keeps out of the window."""
    left_out = {name.rstrip("/") for name in ReadGuard().ignore} | {".git", client.DIRECTORY}
    found: list[str] = []
    for at, names, _ in os.walk(directory):
        names[:] = sorted(name for name in names if name not in left_out)
        found.append(at)
        if len(found) > _MOST_DIRECTORIES:
            return found[1:], False
    return found[1:], True


def _upwards(directory: str) -> Iterator[str]:
    """A directory and those above it, without the topmost, where the client looks for nothing."""
    while directory != os.path.dirname(directory):
        yield directory
        directory = os.path.dirname(directory)


def _is_main_checkout(directory: str, repository: Repository | None) -> bool:
    """Whether this is a worktree inside the main one, to which this directory belongs."""
    main = _main_checkout(repository)
    if repository is None or main is None or not _holds(main, repository.worktree) or main == repository.worktree:
        return False
    return _holds(main, directory) and not _holds(repository.worktree, directory)


def _main_checkout(repository: Repository | None) -> str | None:
    is_usual = repository is not None and os.path.basename(repository.common) == ".git"
    return os.path.dirname(repository.common) if repository is not None and is_usual else None


def _holds(outer: str, inner: str) -> bool:
    return inner == outer or inner.startswith(outer.rstrip(os.sep) + os.sep)


def _excluded(place: Surroundings) -> list[str]:
    """Of every settings file: the client joins lists."""
    lists = [file.values.get(_EXCLUDES) for file in place.settings]
    return [glob for found in lists if isinstance(found, list) for glob in found if isinstance(glob, str)]


def _variables(place: Surroundings) -> dict[str, str]:
    """The client's environment: its settings' `env` goes over what it was started with."""
    found = dict(place.environ)
    for file in reversed(place.settings):
        named = file.values.get("env")
        found |= {name: str(value) for name, value in named.items()} if isinstance(named, dict) else {}
    return found


def _home(place: Surroundings) -> str:
    return place.environ.get("HOME") or os.path.expanduser("~")
