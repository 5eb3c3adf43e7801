"""A compaction of a subagent's, which the events of 2.1.197 don't tell from its caller's.

docs/client.md, "Compaction". Only a conversation that is about to make a request, in a window that is full, is
compacted by the client itself.
"""

import os
import time
from collections.abc import Iterator

from monitor.measuring.snapshot import Snapshot, snapshot_of
from monitor.session import Conversation, Session, conversation_of
from shared import paths
from shared.client import client
from shared.client.models import EARLIER_CLIENT, version_of
from shared.gauge.levels import Level
from shared.gauge.limit import IDLE_SECONDS
from shared.transcript import jsonl
from shared.transcript.line import line_in
from shared.transcript.records import BYTES_PER_TOKEN

WRITTEN_SECONDS = 0.5
"""After which a subagent's result is in its caller's transcript (docs/client.md, "Order and delay")."""
_STEP_SECONDS = 0.02
_MARKERS = (b'"type":"user"', b'"type":"assistant"')


def is_of_subagent(session_id: str, transcript: str, session: Session) -> bool:
    """Whether an automatic compaction is of a subagent: its caller waits for one, or has room where one has none."""
    if not os.path.exists(paths.subagents_mark(session.root, session_id)):
        return False
    if _waits(transcript):
        return True
    caller = snapshot_of(Conversation(session_id, transcript), session)
    if caller is None or caller.tail is None or version_of(caller.tail.client) != EARLIER_CLIENT or _is_full(caller):
        return False
    return any(map(_is_full, _agents_at_work(session_id, transcript, session)))


def _waits(transcript: str) -> bool:
    """Whether the newest answer has called a subagent that hasn't returned: such a session makes no request."""
    deadline = time.monotonic() + WRITTEN_SECONDS
    while _has_subagent(transcript):
        if time.monotonic() >= deadline:
            return True
        time.sleep(_STEP_SECONDS)
    return False


def _agents_at_work(session_id: str, transcript: str, session: Session) -> Iterator[Snapshot]:
    """Subagents whose newest answer has called tools, written since a compaction that ends now may have begun."""
    folder = os.path.dirname(paths.subagent_transcript(transcript, session_id, ""))
    for name in os.listdir(folder) if os.path.isdir(folder) else ():
        agent = conversation_of(session_id, transcript, name.removeprefix("agent-").removesuffix(".jsonl"))
        if agent is None or os.path.getmtime(os.path.join(folder, name)) < session.now - IDLE_SECONDS:
            continue
        snapshot = snapshot_of(agent, session)
        if snapshot is not None and snapshot.tail is not None and any(one.calls for one in snapshot.tail.answers[:1]):
            yield snapshot


def _is_full(snapshot: Snapshot) -> bool:
    """Whether the client may compact the conversation now, for what it holds or for the results that came since."""
    tail, limit, tokens = snapshot.tail, snapshot.limit_tokens, snapshot.reading.tokens
    if snapshot.level is Level.EXHAUSTED or tail is None or limit is None or tokens is None:
        return snapshot.level is Level.EXHAUSTED
    written = tail.size - tail.answers[0].offset if tail.answers else 0
    return tokens + written // BYTES_PER_TOKEN >= limit


def _has_subagent(transcript: str) -> bool:
    """Whether a subagent that the transcript's newest answer has called is without a result."""
    answer, results = "", set[str]()
    for _, data in jsonl.newest_first(transcript, _MARKERS):
        line = line_in(data)
        if line is None or line.message is None or line.isSidechain:
            continue
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
