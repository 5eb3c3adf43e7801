"""The activity of a session, read from its transcript: each byte once, in flat memory."""

import io
from collections.abc import Iterator
from typing import Literal

import msgspec

from monitor.activity import line
from monitor.activity.activity import Activity, Place
from shared import files, paths
from shared.lines import LONGEST
from shared.transcript_line import line_in

CHUNK = 1 << 20
"""Bytes that are read at once; with the longest line they are all that is held."""
MOST = 256 << 20
"""Bytes that are looked into at a time; of what lies before them only the lines are counted. Takes 2 s or so, and
the client gives a hook 10."""
_STATE_LIMIT = 16 << 20


class ActivityFile(msgspec.Struct, frozen=True):
    """What is kept of a session between two readings."""

    activity: Activity
    schema: Literal[5] = 5
    """Of `activity`; 0.1.0 wrote another one without a number. A file of another schema is no damage: the transcript
    is read again."""


def read(root: str, session_id: str, transcript: str) -> Activity:
    """The activity of a session up to the end of its transcript. Raises OSError when that cannot be read."""
    known = _known(root, session_id)
    before = known.transcript, known.offset
    known = caught_up(known, transcript)
    if (known.transcript, known.offset) != before:
        files.write_atomic(paths.activity(root, session_id), msgspec.json.encode(ActivityFile(known)))
    return known


def caught_up(known: Activity, transcript: str) -> Activity:
    """`known`, moved on to the end of the transcript, or a new one where it is of another. Keeps nothing on the disk.

    Raises OSError when the transcript cannot be read.
    """
    with open(files.open_regular(transcript), "rb", buffering=0) as file:
        if known.transcript != transcript or not _continues(file, known.offset):
            known = Activity(transcript=transcript)
        _skim(file, known)
        for place, data in _lines(file, known):
            line.add(known, place, data)
    return known


def words_in(data: bytes) -> str:
    """What a prompt's or an answer's line says in words; empty when it is neither."""
    found = line_in(data)
    return found.message.text if found and found.message else ""


def _known(root: str, session_id: str) -> Activity:
    found = files.load(paths.activity(root, session_id), ActivityFile, None, _STATE_LIMIT)
    return found.activity if found else Activity()


def _continues(file: io.FileIO, offset: int) -> bool:
    """Whether the file still is the one that was read up to `offset`: it is as long, and a line ends there."""
    if offset == 0:
        return True
    if not 0 < offset <= file.seek(0, 2):
        return False
    file.seek(offset - 1)
    return file.read(1) == b"\n"


def _skim(file: io.FileIO, activity: Activity) -> None:
    """Move `activity` on to the first line of the last MOST bytes."""
    end = file.seek(0, 2) - MOST
    file.seek(activity.offset)
    while activity.offset < end and (chunk := file.read(CHUNK)):
        whole = chunk.rfind(b"\n") + 1
        activity.lines += chunk.count(b"\n")
        activity.offset += whole or len(chunk)  # a line longer than a chunk is left within
        file.seek(activity.offset)


def _lines(file: io.FileIO, activity: Activity) -> Iterator[tuple[Place, bytes]]:
    """Each whole line from where `activity` stands, and moves it on; one that is too long is passed over."""
    file.seek(activity.offset)
    rest, passed = b"", 0
    while chunk := file.read(CHUNK):
        *lines, rest = (rest + chunk).split(b"\n")
        for data in lines:
            start = activity.offset
            activity.offset += passed + len(data) + 1
            activity.lines += 1
            if not passed and len(data) <= LONGEST:
                yield Place(start, activity.lines), data
            passed = 0
        if len(rest) > LONGEST:
            rest, passed = b"", passed + len(rest)
