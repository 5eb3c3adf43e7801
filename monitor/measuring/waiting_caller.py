"""A session that waits for its subagent: it makes no request of its own, so a compaction is the subagent's.

2.1.197 doesn't say of which of the two the events of a compaction are. A later client does, and there this would be
wrong of a compaction that is prepared while a tool runs (docs/client.md, "Compaction").
"""

import os
import time

from monitor.session import Session
from shared import paths
from shared.client import client
from shared.client.models import LATER_CLIENT, version_of
from shared.transcript import jsonl
from shared.transcript.line import line_in

WRITTEN_SECONDS = 0.5
"""After which a subagent's result is in its caller's transcript (docs/client.md, "Order and delay")."""
_STEP_SECONDS = 0.02
_MARKERS = (b'"type":"user"', b'"type":"assistant"')


def waits_for_subagent(session_id: str, transcript: str, session: Session, *, has_owner: bool = True) -> bool:
    """Whether the newest answer of a session that has had subagents has called one that hasn't returned yet.

    `has_owner`: in a later client the event itself says whose it is, so that this decides nothing there.
    """
    if not os.path.exists(paths.subagents_mark(session.root, session_id)):
        return False
    deadline = time.monotonic() + WRITTEN_SECONDS
    while _has_subagent(transcript, has_owner=has_owner):
        if time.monotonic() >= deadline:
            return True
        time.sleep(_STEP_SECONDS)
    return False


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
