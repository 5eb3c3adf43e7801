"""The activity of a session, read from its transcript: each byte once, in flat memory."""

import collections
import math
import os
import time
from typing import BinaryIO, Literal

import msgspec

from monitor.activity import line
from monitor.activity.activity import Activity, LinePosition
from monitor.session import Conversation, Session
from shared import effort, paths
from shared.files import files
from shared.transcript.jsonl import LONGEST, forwards

CHUNK = 1 << 20
"""Bytes that are read at once; with the longest line they are all that is held."""
MOST = 20 << 20
"""Bytes that are parsed at a time; in what precedes them only lines are counted. Genuine ones take 0.35 s."""
MOST_SECONDS = 0.4
"""Of processor time in which a process reads one transcript; the rest is read at the next event. What is read is still
to be written down in what is left of the process's own time.
"""
_spent = collections.defaultdict[str, float](float)
"""The seconds that this process has read each transcript: a hook does so up to three times."""
_STATE_LIMIT = 16 << 20


class ActivityFile(msgspec.Struct, frozen=True):
    activity: Activity
    schema: Literal[23] = 23
    """The schema of `activity`. A file of another schema is no damage: the transcript is read again."""


def read(root: str, session_id: str, transcript: str) -> Activity:
    """The activity of a session up to the end of its transcript, or as far as MOST_SECONDS reach. Raises OSError."""
    path = paths.activity(root, session_id)
    activity = files.load(path, ActivityFile, ActivityFile(Activity()), _STATE_LIMIT).activity
    before = activity.transcript, activity.offset
    started = time.process_time()
    activity = caught_up(activity, transcript, MOST_SECONDS - _spent[transcript])
    _spent[transcript] += time.process_time() - started
    if (activity.transcript, activity.offset) != before:
        files.write_atomic(path, msgspec.json.encode(ActivityFile(activity)))
    return activity


def activity_of(conversation: Conversation, session: Session) -> Activity:
    """What a session has done, as `read` has it; nothing where its transcript cannot be read, or there is none."""
    try:
        return read(session.root, conversation.session_id, conversation.transcript)
    except (OSError, ValueError):
        return Activity()


def caught_up(activity: Activity, transcript: str, seconds: float = math.inf) -> Activity:
    """`activity`, moved on to the end of the transcript, or a new one for another transcript. Writes no file.

    It stops behind the line at which so many seconds of processor time are over. Raises OSError when the transcript
    cannot be read.
    """
    with open(files.open_regular(transcript), "rb", CHUNK) as file:
        if activity.transcript != transcript or not _continues(file, activity.offset):
            activity = Activity(transcript=transcript)
        _skim(file, activity)
        until = time.process_time() + seconds
        for end, data in forwards(file, activity.offset, LONGEST + 1):
            if not data.endswith(b"\n"):  # it is still being written
                break
            start, activity.offset = activity.offset, end
            activity.lines += 1
            line.add(activity, LinePosition(start, activity.lines), data[:-1])
            if time.process_time() > until or effort.left() < 0:
                if end < os.fstat(file.fileno()).st_size:
                    effort.omit()
                break
    return activity


def _continues(file: BinaryIO, offset: int) -> bool:
    """Whether the file still is the one that was read up to `offset`: it is as long, and a line ends there."""
    if offset == 0:
        return True
    if not 0 < offset <= file.seek(0, 2):
        return False
    file.seek(offset - 1)
    return file.read(1) == b"\n"


def _skim(file: BinaryIO, activity: Activity) -> None:
    """Move `activity` on to the first line of the last MOST bytes."""
    end = file.seek(0, 2) - MOST
    file.seek(activity.offset)
    while activity.offset < end and not effort.is_over() and (chunk := file.read(CHUNK)):
        whole = chunk.rfind(b"\n") + 1
        activity.lines += chunk.count(b"\n")
        activity.offset += whole or len(chunk)  # a line longer than a chunk is left within
        file.seek(activity.offset)
