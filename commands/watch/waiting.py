"""Whether a session waits for its person: for a permission, for an answer, or for the next prompt."""

from collections.abc import Iterator
from itertools import islice
from typing import Literal

import msgspec

from commands.session import transcripts
from monitor.checkpoints.client_process import ClientRecord
from shared.client import client
from shared.transcript.line import TranscriptLine, TranscriptMessage

_QUESTIONS = {"AskUserQuestion", "ExitPlanMode"}
_FARTHEST, _FEW = 1 << 20, 200
"""Bytes and lines from the transcript's end that are read."""


class Waiting(msgspec.Struct, frozen=True):
    reason: Literal["permission", "question", "turn finished", "turn interrupted"]
    since: float
    """Epoch seconds."""


def waiting_of(record: ClientRecord, transcript: str) -> Waiting | None:
    """The wait that a client's record shows; None while the agent works, and for headless and older clients."""
    since = record.statusUpdatedAt / 1000
    if record.status == "waiting":
        return Waiting("question" if _asks(transcript) else "permission", since)
    if record.status == "idle":
        return Waiting("turn interrupted" if _is_interrupted(transcript) else "turn finished", since)
    return None


def _asks(transcript: str) -> bool:
    """Whether the newest answer asks a question: 2.1.197 calls that a permission, too."""
    answer = ""
    for line, message in _messages(transcript):
        if line.type == "assistant":
            if answer and message.id != answer:
                break
            answer = message.id
            if any(block.type == "tool_use" and block.name in _QUESTIONS for block in message.blocks):
                return True
    return False


def _is_interrupted(transcript: str) -> bool:
    """Whether the newest message is the interruption that the client writes, or follows it without an answer."""
    for line, message in _messages(transcript):
        if line.type == "assistant":
            return False
        if message.text.startswith(client.INTERRUPTION):
            return True
    return False


def _messages(transcript: str) -> Iterator[tuple[TranscriptLine, TranscriptMessage]]:
    """Yield the messages of the main conversation, the newest first."""
    for line in islice(transcripts.newest_lines(transcript, [b'"assistant"', b'"user"'], _FARTHEST), _FEW):
        if line.message is not None and not (line.isSidechain or line.isMeta):
            yield line, line.message
