"""The client's transcripts: where they lie, and who wrote the end of one."""

import glob
import os
import re
from collections.abc import Iterator, Sequence
from itertools import islice

from shared import paths
from shared.client import client
from shared.files import files, lenient
from shared.transcript import jsonl
from shared.transcript.line import TranscriptLine, line_in

_FEW, _FARTHEST = 2_000, 64 << 20
"""Lines, and bytes, from the end in which the writer is looked for."""
_HEAD = 64 << 10
"""Bytes from the beginning in which the first directory stands."""
_DIRECTORY = re.compile(rb'"cwd":("(?:[^"\\]|\\.)*")')


def all_of(client_directory: str, folder: str = "*", session_id: str = "*") -> list[str]:
    """The transcripts of all sessions, of those in some folders of the client's, or of one; none of subagents."""
    named = glob.glob(os.path.join(glob.escape(client_directory), client.PROJECTS, folder, f"{session_id}.jsonl"))
    return [path for path in named if paths.is_id(session_of(path))]  # another name might speak in our place


def session_of(path: str) -> str:
    return os.path.basename(path).removesuffix(".jsonl")


def newest_lines(path: str, markers: Sequence[bytes] = (), farthest: int = jsonl.FARTHEST) -> Iterator[TranscriptLine]:
    """The lines of a transcript that hold one of `markers`, the newest first; none where it cannot be read.

    None further than `farthest` bytes from the end.
    """
    return filter(None, (line_in(data) for _, data in jsonl.newest_first(path, markers, farthest)))


def origin(path: str) -> TranscriptLine:
    """The newest line that has the client's version and its directory; an empty one where none does."""
    lines = islice(newest_lines(path, [b'"version"'], _FARTHEST), _FEW)
    return next((line for line in lines if line.version and line.cwd), TranscriptLine())


def started_in(path: str) -> str:
    """The directory that the session was started in, by the first line that names one; empty where none does."""
    match = _DIRECTORY.search(files.beginning(path, _HEAD) or b"")
    return lenient.decode_or(match[1], str, "") if match else ""
