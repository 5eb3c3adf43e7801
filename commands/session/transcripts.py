"""The client's transcripts: where they are, and which client wrote the end of one."""

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
"""Lines and bytes from the end that are searched for the client that wrote them."""
_HEAD = 64 << 10
"""Bytes from the beginning that are searched for the first directory."""
_DIRECTORY = re.compile(rb'"cwd":("(?:[^"\\]|\\.)*")')


def all_of(client_directory: str, folder: str = "*", session_id: str = "*") -> list[str]:
    """The transcripts of all sessions, of those in some of the client's folders, or of one; never a subagent's."""
    named = glob.glob(os.path.join(glob.escape(client_directory), client.PROJECTS, folder, f"{session_id}.jsonl"))
    return [path for path in named if paths.is_id(session_of(path))]  # another name might speak in our place


def session_of(path: str) -> str:
    return os.path.basename(path).removesuffix(".jsonl")


def newest_lines(path: str, markers: Sequence[bytes] = (), farthest: int = jsonl.FARTHEST) -> Iterator[TranscriptLine]:
    """Yield lines with one of `markers` in the last `farthest` bytes, the newest first; none if it can't be read."""
    return filter(None, (line_in(data) for _, data in jsonl.newest_first(path, markers, farthest)))


def origin(path: str) -> TranscriptLine:
    """The newest line with the client's version and directory; an empty one if there is none."""
    lines = islice(newest_lines(path, [b'"version"'], _FARTHEST), _FEW)
    return next((line for line in lines if line.version and line.cwd), TranscriptLine())


def started_in(path: str) -> str:
    """The directory that the session was started in, from the first line that names one; empty if none does."""
    match = _DIRECTORY.search(files.beginning(path, _HEAD) or b"")
    return lenient.decode_or(match[1], str, "") if match else ""
