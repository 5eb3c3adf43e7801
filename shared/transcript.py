"""The end of a transcript: the newest answers and the newest compaction, read backwards from the file's end.

What is read doesn't grow with the file: a 1 GB transcript costs what a 1 MB one does.
"""

from collections.abc import Iterator

import msgspec

from shared import files, lines
from shared.models import base_model
from shared.transcript_line import line_in
from shared.transcript_records import Answer, Compaction, Request, answer_in, compaction_in, request_in

__all__ = ["Answer", "Compaction", "Tail", "read_tail"]

ANSWERS = 9
"""Answers that are kept: the newest and eight steps of growth before it."""
HISTORY_BYTES = 1 << 20
"""How far before the newest answer older ones are looked for."""
_USAGE, _BOUNDARY, _REQUEST = _MARKERS = (b'"usage"', b'"compact_boundary"', b'"api-request"')
"""What a line holds that says anything."""


class Tail(msgspec.Struct, frozen=True):
    """What the end of a transcript says."""

    size: int
    """Bytes of the file when it was read."""
    ended: int
    """Bytes up to and with the last newline: what comes after is still being written."""
    answers: tuple[Answer, ...]
    """The newest answers since the last compaction, newest first."""
    compaction: Compaction | None
    """The newest compaction, when it lies in the part that was read."""
    is_long: bool | None
    """Whether the newest request asked for a 1M window; None for older clients, which don't record requests."""
    holds_tool_use: bool
    """Whether the tool use that was asked for stands in one of `answers`' lines."""

    @property
    def tokens(self) -> int | None:
        """Tokens in the window after the newest answer, or after a compaction that has none yet."""
        if self.answers:
            return self.answers[0].usage.tokens
        return self.compaction.after if self.compaction else None


def read_tail(path: str, tool_use_id: str = "", *, is_subagent: bool = False) -> Tail | None:
    """The tail of the transcript at `path`; None when it cannot be read.

    A session's own file may hold lines of subagents (older clients), which never count; a subagent's own
    file (`is_subagent`) holds nothing else.
    """
    try:
        with open(files.open_regular(path), "rb", buffering=0) as file:
            size = file.seek(0, 2)
            return _scan(lines.backwards(file, size, _MARKERS), size, tool_use_id, is_subagent=is_subagent)
    except (OSError, ValueError):
        return None


def _scan(numbered: Iterator[tuple[int, bytes]], size: int, tool_use_id: str, *, is_subagent: bool) -> Tail:
    wanted = f'"{tool_use_id}"'.encode() if tool_use_id else b""
    answers: list[Answer] = []
    requests: list[Request] = []
    compaction, holds, ended = None, False, None
    for offset, data in numbered:
        if ended is None:
            ended = offset + len(data) + 1 if offset + len(data) < size else offset
        if answers and (len(answers) > ANSWERS or answers[0].offset - offset > HISTORY_BYTES):
            break
        # Of the 200 lines or so that are gone through, a dozen are decoded: `any` would take longer than that.
        line = line_in(data) if _USAGE in data or _BOUNDARY in data or _REQUEST in data else None
        if line is None:
            continue
        if answer := answer_in(line, offset, is_subagent=is_subagent):
            holds = holds or (bool(wanted) and wanted in data)
            _collect(answers, answer)
        elif compaction := compaction_in(line, is_subagent=is_subagent):
            compaction = _answered(compaction, offset, numbered, is_subagent=is_subagent)
            break
        elif request := request_in(line):
            requests.append(request)
    return Tail(size, ended or 0, tuple(answers[:ANSWERS]), compaction, _is_long(requests, answers), holds)


def _answered(
    compaction: Compaction, boundary: int, numbered: Iterator[tuple[int, bytes]], *, is_subagent: bool
) -> Compaction:
    """`compaction`, whose line begins at `boundary`, with the time of the last answer before it."""
    for offset, data in numbered:
        if boundary - offset > HISTORY_BYTES:
            break
        line = line_in(data) if _USAGE in data else None
        if line is not None and (answer := answer_in(line, offset, is_subagent=is_subagent)):
            return msgspec.structs.replace(compaction, answered_at=answer.timestamp)
    return compaction


def _is_long(requests: list[Request], answers: list[Answer]) -> bool | None:
    """Whether the newest request of the answer's model asked for 1M.

    A title or a summary may have been asked of another model since; and a model that was asked for by an alias
    answers under its full name, so that the conversation's newest request counts where none is of that model.
    """
    own = [request for request in requests if request.is_conversation]
    if answers:
        named = [request for request in requests if base_model(request.model) == answers[0].model]
        own = named or own
    return own[0].is_long if own else None


def _collect(answers: list[Answer], answer: Answer) -> None:
    """Add an answer read backwards; of the lines of one answer the last one's usage holds, the tools add up."""
    if answers and answers[-1].id == answer.id and answer.id:
        uses = answers[-1].tool_uses + answer.tool_uses
        answers[-1] = msgspec.structs.replace(answers[-1], tool_uses=uses, start=answer.offset)
    else:
        answers.append(answer)
