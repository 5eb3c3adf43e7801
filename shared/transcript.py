"""The end of a transcript: the newest answers and the newest compaction, read backwards from the file's end.

What is read doesn't grow with the file: a 1 GB transcript costs what a 1 MB one does.
"""

from collections.abc import Iterator

import msgspec

from shared import files, lines
from shared.reading import Usage

ANSWERS = 9
"""Answers that are kept: the newest and eight steps of growth before it."""
HISTORY_BYTES = 1 << 20
"""How far before the newest answer older ones are looked for."""
LONG_CONTEXT_BETA = "context-1m-"


class Answer(msgspec.Struct, frozen=True):
    """One answer of the model. A client writes a line per content block, all with the same id and usage."""

    id: str
    model: str
    usage: Usage
    timestamp: str
    """ISO 8601, as the client wrote it; empty when absent."""
    offset: int
    """Byte offset of its last line."""
    tool_uses: int
    """Tools that it calls."""


class Compaction(msgspec.Struct, frozen=True):
    """A boundary behind which the window was emptied into a summary."""

    id: str
    trigger: str
    """auto or manual."""
    before: int | None
    """Tokens before it."""
    after: int | None
    """Tokens after it; older clients don't say."""
    timestamp: str


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


class _Split(msgspec.Struct):
    ephemeral_5m_input_tokens: int = 0
    ephemeral_1h_input_tokens: int = 0


class _Tokens(msgspec.Struct):
    type: str = ""
    input_tokens: int = 0
    cache_creation_input_tokens: int | None = 0
    cache_read_input_tokens: int | None = 0
    output_tokens: int | None = 0
    cache_creation: _Split | None = None
    iterations: msgspec.Raw = msgspec.Raw(b"[]")


class _Message(msgspec.Struct):
    usage: _Tokens
    id: str = ""
    model: str = ""
    content: msgspec.Raw = msgspec.Raw(b"[]")


class _AnswerLine(msgspec.Struct):
    type: str
    message: _Message
    timestamp: str = ""
    isSidechain: bool | None = False  # noqa: N815  the client's spelling
    isApiErrorMessage: bool | None = False  # noqa: N815


class _Metadata(msgspec.Struct):
    trigger: str = ""
    preTokens: int | None = None  # noqa: N815
    postTokens: int | None = None  # noqa: N815


class _BoundaryLine(msgspec.Struct):
    type: str
    subtype: str
    compactMetadata: _Metadata | None = None  # noqa: N815
    uuid: str = ""
    timestamp: str = ""
    isSidechain: bool | None = False  # noqa: N815


class _Parameters(msgspec.Struct):
    model: str = ""
    betas: list[str] = []


class _RequestLine(msgspec.Struct):
    type: str
    params: _Parameters


def read_tail(path: str, tool_use_id: str = "", *, is_subagent: bool = False) -> Tail | None:
    """The tail of the transcript at `path`; None when it cannot be read.

    A session's own file may hold lines of subagents (older clients), which never count; a subagent's own
    file (`is_subagent`) holds nothing else.
    """
    try:
        with open(files.open_regular(path), "rb", buffering=0) as file:
            size = file.seek(0, 2)
            return _scan(lines.backwards(file, size), size, tool_use_id, is_subagent=is_subagent)
    except (OSError, ValueError):
        return None


def _scan(numbered: Iterator[tuple[int, bytes]], size: int, tool_use_id: str, *, is_subagent: bool) -> Tail:
    wanted = f'"{tool_use_id}"'.encode() if tool_use_id else b""
    answers: list[Answer] = []
    requests: dict[str, bool] = {}
    compaction, holds, ended = None, False, None
    for offset, line in numbered:
        if ended is None:
            ended = offset + len(line) + 1 if offset + len(line) < size else offset
        if answers and (len(answers) > ANSWERS or answers[0].offset - offset > HISTORY_BYTES):
            break
        if b'"usage"' in line and (answer := _answer(line, offset, is_subagent=is_subagent)):
            holds = holds or (bool(wanted) and wanted in line)
            _collect(answers, answer)
        elif b'"compact_boundary"' in line and (compaction := compaction_in(line, is_subagent=is_subagent)):
            break
        elif b'"api-request"' in line:
            _note_request(requests, line)
    # A title or a summary may have been asked of another model since.
    is_long = requests.get(answers[0].model) if answers else next(iter(requests.values()), None)
    return Tail(size, ended or 0, tuple(answers[:ANSWERS]), compaction, is_long, holds)


def _collect(answers: list[Answer], answer: Answer) -> None:
    """Add an answer read backwards; of the lines of one answer the last one's usage holds, the tools add up."""
    if answers and answers[-1].id == answer.id and answer.id:
        uses = answers[-1].tool_uses + answer.tool_uses
        answers[-1] = msgspec.structs.replace(answers[-1], tool_uses=uses)
    else:
        answers.append(answer)


def _answer(line: bytes, offset: int, *, is_subagent: bool) -> Answer | None:
    """The real answer in a line; None for sidechains, synthetic and error answers, and anything malformed."""
    try:
        found = msgspec.json.decode(line, type=_AnswerLine)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return None
    if found.type != "assistant" or found.isApiErrorMessage or (found.isSidechain and not is_subagent):
        return None
    usage = _usage(found.message.usage)
    if usage.tokens <= 0 or found.message.model == "<synthetic>":
        return None
    uses = bytes(found.message.content).count(b'"tool_use"')
    return Answer(found.message.id, found.message.model, usage, found.timestamp, offset, uses)


def _usage(reported: _Tokens) -> Usage:
    """The usage of the answer's last request: with server tools the top level sums several (client-facts.md, 3)."""
    last = reported
    try:
        steps = [s for s in msgspec.json.decode(reported.iterations, type=list[_Tokens]) if s.type == "message"]
        last = steps[-1] if len(steps) > 1 else reported
    except (msgspec.MsgspecError, UnicodeDecodeError):
        pass
    created = last.cache_creation_input_tokens or 0
    if not created and last.cache_creation:  # before 2.1.152 only the split was reported
        created = last.cache_creation.ephemeral_5m_input_tokens + last.cache_creation.ephemeral_1h_input_tokens
    return Usage(last.input_tokens, created, last.cache_read_input_tokens or 0, last.output_tokens or 0)


def compaction_in(line: bytes, *, is_subagent: bool = False) -> Compaction | None:
    """The boundary that a line holds; None for anything else."""
    try:
        found = msgspec.json.decode(line, type=_BoundaryLine)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return None
    if found.type != "system" or found.subtype != "compact_boundary" or (found.isSidechain and not is_subagent):
        return None
    metadata = found.compactMetadata or _Metadata()
    return Compaction(
        found.uuid or found.timestamp,
        metadata.trigger,
        metadata.preTokens,
        metadata.postTokens,
        found.timestamp,
    )


def _note_request(requests: dict[str, bool], line: bytes) -> None:
    """Note whether a recorded request asked for a 1M window, for its model's newest one alone."""
    try:
        found = msgspec.json.decode(line, type=_RequestLine)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return
    if found.type == "api-request":
        is_long = any(beta.startswith(LONG_CONTEXT_BETA) for beta in found.params.betas)
        requests.setdefault(found.params.model, is_long)
