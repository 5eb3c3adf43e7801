"""What one line of a transcript says: an answer, a compaction, a request. Anything else is None.

Lines are the client's, and change with it: a field that is read but doesn't matter may have any type.
"""

from typing import Any

import msgspec

from shared import lenient
from shared.reading import Usage

LONG_CONTEXT_BETA = b"context-1m-"


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
    client: str = ""
    """Version of the client that wrote it."""


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
    """ISO 8601, as the client wrote it; empty when absent."""
    answered_at: str = ""
    """The same of the last answer before it; empty when that isn't known."""


class Request(msgspec.Struct, frozen=True):
    """What newer clients record of a request to the model."""

    model: str
    is_long: bool
    """Whether it asked for a window of 1M tokens."""
    is_conversation: bool
    """Whether it belongs to the conversation, and is no title or summary asked for beside it."""


class _Tokens(msgspec.Struct):
    type: Any = ""
    input_tokens: int = 0
    cache_creation_input_tokens: int | None = 0
    cache_read_input_tokens: int | None = 0
    output_tokens: Any = 0
    cache_creation: Any = None
    iterations: Any = None


class _Message(msgspec.Struct):
    usage: _Tokens
    id: Any = ""
    model: Any = ""
    content: msgspec.Raw = msgspec.Raw(b"[]")


class _AnswerLine(msgspec.Struct):
    type: str
    message: _Message
    timestamp: Any = ""
    version: Any = ""
    isSidechain: Any = False
    isApiErrorMessage: Any = False


class _Metadata(msgspec.Struct):
    trigger: Any = ""
    preTokens: Any = None
    postTokens: Any = None


class _BoundaryLine(msgspec.Struct):
    type: str
    subtype: str
    compactMetadata: Any = None
    uuid: Any = ""
    timestamp: Any = ""
    isSidechain: Any = False


class _RequestLine(msgspec.Struct):
    type: str
    params: Any = None
    querySource: Any = ""


def answer_in(line: bytes, offset: int, *, is_subagent: bool) -> Answer | None:
    """The real answer in a line; None for sidechains, synthetic and error answers, and numbers that are none."""
    try:
        found = lenient.decode(line, _AnswerLine)
    except msgspec.MsgspecError:
        return None
    if found.type != "assistant" or found.isApiErrorMessage or (found.isSidechain and not is_subagent):
        return None
    usage, model = _usage(found.message.usage), lenient.text(found.message.model)
    if usage.tokens <= 0 or model == "<synthetic>":
        return None
    uses = bytes(found.message.content).count(b'"tool_use"')
    timestamp, client = lenient.text(found.timestamp), lenient.text(found.version)
    return Answer(lenient.text(found.message.id), model, usage, timestamp, offset, uses, client)


def compaction_in(line: bytes, *, is_subagent: bool = False) -> Compaction | None:
    """The boundary that a line holds."""
    try:
        found = lenient.decode(line, _BoundaryLine)
    except msgspec.MsgspecError:
        return None
    if found.type != "system" or found.subtype != "compact_boundary" or (found.isSidechain and not is_subagent):
        return None
    timestamp = lenient.text(found.timestamp)
    try:
        metadata = msgspec.convert(found.compactMetadata, _Metadata)
    except msgspec.ValidationError:
        metadata = _Metadata()
    return Compaction(
        lenient.text(found.uuid) or timestamp,
        lenient.text(metadata.trigger),
        lenient.count(metadata.preTokens),
        lenient.count(metadata.postTokens),
        timestamp,
    )


def request_in(line: bytes) -> Request | None:
    """The request that a line records."""
    try:
        found = lenient.decode(line, _RequestLine)
    except msgspec.MsgspecError:
        return None
    if found.type != "api-request":
        return None
    model = found.params.get("model") if isinstance(found.params, dict) else None
    source = lenient.text(found.querySource)
    is_conversation = source.startswith(("repl_main_thread", "sdk", "agent:")) or not source
    return Request(lenient.text(model), LONG_CONTEXT_BETA in line, is_conversation)


def _usage(reported: _Tokens) -> Usage:
    """The usage of the answer's last request: with server tools the top level sums several (client-facts.md, 3)."""
    last = reported
    try:
        steps = [s for s in msgspec.convert(reported.iterations, list[_Tokens]) if s.type == "message"]
        last = steps[-1] if len(steps) > 1 else reported
    except msgspec.ValidationError:
        pass
    created = last.cache_creation_input_tokens or 0
    if not created and isinstance(last.cache_creation, dict):  # before 2.1.152 only the split was reported
        split = (last.cache_creation.get(f"ephemeral_{life}_input_tokens") for life in ("5m", "1h"))
        created = sum(lenient.count(part) or 0 for part in split)
    output = lenient.count(last.output_tokens) or 0
    return Usage(last.input_tokens, created, last.cache_read_input_tokens or 0, output)
