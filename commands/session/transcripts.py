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


def all_of(client_directory: str) -> list[str]:
    """Every session's transcript, without those of subagents."""
    return glob.glob(os.path.join(glob.escape(client_directory), client.PROJECTS, "*", "*.jsonl"))


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
    try:
        with open(path, "rb", buffering=0) as file:
            size = file.seek(0, 2)
            for _, data in islice(jsonl.backwards(file, size), _FEW):
                line = line_in(data) if b'"version"' in data and b'"cwd"' in data else None
                if line is not None and line.version and line.cwd:
                    return Origin(line.version, line.cwd)
    except OSError:
        pass
    return Origin()
