"""Whose a compaction is: 2.1.197 doesn't say whether its events are of a session or of one of its subagents.

It is the subagent's where the session waits for one, and makes no request of its own, or where only the subagent is at
the end of its window. Later clients say it, and there this would often be wrong (docs/client.md, "Compaction").
"""

import glob
import math
import os
import time
from collections.abc import Callable
from functools import partial
from itertools import islice

from monitor.measuring.snapshot import Snapshot, snapshot_of
from monitor.session import Conversation, Session, conversation_of
from shared import paths
from shared.client import client
from shared.client.models import LATER_CLIENT, version_of
from shared.files import files
from shared.transcript import jsonl
from shared.transcript.line import line_in
from shared.transcript.records import BYTES_PER_TOKEN

WRITTEN_SECONDS = 0.5
"""After which a tool's result is in its caller's transcript (docs/client.md, "Order and delay")."""
_STEP_SECONDS = 0.02
_MARKERS = (b'"type":"user"', b'"type":"assistant"')
_NEAR_TOKENS = 25_000
"""Before the limit, from where on a conversation may be compacted: the client may prepare it 17,000 before."""
_NEWEST = 8
"""Subagents that are looked at: hardly more are at work at once."""


def waits_for_subagent(session_id: str, transcript: str, session: Session, *, has_owner: bool = True) -> bool:
    """Whether the newest answer of a session that has had subagents has called one that hasn't returned yet.

    `has_owner`: in a later client the event itself says whose it is, so that this decides nothing there.
    """
    return _lasts(partial(_has_subagent, transcript, has_owner=has_owner), session_id, session)


def is_of_subagent(conversation: Conversation, session: Session, trigger: str) -> bool:
    """Whether a compaction that begins, as if it were the session's own, is that of one of its subagents."""

    def is_subagents() -> bool:
        by_fill = trigger == "auto" and _has_fuller_subagent(conversation, session)
        return by_fill or _has_subagent(conversation.transcript, has_owner=True)

    return _lasts(is_subagents, conversation.session_id, session)


def newest_subagents(session: Conversation) -> list[Conversation]:
    """Those of a session's subagents that have written last, the newest first."""
    form = paths.subagent_transcript(glob.escape(session.transcript), glob.escape(session.session_id), "*")
    names = map(os.path.basename, sorted(glob.glob(form), key=files.modified, reverse=True))
    ids = [name.removeprefix("agent-").removesuffix(".jsonl") for name in names]
    agents = (conversation_of(session.session_id, session.transcript, agent_id) for agent_id in ids)
    return list(islice(filter(None, agents), _NEWEST))


def _lasts(condition: Callable[[], bool], session_id: str, session: Session) -> bool:
    """Whether `condition` of a session that has had subagents holds once everything that was said is written."""
    deadline = time.monotonic() + WRITTEN_SECONDS
    while os.path.exists(paths.subagents_mark(session.root, session_id)) and condition():
        if time.monotonic() >= deadline:
            return True
        time.sleep(_STEP_SECONDS)
    return False


def _has_fuller_subagent(conversation: Conversation, session: Session) -> bool:
    """Whether a subagent is at its window's end, and its caller far from it."""
    own, *agents = (snapshot_of(one, session) for one in (conversation, *newest_subagents(conversation)))
    if own is None or (version_of(own.tail.client) or ()) >= LATER_CLIENT:
        return False
    return 2 * _NEAR_TOKENS < _room(own) < math.inf and any(_room(agent) <= _NEAR_TOKENS for agent in agents)


def _room(snapshot: Snapshot | None) -> float:
    """Tokens until the limit, less what no answer has counted yet; endless where nothing tells."""
    if snapshot is None or not snapshot.tail.answers or (left := snapshot.verdict.tokens_left) is None:
        return math.inf
    return left - (snapshot.tail.size - snapshot.tail.answers[0].offset) // BYTES_PER_TOKEN


def _has_subagent(transcript: str, *, has_owner: bool) -> bool:
    """Whether a subagent that the transcript's newest answer has called is without a result."""
    answer, results = "", set[str]()
    for _, data in jsonl.newest_first(transcript, _MARKERS):
        line = line_in(data)
        if line is None or line.message is None or line.isSidechain:
            continue
        if has_owner and (version_of(line.version) or ()) >= LATER_CLIENT:
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
            return False  # a prompt, or the note of an Esc: the client has given the call up
    return False
