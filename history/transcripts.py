"""The transcripts that the client has written, and how far each has been read."""

import os
from collections.abc import Iterator

import msgspec

from history.digest import digest_of
from shared import client

_ENDING = ".jsonl"
_AGENT = "agent-"


class TranscriptFile(msgspec.Struct, frozen=True, array_like=True):
    """A transcript as it is now."""

    key: int
    path: str
    session: str
    agent: str | None
    size: int
    """Bytes."""
    modified: int
    """Nanoseconds, as the file system has it."""


def all_in(client_directory: str) -> Iterator[TranscriptFile]:
    """Those of all sessions and their subagents, a session's before its subagents'."""
    for project in _entries(os.path.join(client_directory, client.PROJECTS)):
        if project.is_dir():
            yield from _of_project(project.path)


def of_session(transcript: str) -> Iterator[TranscriptFile]:
    """That of one session, at the path `transcript`, and its subagents'."""
    folder, name = os.path.split(os.path.abspath(transcript))
    for entry in _entries(folder):
        if entry.name == name:
            yield from _one(entry, name.removesuffix(_ENDING))
        elif entry.name == name.removesuffix(_ENDING) and entry.is_dir():
            yield from _of_subagents(entry)


def _of_project(folder: str) -> Iterator[TranscriptFile]:
    for entry in _entries(folder):
        if entry.name.endswith(_ENDING):
            yield from _one(entry, entry.name.removesuffix(_ENDING))
        elif entry.is_dir():
            yield from _of_subagents(entry)


def _of_subagents(session: "os.DirEntry[str]", folder: str = "") -> Iterator[TranscriptFile]:
    for entry in _entries(folder or os.path.join(session.path, client.SUBAGENTS)):
        if entry.name.endswith(_ENDING):
            yield from _one(entry, session.name)
        elif entry.is_dir(follow_symlinks=False):  # a workflow's agents have their own folder
            yield from _of_subagents(session, entry.path)


def _one(entry: "os.DirEntry[str]", session: str) -> Iterator[TranscriptFile]:
    try:
        if not entry.is_file():
            return
        stat = entry.stat()
    except OSError:
        return
    name = entry.name.removesuffix(_ENDING)
    agent = name.removeprefix(_AGENT) if name.startswith(_AGENT) else None
    yield TranscriptFile(digest_of(entry.path), entry.path, session, agent, stat.st_size, stat.st_mtime_ns)


def _entries(folder: str) -> "list[os.DirEntry[str]]":
    try:
        with os.scandir(folder) as entries:
            return sorted(entries, key=lambda entry: entry.name)
    except OSError:  # it isn't there, or isn't ours to read
        return []
