"""The sessions of a project, and the project of a session, by where the client keeps transcripts."""

import os
import re
from collections.abc import Iterable, Iterator
from fnmatch import fnmatchcase

from commands.environment.environment import Environment
from commands.session import transcripts
from monitor.session import Conversation
from shared.client import client
from shared.files import files

_LONGEST = 200
"""Most characters that the client takes of a path for a folder's name; a longer one is cut, and ends in a hash."""
_WORKTREE = re.compile(r".*[/\\]\.claude[/\\]worktrees[/\\][^/\\]+", re.DOTALL)


def folder_name(directory: str) -> str:
    """The client's name for the folder of sessions started in `directory`."""
    return re.sub(r"[^a-zA-Z0-9]", "-", directory)


def sessions(client_directory: str, directory: str) -> tuple[str, list[str]]:
    """The nearest directory with sessions, from `directory` up, and their transcripts, newest first; empty if none."""
    for at, real in really_upwards(os.path.abspath(directory)):
        starts = dict.fromkeys((at, real))
        paths = [path for start in starts for path in transcripts.all_of(client_directory, _folders(start))]
        paths += _relocated(client_directory, starts)
        if paths:
            return at, sorted(dict.fromkeys(paths), key=files.modified_at, reverse=True)
    return "", []


def of_session(environment: Environment, conversation: Conversation) -> str:
    """The directory of a session's project, after which the client named the transcript's folder.

    The client moves a session that enters a worktree into the worktree's folder; the project stays the same.
    The folder's name isn't enough, so directories are tried: where the session last worked, ours, and their parents.
    If none of them has that name, it is where the session last worked; empty if that is unknown, too.
    """
    directory = environment.environ.get(client.PROJECT_VARIABLE, "")
    if os.path.isabs(directory) and environment.environ.get(client.SESSION_VARIABLE) == conversation.session_id:
        return directory
    origin = transcripts.origin(conversation.transcript).cwd
    folder = os.path.basename(os.path.dirname(conversation.transcript))
    start = transcripts.started_in(conversation.transcript)
    if start and folder.startswith(_worktrees(start)):
        return start
    above = (at for start in (origin, environment.directory) for at in upwards(start))
    return next((at for at in above if fnmatchcase(folder, _folders(at))), origin)


def upwards(directory: str) -> Iterator[str]:
    """Yield `directory` and each of its parents, up to the topmost."""
    while directory:
        yield directory
        above = os.path.dirname(directory)
        directory = above if above != directory else ""


def really_upwards(directory: str) -> Iterator[tuple[str, str]]:
    """Yield `directory` and its parents with their real paths; resolving each one of a deep directory takes minutes."""
    is_real = os.path.realpath(directory) == directory
    return ((at, at if is_real else os.path.realpath(at)) for at in upwards(directory))


def worktree_of(directory: str) -> str:
    """The client's worktree that contains `directory`; empty if none does."""
    match = _WORKTREE.match(directory)
    return match[0] if match else ""


def _relocated(client_directory: str, starts: Iterable[str]) -> Iterator[str]:
    """Yield the transcripts of sessions started in one of `starts` that have entered a worktree since."""
    folders = dict.fromkeys(f"{_worktrees(start)}*" for start in starts)
    moved = (path for folder in folders for path in transcripts.all_of(client_directory, folder))
    return (path for path in moved if transcripts.started_in(path) in starts)


def _worktrees(directory: str) -> str:
    """The prefix of the folder names of a directory's worktrees (docs/client.md, "Sessions")."""
    return folder_name(os.path.join(directory, client.DIRECTORY, "worktrees", ""))[:_LONGEST]


def _folders(directory: str) -> str:
    """A glob for the name of a directory's folder, without the hash that ends a long one."""
    name = folder_name(directory)
    return name if len(name) <= _LONGEST else f"{name[:_LONGEST]}*"
