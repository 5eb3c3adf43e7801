"""Read a session's activity from its transcript: each byte once, in constant memory."""

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
"""Bytes read at once; only these and the longest line are held in memory."""
MOST = 20 << 20
"""Bytes at a transcript's end that are parsed, 0.35 s for a genuine one; before them, only lines are counted."""
MOST_SECONDS = 0.4
"""Seconds of processor time for which a process reads one transcript; the rest is read at the next event. The process
must still have time to write down what it read.
"""
_spent = collections.defaultdict[str, float](float)
"""Seconds that this process has spent reading each transcript: a hook reads one up to three times."""
_STATE_LIMIT = 16 << 20


class ActivityFile(msgspec.Struct, frozen=True):
    activity: Activity
    schema: Literal[23] = 23
    """The schema of `activity`. A file of another schema isn't damaged: the transcript is read again."""


def read(root: str, session_id: str, transcript: str) -> Activity:
    """A session's activity up to the end of its transcript, or as far as MOST_SECONDS allow. Raises OSError."""
    path = paths.activity(root, session_id)
    activity = files.load(path, ActivityFile, ActivityFile(Activity()), _STATE_LIMIT).activity
    before = activity.transcript, activity.offset
    started = time.process_time()
    activity = advance(activity, transcript, MOST_SECONDS - _spent[transcript])
    _spent[transcript] += time.process_time() - started
    if (activity.transcript, activity.offset) != before:
        files.write_atomic(path, msgspec.json.encode(ActivityFile(activity)))
    return activity


def activity_of(conversation: Conversation, session: Session) -> Activity:
    """A session's activity by `read`; empty if its transcript is missing or can't be read."""
    try:
        return read(session.root, conversation.session_id, conversation.transcript)
    except (OSError, ValueError):
        return Activity()


def advance(activity: Activity, transcript: str, seconds: float = math.inf) -> Activity:
    """Advance `activity` to the transcript's end, or for `seconds` of processor time. Raises OSError."""
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
    """Whether the file is still the one read up to `offset`: it is long enough, and a line ends there."""
    if offset == 0:
        return True
    if not 0 < offset <= file.seek(0, 2):
        return False
    file.seek(offset - 1)
    return file.read(1) == b"\n"


def _skim(file: BinaryIO, activity: Activity) -> None:
    """Advance `activity` to the first line of the last MOST bytes."""
    end = file.seek(0, 2) - MOST
    file.seek(activity.offset)
    while activity.offset < end and not effort.is_over() and (chunk := file.read(CHUNK)):
        whole = chunk.rfind(b"\n") + 1
        activity.lines += chunk.count(b"\n")
        activity.offset += whole or len(chunk)  # stops within a line longer than a chunk
        file.seek(activity.offset)
