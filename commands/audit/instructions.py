"""The instruction files that load here, in the client's order, and those that load once a file below is read.

The order was measured on 2.1.197 and 2.1.330: the organisation's files, the person's, then CLAUDE.md,
.claude/CLAUDE.md, .claude/rules and CLAUDE.local.md of each directory, from the topmost down to the one that the client
is started in; last the client's own memory of the project. The clients load every file whole, and warn from 40,000
characters on.
"""

import os
import sys

import msgspec

from commands.audit.instruction_file import InstructionFile, Scope, digest_of, text_of
from commands.audit.loader import InstructionLoader, MissingImport
from commands.environment.environment import Environment
from commands.session.projects import folder_name, upwards
from monitor.checkpoints.project.repository import Repository, repository_of
from shared import effort
from shared.client import client
from shared.settings.config import ReadGuard
from shared.transcript.session_paths import is_within

_MEMORY = os.path.join("memory", "MEMORY.md")
_MEMORY_LINES, _MEMORY_BYTES = 200, 25_000
"""The most lines and bytes of its own memory that the client loads."""
_DEEPEST = 64
"""Levels of subdirectories that are searched."""


class Instructions(msgspec.Struct, frozen=True):
    files: tuple[InstructionFile, ...]
    missing: tuple[MissingImport, ...]
    is_complete: bool
    """False if there are more files or directories than are checked."""


def instructions(environment: Environment) -> Instructions:
    """The instructions that a client started in `environment.directory` loads."""
    if environment.environ.get(client.INSTRUCTIONS_OFF_VARIABLE):
        return Instructions((), (), is_complete=True)
    loader = InstructionLoader(environment.directory, environment.home, _excluded(environment))
    _load_at_start(environment, loader)
    _load_below(environment.directory, loader)
    return Instructions(tuple(loader.files), tuple(loader.missing), loader.is_complete)


def _load_at_start(environment: Environment, loader: InstructionLoader) -> None:
    managed = client.managed_directory(sys.platform)
    loader.file(os.path.join(managed, client.INSTRUCTIONS), "organisation")
    loader.rules(os.path.join(managed, client.DIRECTORY, client.RULES), "organisation")
    loader.file(os.path.join(environment.client_directory, client.INSTRUCTIONS), "user")
    loader.rules(os.path.join(environment.client_directory, client.RULES), "user")
    repository = repository_of(environment.directory)
    *above, _ = upwards(environment.directory)  # the client ignores the topmost one
    for directory in reversed(above):
        scope: Scope = "root" if directory == environment.directory else "parent"
        loader.directory(directory, scope, is_shared=not _is_main_checkout(directory, repository))
    loader.files += _memory(environment, repository)


def _memory(environment: Environment, repository: Repository | None) -> list[InstructionFile]:
    """The client's own notes on a project, in one folder for all worktrees of a repository."""
    project = (repository and repository.main_checkout) or environment.directory
    path = os.path.join(environment.client_directory, client.PROJECTS, folder_name(project), _MEMORY)
    text = (text_of(path) or "").strip()
    head = "\n".join(text.split("\n")[:_MEMORY_LINES])
    head = head.encode()[:_MEMORY_BYTES].decode("utf-8", "ignore")
    cut = len(text) - len(head)
    return [InstructionFile(path, "memory", "start", len(head), digest_of(head), left_out=cut)] if text else []


def _load_below(directory: str, loader: InstructionLoader) -> None:
    """Load what comes with a file in a subdirectory, except in directories that the read guard ignores."""
    ignored = {name.rstrip("/") for name in ReadGuard().ignore} | {".git", client.DIRECTORY}
    marks = {client.INSTRUCTIONS, client.LOCAL_INSTRUCTIONS, client.DIRECTORY}
    deepest = directory.count(os.sep) + _DEEPEST
    for at, below, names in os.walk(directory):
        if effort.is_over():
            loader.is_complete = False
            return
        if at != directory and not marks.isdisjoint((*below, *names)):
            loader.directory(at, "child", "reading")
        below[:] = sorted(set(below) - ignored)
        if below and at.count(os.sep) >= deepest:
            below.clear()
            loader.is_complete = False


def _is_main_checkout(directory: str, repository: Repository | None) -> bool:
    """Whether `repository` is a worktree inside its main checkout, and `directory` is in that checkout only."""
    main = repository.main_checkout if repository else ""
    if repository is None or not main or not _holds(main, repository.worktree) or main == repository.worktree:
        return False
    return _holds(main, directory) and not _holds(repository.worktree, directory)


def _holds(outer: str, inner: str) -> bool:
    return inner == outer or is_within(inner, outer)


def _excluded(environment: Environment) -> list[str]:
    """The exclusions of all settings files: the client joins their lists."""
    lists = [file.values.get("claudeMdExcludes") for file in environment.settings]
    return [glob for result in lists if isinstance(result, list) for glob in result if isinstance(glob, str)]
