"""The sessions of a project, by where the client keeps their transcripts."""

import os
import re
from collections.abc import Iterator

from monitor.commands.diagnosis import transcripts
from shared import client

_LONGEST = 200
"""Characters of a path that the client takes for a folder's name; a longer one ends in a hash of its own."""


def folder_name(directory: str) -> str:
    """What the client calls the folder of the sessions that are started in `directory`."""
    return re.sub(r"[^a-zA-Z0-9]", "-", directory)


def sessions(client_directory: str, directory: str) -> tuple[str, list[str]]:
    """The nearest directory above `directory` in which sessions were started, and their transcripts, newest first.

    Neither, when there is none up to the root.
    """
    at = os.path.abspath(directory)
    while True:
        found = [path for place in dict.fromkeys((at, os.path.realpath(at))) for path in _in(client_directory, place)]
        if found:
            return at, sorted(found, key=transcripts.modified, reverse=True)
        if at == os.path.dirname(at):
            return "", []
        at = os.path.dirname(at)


def _in(client_directory: str, directory: str) -> Iterator[str]:
    name = folder_name(directory)
    projects = os.path.join(client_directory, client.PROJECTS)
    names = [name] if len(name) <= _LONGEST else _beginning(projects, name[:_LONGEST])
    for folder in names:
        try:
            entries = os.listdir(os.path.join(projects, folder))
        except OSError:
            continue
        yield from (os.path.join(projects, folder, entry) for entry in entries if entry.endswith(".jsonl"))


def _beginning(projects: str, start: str) -> list[str]:
    try:
        return [name for name in os.listdir(projects) if name.startswith(start)]
    except OSError:
        return []
