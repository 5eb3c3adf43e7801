"""The client's transcripts: where they lie, and who wrote the end of one."""

import glob
import os
from itertools import islice

import msgspec

from shared.client import client
from shared.transcript import jsonl
from shared.transcript.line import line_in

_FEW = 2_000
"""Lines from the end in which the writer is looked for."""


class Origin(msgspec.Struct, frozen=True):
    """What a transcript's lines say of their writer; empty when they don't."""

    version: str = ""
    cwd: str = ""


def all_of(client_directory: str, folder: str = "*", session_id: str = "*") -> list[str]:
    """The transcripts of all sessions, of those in some folders of the client's, or of one; none of subagents."""
    return glob.glob(os.path.join(glob.escape(client_directory), client.PROJECTS, folder, f"{session_id}.jsonl"))


def in_folder(folder: str) -> list[str]:
    """The transcripts of the sessions that were started in the same place, the newest first."""
    try:
        paths = [os.path.join(folder, name) for name in os.listdir(folder) if name.endswith(".jsonl")]
    except OSError:
        return []
    return sorted(paths, key=modified, reverse=True)


def session_of(path: str) -> str:
    return os.path.basename(path).removesuffix(".jsonl")


def modified(path: str) -> float:
    """Epoch seconds of the last write; 0 when it is gone."""
    try:
        return os.stat(path).st_mtime
    except OSError:
        return 0.0


def origin(path: str) -> Origin:
    """The client's version and directory, of the newest line that has both."""
    for _, data in islice(jsonl.newest_first(path), _FEW):
        line = line_in(data) if b'"version"' in data and b'"cwd"' in data else None
        if line is not None and line.version and line.cwd:
            return Origin(line.version, line.cwd)
    return Origin()
