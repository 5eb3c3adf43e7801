"""Whether a session waits for its person: for a permission, for an answer, or for the next prompt."""

from collections.abc import Callable, Iterator
from itertools import islice
from typing import Literal

import msgspec

from commands.session import transcripts
from shared.client import client
from shared.files.lenient import epoch_of
from shared.transcript.line import TranscriptLine, TranscriptMessage

_QUESTIONS = {"AskUserQuestion", "ExitPlanMode"}
_INSTANT = {client.READ, client.LS, client.GREP, client.GLOB, *client.WRITING_TOOLS}
"""Tools that finish at once: a call without a result still waits for permission."""
_SHELLS = {client.BASH, client.POWER_SHELL}
_SETTLED_SECONDS = 3
"""Seconds that may pass without a write while an answer continues, or a call that needs no permission runs."""
_FARTHEST, _FEW = 1 << 20, 200
"""Bytes and lines from the transcript's end that are read."""
_LOCAL = ("<local-command", "<command-name>", "<bash-")
"""Prefixes of lines that the client writes for its own commands, which no model reads at once."""


class Waiting(msgspec.Struct, frozen=True):
    reason: Literal["permission", "question", "turn finished", "turn interrupted"]
    since: float
    """Epoch seconds."""


def waiting_of(transcript: str, now: float, is_busy: Callable[[float], bool]) -> Waiting | None:
    """The wait that a transcript's end shows; None while the agent works, or if nothing shows a wait.

    `is_busy` says whether the client has started a process since a time: then a command is running, and was allowed.
    """
    results: set[str] = set()
    calls: dict[str, str] = {}
    answer, since = "", 0.0
    for line, message in _messages(transcript):
        if answer and message.id != answer:
            break
        if line.type == "assistant":
            since = since or epoch_of(line.timestamp) or now
            answer = answer or message.id
            calls |= {block.id: block.name for block in message.blocks if block.type == "tool_use"}
        elif any(block.type == "tool_result" for block in message.blocks):
            results |= {block.tool_use_id for block in message.blocks}
        elif message.text.startswith(client.INTERRUPTION):
            return Waiting("turn interrupted", epoch_of(line.timestamp) or now)
        elif not message.text.lstrip().startswith(_LOCAL):
            return None  # a prompt that is being answered
    if not answer or now - since < _SETTLED_SECONDS:
        return None
    pending = [name for call, name in calls.items() if call not in results]
    if not pending:
        return None if calls else Waiting("turn finished", since)
    if not _QUESTIONS.isdisjoint(pending):
        return Waiting("question", since)
    is_certain = not _INSTANT.isdisjoint(pending) or (not _SHELLS.isdisjoint(pending) and not is_busy(since))
    return Waiting("permission", since) if is_certain else None


def _messages(transcript: str) -> Iterator[tuple[TranscriptLine, TranscriptMessage]]:
    for line in islice(transcripts.newest_lines(transcript, [b'"assistant"', b'"user"'], _FARTHEST), _FEW):
        if line.message is not None and not (line.isSidechain or line.isMeta):
            yield line, line.message
