"""The transcripts that the client has written."""

import os
from collections.abc import Iterable, Iterator

import msgspec

from history.store.digest import digest_of
from shared.client import client

_ENDING = ".jsonl"
_AGENT = "agent-"


class TranscriptFile(msgspec.Struct, frozen=True, array_like=True):
    key: int
    path: bytes
    """The path in the file system's own bytes, which may not be UTF-8."""
    session: str
    agent: str | None
    size: int
    """Bytes."""
    modified: int
    """Nanoseconds, as the file system has it."""

    @property
    def path_text(self) -> str:
        return _text_of(self.path)


def all_in(client_directory: str) -> Iterator[TranscriptFile]:
    """Yield the transcripts of all sessions and their subagents, in the order of their names."""
    for project in _entries(os.path.join(client_directory, client.PROJECTS)):
        if project.is_dir():
            yield from _of_project(_entries(project.path))


def of_session(transcript: str) -> Iterator[TranscriptFile]:
    """Yield the transcript of one session, at the path `transcript`, and its subagents'."""
    folder, name = os.path.split(os.path.abspath(transcript))
    yield from _of_project(entry for entry in _entries(folder) if entry.name in {name, name.removesuffix(_ENDING)})


def _of_project(entries: "Iterable[os.DirEntry[str]]") -> Iterator[TranscriptFile]:
    for entry in entries:
        if entry.name.endswith(_ENDING):
            yield from _one(entry, entry.name.removesuffix(_ENDING))
        elif entry.is_dir():
            yield from _of_subagents(entry)


def _of_subagents(session: "os.DirEntry[str]") -> Iterator[TranscriptFile]:
    folders = [os.path.join(session.path, client.SUBAGENTS)]  # no recursion: there may be a thousand levels
    while folders:
        for entry in _entries(folders.pop()):
            if entry.name.endswith(_ENDING):
                yield from _one(entry, session.name)
            elif entry.is_dir(follow_symlinks=False):  # a workflow's agents lie in a folder of their own
                folders.append(entry.path)


def _one(entry: "os.DirEntry[str]", session: str) -> Iterator[TranscriptFile]:
    try:
        if not entry.is_file():
            return
        stat = entry.stat()
    except OSError:
        return
    name = _text_of(os.fsencode(entry.name.removesuffix(_ENDING)))
    agent = name.removeprefix(_AGENT) if name.startswith(_AGENT) else None
    path, session = os.fsencode(entry.path), _text_of(os.fsencode(session))
    yield TranscriptFile(digest_of(entry.path), path, session, agent, stat.st_size, min(stat.st_mtime_ns, 2**63 - 1))


def _text_of(name: bytes) -> str:
    r"""Decode `name`; a byte that isn't UTF-8 becomes `\xff`, because neither SQLite nor the readers' pipe takes it."""
    return name.decode(errors="backslashreplace")


def _entries(folder: str) -> "list[os.DirEntry[str]]":
    try:
        with os.scandir(folder) as entries:
            return sorted(entries, key=lambda entry: entry.name)
    except OSError:  # it doesn't exist, or isn't ours to read
        return []
