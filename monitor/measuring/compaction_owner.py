"""The owner of a compaction: 2.1.197 doesn't tell whether its events belong to a session or one of its subagents.

It is the subagent's if the session waits for one, and makes no request of its own, or if only the subagent is at the
end of its window. Later clients tell at the start, where this rule would often be wrong, but not whose summary was
written (docs/client.md, "Compaction").
"""

import math
import time
from collections.abc import Callable

import msgspec

from monitor.measuring import subagents
from monitor.measuring.snapshot import Snapshot, snapshot_of, tail_of
from monitor.memory import memory as memories
from monitor.memory.memory import CompactionTimes
from monitor.session import Conversation, Session
from shared.client import client
from shared.client.models import LATER_CLIENT, version_of
from shared.transcript import jsonl
from shared.transcript.line import line_in
from shared.transcript.records import BYTES_PER_TOKEN
from shared.transcript.tail import Tail

WRITTEN_SECONDS = 0.5
"""Seconds after which a tool's result is in its caller's transcript (docs/client.md, "Order and delay")."""
NEAR_TOKENS = 25_000
"""Tokens before the limit within which a compaction may begin: the client may prepare it 17,000 before."""
_LONGEST_SECONDS = 300
"""The longest that a compaction may take: they take 68 to 177 s."""


def begin(conversation: Conversation, session: Session, trigger: str) -> bool:
    """Note that a compaction begins; return whether it is the session's own. `trigger`: `auto` or `manual`."""
    session_id = conversation.session_id
    is_own = not conversation.is_subagent and not _is_of_subagent(conversation, session, trigger)
    with memories.locked(session.root, session_id) as lock:
        time_by_owner = {"own" if is_own else "subagents": session.now}
        lock.memory.compaction_times = msgspec.structs.replace(lock.memory.compaction_times, **time_by_owner)
    return is_own


def is_summary_own(session_id: str, session: Session) -> bool:
    """Whether a written summary is surely the session's: no subagent is being compacted as well."""
    return not _is_under_way(memories.read(session.root, session_id).compaction_times.subagents, session)


def end(conversation: Conversation, session: Session) -> bool | None:
    """Note that a compaction has ended; return whether it is the session's own, None if it may be a subagent's."""
    hides_owner = not conversation.is_subagent and _hides_owner(tail_of(conversation, session))
    with memories.locked(session.root, conversation.session_id) as lock:
        before = lock.memory.compaction_times
        owners = _is_under_way(before.own, session), _is_under_way(before.subagents, session)
        is_own = None if subagents.has_any(conversation, session) else True
        if conversation.is_subagent or (hides_owner and owners == (False, True)):
            is_own = False
        elif not hides_owner or owners == (True, False):
            is_own = True
        rest = CompactionTimes() if hides_owner else CompactionTimes(subagents=before.subagents)
        lock.memory.compaction_times = CompactionTimes(before.own) if is_own is False else rest
    return is_own


def _is_under_way(began: float, session: Session) -> bool:
    return 0 <= session.now - began < _LONGEST_SECONDS


def _hides_owner(tail: Tail) -> bool:
    return (version_of(tail.client) or ()) < LATER_CLIENT


def _is_of_subagent(conversation: Conversation, session: Session, trigger: str) -> bool:
    """Whether a compaction whose event looks like the session's own is that of a subagent."""
    is_second = _is_under_way(memories.read(session.root, conversation.session_id).compaction_times.own, session)

    def is_subagents() -> bool:
        by_fill = trigger == "auto" and _has_fuller_subagent(conversation, session, is_second=is_second)
        return by_fill or _has_subagent(conversation.transcript)

    return _holds_once_written(is_subagents, conversation, session)


def _holds_once_written(condition: Callable[[], bool], conversation: Conversation, session: Session) -> bool:
    """Whether a session has had subagents and `condition` still holds once the transcripts are up to date."""
    deadline = time.monotonic() + WRITTEN_SECONDS
    while subagents.has_any(conversation, session) and condition():
        if time.monotonic() >= deadline:
            return True
        time.sleep(subagents.STEP_SECONDS)
    return False


def _has_fuller_subagent(conversation: Conversation, session: Session, *, is_second: bool) -> bool:
    """Whether a working subagent is near its limit, and its caller far from its own, or already being compacted."""
    own = snapshot_of(conversation, session)
    if own is None or not own.tail.answers or not _hides_owner(own.tail):
        return False
    # A token may have fewer bytes, as in other scripts: what no answer has counted counts twice.
    if not is_second and not NEAR_TOKENS < _room(own, 2) < math.inf:
        return False
    agents = filter(None, (snapshot_of(agent, session) for agent in subagents.newest(conversation)))
    return any(_room(agent) <= NEAR_TOKENS for agent in agents if subagents.is_at_work(agent.conversation, session))


def _room(snapshot: Snapshot, times: int = 1) -> float:
    """Tokens until the limit, less `times` what no answer has counted yet; infinite if unknown."""
    left = snapshot.verdict.tokens_left
    uncounted = (snapshot.tail.size - snapshot.tail.answers[0].offset) // BYTES_PER_TOKEN
    return math.inf if left is None else left - times * uncounted


def _has_subagent(transcript: str) -> bool:
    """Whether a subagent called by the transcript's newest answer has no result yet."""
    answer, results = "", set[str]()
    for _, data in jsonl.newest_first(transcript, subagents.MARKERS):
        line = line_in(data)
        if line is None or line.message is None or line.isSidechain:
            continue
        if (version_of(line.version) or ()) >= LATER_CLIENT:
            return False
        blocks = line.message.blocks
        if line.type == "assistant":
            if answer and line.message.id != answer:
                return False
            answer = line.message.id
            calls = {block.id for block in blocks if block.name in (client.AGENT, client.TASK)}
            if calls - results:
                return True
        elif ids := {block.tool_use_id for block in blocks if block.type == "tool_result"}:
            results |= ids
        elif line.type == "user" and not line.isMeta:
            return False  # a prompt, or the note of an Esc: the call was cancelled
    return False
