"""Which sessions belong to which project, by where the client keeps their transcripts."""

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
"""Characters of a path that the client takes for a folder's name; a longer one ends in a hash of its own."""
_WORKTREE = re.compile(r".*[/\\]\.claude[/\\]worktrees[/\\][^/\\]+", re.DOTALL)


def folder_name(directory: str) -> str:
    """What the client calls the folder of the sessions that are started in `directory`."""
    return re.sub(r"[^a-zA-Z0-9]", "-", directory)


def sessions(client_directory: str, directory: str) -> tuple[str, list[str]]:
    """The nearest directory above `directory` with sessions, and their transcripts, the newest first; or neither."""
    for at, real in really_upwards(os.path.abspath(directory)):
        starts = dict.fromkeys((at, real))
        paths = [path for start in starts for path in transcripts.all_of(client_directory, _folders(start))]
        paths += _relocated(client_directory, starts)
        if paths:
            return at, sorted(dict.fromkeys(paths), key=files.modified_at, reverse=True)
    return "", []


def of_session(environment: Environment, conversation: Conversation) -> str:
    """The directory of a session's project: the one after which the client has named the transcript's folder.

    It moves a session that enters a worktree of its project into the worktree's folder; the project stays what it was.
    The name alone isn't enough; it is the one where the session last worked, or a parent of that, or of ours.
    When none of these has the name, it is where the session last worked; empty when that is not known either.
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
    """The directory and each one above it, up to the topmost."""
    while directory:
        yield directory
        above = os.path.dirname(directory)
        directory = above if above != directory else ""


def really_upwards(directory: str) -> Iterator[tuple[str, str]]:
    """Yield each with its real path: asked for anew at each step, that of a deep directory takes minutes."""
    is_real = os.path.realpath(directory) == directory
    return ((at, at if is_real else os.path.realpath(at)) for at in upwards(directory))


def worktree_of(directory: str) -> str:
    """The client's worktree in which a directory is; empty where it is in none."""
    match = _WORKTREE.match(directory)
    return match[0] if match else ""


def _relocated(client_directory: str, starts: Iterable[str]) -> Iterator[str]:
    """The transcripts of sessions that were started in one of `starts`, and have entered a worktree since."""
    folders = dict.fromkeys(f"{_worktrees(start)}*" for start in starts)
    moved = (path for folder in folders for path in transcripts.all_of(client_directory, folder))
    return (path for path in moved if transcripts.started_in(path) in starts)


def _worktrees(directory: str) -> str:
    """How the names of the folders of a directory's worktrees begin (docs/client.md, "Sessions")."""
    return folder_name(os.path.join(directory, client.DIRECTORY, "worktrees", ""))[:_LONGEST]


def _folders(directory: str) -> str:
    """A pattern for the folder's name, or for the names that it may have."""
    name = folder_name(directory)
    return name if len(name) <= _LONGEST else f"{name[:_LONGEST]}*"
