"""What a rewind has left behind: it was said in the conversation, and no longer is.

A rewind writes nothing. The next prompt has the same parent as an earlier one (docs/client.md, "Sessions"): it takes
that one's place, and what stands between them was abandoned. In 238 real sessions 6 of 1,415 prompts share a parent,
each taken back by Esc and written anew. The parents of other lines tell nothing: chains break in nearly every session.

What was asked, decided and said there goes. What was done stays: files, commits, checks that failed when they were last
run, and tasks are as the branch left them, unless the client restored the code, which it doesn't write down.
"""

import re

import msgspec

from monitor.activity.activity import Abandoned, Activity, LinePosition, RequestPosition
from monitor.activity.checks.failures import FailedAttempt
from shared.files import files

_MOST, _MOST_IDS = 20, 200
_BYTES = 1 << 18
"""Before a prompt: in them stand the lines that another client would go on from."""
_ID = re.compile(rb'"uuid": ?"([\w-]{1,64})"')
_PARENT = re.compile(rb'"parentUuid": ?"([\w-]{1,64})"')


def note(activity: Activity, prompt: RequestPosition) -> None:
    """Note what `prompt`, which is not among the requests yet, takes the place of."""
    siblings = (one for one in activity.requests if one.parent and one.parent == prompt.parent)
    first = next(siblings, None)
    if first is None:
        return
    with open(files.open_regular(activity.transcript), "rb") as file:
        start = max(first.offset, prompt.offset - _BYTES)
        file.seek(start)
        ids = [name.decode() for name in _ID.findall(file.read(prompt.offset - start))[-_MOST_IDS:]]
    earlier = [one for one in activity.abandoned if one.start < first.offset]
    activity.abandoned = [*earlier, Abandoned(first.offset, prompt.offset, ids)][-_MOST:]


def take_back(activity: Activity, data: bytes) -> None:
    """Count as said again what the line `data` goes on from: two clients continue the session, each its own branch."""
    match = _PARENT.search(data)
    if match is not None:
        parent = match[1].decode()
        activity.abandoned = [one for one in activity.abandoned if parent not in one.ids]


def current(activity: Activity) -> Activity:
    """`activity` as the conversation has it: without what was asked, decided and said in abandoned branches."""
    if not activity.abandoned:
        return activity
    requests = [one for one in activity.requests if not _is_left(activity, one)]
    return msgspec.structs.replace(
        activity,
        requests=requests,
        request_count=activity.request_count - len(activity.requests) + len(requests),
        decisions=[one for one in activity.decisions if not _is_left(activity, one)],
        instructions=[one for one in activity.instructions if not _is_left(activity, one)],
        remarks=[one for one in activity.remarks if not _is_left(activity, one)],
        answer=_newest(activity, activity.answer),
        finished=_newest(activity, activity.finished),
        summary=None if activity.summary and _is_left(activity, activity.summary) else activity.summary,
        attempts={name: one for name, one in activity.attempts.items() if not _is_left(activity, one)},
    )


def _newest(activity: Activity, words: LinePosition | None) -> LinePosition | None:
    """`words`, or the newest before them that stand."""
    if words is None or not _is_left(activity, words):
        return words
    earlier = (one for one in reversed(activity.remarks) if one.offset < words.offset)
    return next((one for one in earlier if not _is_left(activity, one)), None)


def _is_left(activity: Activity, at: LinePosition | FailedAttempt) -> bool:
    return any(one.start <= at.offset < one.end for one in activity.abandoned)
