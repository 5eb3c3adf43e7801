"""Which sessions belong to which project, by where the client keeps their transcripts."""

import os
import re
from collections.abc import Iterator
from fnmatch import fnmatchcase

from commands.environment.environment import Environment
from commands.session import transcripts
from monitor.session import Conversation
from shared.client import client

_LONGEST = 200
"""Characters of a path that the client takes for a folder's name; a longer one ends in a hash of its own."""


def folder_name(directory: str) -> str:
    """What the client calls the folder of the sessions that are started in `directory`."""
    return re.sub(r"[^a-zA-Z0-9]", "-", directory)


def sessions(client_directory: str, directory: str) -> tuple[str, list[str]]:
    """The nearest directory above `directory` in which sessions were started, and their transcripts, newest first.

    Neither, when there is none up to the root.
    """
    for at in upwards(os.path.abspath(directory)):
        folders = dict.fromkeys((_folders(at), _folders(os.path.realpath(at))))
        paths = [path for folder in folders for path in transcripts.all_of(client_directory, folder)]
        if paths:
            return at, sorted(paths, key=transcripts.modified, reverse=True)
    return "", []


def of_session(environment: Environment, conversation: Conversation) -> str:
    """The directory of a session's project: the one after which the client has named the transcript's folder.

    The name alone isn't enough; it is the one where the session last worked, or a parent of that, or of ours.
    When none of these has the name, it is where the session last worked; empty when that is not known either.
    """
    directory = environment.environ.get(client.PROJECT_VARIABLE, "")
    if os.path.isabs(directory) and environment.environ.get(client.SESSION_VARIABLE) == conversation.session_id:
        return directory
    origin = transcripts.origin(conversation.transcript).cwd
    folder = os.path.basename(os.path.dirname(conversation.transcript))
    above = (at for start in (origin, environment.directory) for at in upwards(start))
    return next((at for at in above if fnmatchcase(folder, _folders(at))), origin)


def upwards(directory: str) -> Iterator[str]:
    """The directory and each one above it, up to the topmost."""
    while directory:
        yield directory
        above = os.path.dirname(directory)
        directory = above if above != directory else ""


def _folders(directory: str) -> str:
    """A pattern for the folder's name, or for the names that it may have."""
    name = folder_name(directory)
    return name if len(name) <= _LONGEST else f"{name[:_LONGEST]}*"
