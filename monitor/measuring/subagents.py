"""The subagents of a session, and the conversation that called one, according to their transcripts."""

import glob
import os
import time
from itertools import islice

import msgspec

from monitor.measuring.snapshot import LAG_SECONDS, tail_of
from monitor.session import Conversation, Session, conversation_of
from shared import paths
from shared.client import client
from shared.files import files
from shared.files.lenient import epoch_of
from shared.transcript import jsonl
from shared.transcript.line import line_in

MARKERS = (b'"type":"user"', b'"type":"assistant"')
"""Markers of lines that are from the model, or for it."""
STEP_SECONDS = 0.02
_NEWEST = 8
"""Subagents that are examined: hardly more work at once."""
_RECORD_LIMIT = 64 << 10


class _Record(msgspec.Struct):
    """The client's record of a started subagent."""

    toolUseId: str = ""


def has_any(conversation: Conversation, session: Session) -> bool:
    """Whether a session has had subagents: its own, or those that a `/clear` carried over."""
    mark = paths.subagents_mark(session.root, conversation.session_id)
    return os.path.exists(mark) or any(newest(conversation))


def newest(session: Conversation) -> list[Conversation]:
    """The subagents of a session that wrote last, the newest first."""
    form = paths.subagent_transcript(glob.escape(session.transcript), glob.escape(session.session_id), "*")
    of_workflows = os.path.join(os.path.dirname(form), client.WORKFLOWS, "*", os.path.basename(form))
    transcripts = [*glob.glob(form), *glob.glob(of_workflows)]
    names = map(os.path.basename, sorted(transcripts, key=files.modified_at, reverse=True))
    ids = [name.removeprefix("agent-").removesuffix(".jsonl") for name in names]
    agents = (conversation_of(session.session_id, session.transcript, agent_id) for agent_id in ids)
    return list(islice(filter(None, agents), _NEWEST))


def is_at_work(agent: Conversation, session: Session) -> bool:
    """Whether a subagent has neither given its last answer nor been stopped."""
    _, data = next(jsonl.newest_first(agent.transcript, MARKERS), (0, b""))
    line = line_in(data)
    if line is None or line.message is None or line.type == "user":
        return line is None or line.message is None or not line.message.text.startswith(client.INTERRUPTION)
    answers = tail_of(agent, session).answers
    return not answers or bool(answers[0].calls)


def caller_of(agent: Conversation, main: Conversation, session: Session) -> Conversation | None:
    """The conversation that called a starting subagent: the `main` one, or a subagent; None if unknown.

    The event doesn't tell. It is the one whose newest answer has a call that started none of the other subagents; the
    client may write that answer after it has started the subagent.
    """
    deadline = time.monotonic() + LAG_SECONDS
    while True:
        others = [one for one in newest(main) if one.id != agent.id]
        at_work = [one for one in others if is_at_work(one, session)]
        if not at_work:
            return main
        past_calls = {_started_by(one) for one in others}
        at, _, caller = max((_called_at(one, past_calls), -number, one) for number, one in enumerate((main, *at_work)))
        if at:
            return caller
        if time.monotonic() >= deadline:
            return None
        time.sleep(STEP_SECONDS)


def _started_by(agent: Conversation) -> str:
    """The id of the tool call that started a subagent; empty until the client has written it down."""
    path = agent.transcript.removesuffix(".jsonl") + client.SUBAGENT_RECORD
    return files.load(path, _Record, _Record(), _RECORD_LIMIT).toolUseId


def _called_at(conversation: Conversation, past_calls: set[str]) -> float:
    """Epoch seconds at which the newest answer called a subagent by a call not in `past_calls`; 0 if it didn't."""
    answer = ""
    for _, data in jsonl.newest_first(conversation.transcript, (MARKERS[1],)):
        line = line_in(data)
        if line is None or line.message is None or (line.isSidechain and not conversation.is_subagent):
            continue
        if answer and line.message.id != answer:
            break
        answer = line.message.id
        ids = {block.id for block in line.message.blocks if block.name in (client.AGENT, client.TASK)}
        if ids - past_calls:
            return epoch_of(line.timestamp) or 0.0
    return 0.0
