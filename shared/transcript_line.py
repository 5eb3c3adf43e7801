"""A line of a transcript as the client writes it: the one schema for everything that reads transcripts.

Only the fields that somebody reads are here. The format is undocumented and changes with the client, so a field of
another type costs itself alone (shared.lenient), and no field is sure to be there.
"""

from typing import Any

import msgspec

from shared import lenient
from shared.reading import Count


class ContentBlock(msgspec.Struct):
    """A part of a message: a text, a tool call, or a tool's result."""

    type: str = ""
    id: str = ""
    """Of a tool call."""
    name: str = ""
    """Of the tool that is called."""
    input: msgspec.Raw = msgspec.Raw(b"null")
    """What the tool is called with, as it is written in the line."""
    text: str | None = None
    thinking: str | None = None
    tool_use_id: str = ""
    """Of a result: the id of its call."""
    is_error: bool | None = False
    content: msgspec.Raw = msgspec.Raw(b"null")
    """Of a result, as it is written in the line: text, or a list of blocks."""

    @property
    def arguments(self) -> dict[str, Any] | None:
        """What the tool is called with; None when that is no object."""
        try:
            return lenient.decode(bytes(self.input), dict[str, Any])
        except msgspec.MsgspecError:
            return None

    @property
    def result(self) -> str:
        """The text that a tool gave back; its pictures are left out."""
        try:
            content: Any = lenient.decode(bytes(self.content), object)
        except msgspec.MsgspecError:
            return ""
        if isinstance(content, str):
            return content
        parts = content if isinstance(content, list) else []
        texts = (part.get("text") for part in parts if isinstance(part, dict))
        return "\n".join(text for text in texts if isinstance(text, str))

    @property
    def is_text(self) -> bool:
        return self.type == "text" and self.text is not None


class ReportedUsage(msgspec.Struct):
    """The tokens of an answer. Not lenient: a count of another type must not be taken for 0."""

    type: Any = ""
    input_tokens: Count = 0
    cache_creation_input_tokens: Count | None = 0
    cache_read_input_tokens: Count | None = 0
    output_tokens: Any = 0
    cache_creation: Any = None
    """The second field split by how long it is kept."""
    iterations: Any = None
    """One of these for each request; an answer with server tools takes several."""


class TranscriptMessage(lenient.LenientRecord):
    """What a person, a tool or the model said."""

    id: str = ""
    """Of an answer; the client writes it as several lines with the same id."""
    model: str = ""
    stop_reason: str | None = ""
    """Of an answer: why it ended. Where all of its lines say null, `output_tokens` is only what had come by then."""
    usage: ReportedUsage | None = None
    content: str | list[ContentBlock] = ""

    @property
    def blocks(self) -> list[ContentBlock]:
        """The content; plain text as one block."""
        return [ContentBlock("text", text=self.content)] if isinstance(self.content, str) else self.content

    @property
    def text(self) -> str:
        """What is said in words."""
        if isinstance(self.content, str):
            return self.content
        return "\n".join(block.text or "" for block in self.content if block.is_text)


class CompactMetadata(lenient.LenientRecord):
    """What a boundary says of its compaction."""

    trigger: str = ""
    """`auto` or `manual`."""
    preTokens: Count | None = None
    postTokens: Count | None = None
    durationMs: Count | None = None


class RequestParameters(lenient.LenientRecord):
    """What newer clients record of a request to the model."""

    model: str = ""
    betas: tuple[str, ...] = ()


class ModelIdentity(lenient.LenientRecord):
    """The model that the client tells its model to be."""

    modelId: str = ""
    """With `[1m]` where the client was given that."""


class Attachment(lenient.LenientRecord):
    """What the client adds to the conversation, a hook's words among it."""

    type: str = ""
    content: msgspec.Raw = msgspec.Raw(b"null")
    """As it is written in the line."""
    identity: ModelIdentity | None = None
    """Of `model`."""
    text: str = ""
    """Of `total_tokens_reminder`."""
    total: Count | None = None
    """Of `token_usage`: tokens."""
    hookEvent: str = ""
    """Of what a hook has said."""
    addedNames: tuple[str, ...] = ()
    """Of `deferred_tools_delta` and `mcp_instructions_delta`; the next two are what is said of each."""
    addedLines: tuple[str, ...] = ()
    addedBlocks: tuple[str, ...] = ()
    addedTypes: tuple[str, ...] = ()
    """Of `agent_listing_delta`, which has `addedLines`, too."""
    removedNames: tuple[str, ...] = ()
    removedTypes: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    """Of `skill_listing`, whose content is one text."""

    @property
    def texts(self) -> list[str]:
        """What a hook has said; nothing for an attachment of another shape."""
        try:
            return lenient.decode(bytes(self.content), list[str])
        except msgspec.MsgspecError:
            return []

    @property
    def words(self) -> str:
        """Content that is one text: a list of skills, or what a hook has printed; empty for any other."""
        return lenient.decode_or(bytes(self.content), str, "")


class RequestShape(lenient.LenientRecord):
    """What newer clients record of a request that seldom changes: it stands before the messages."""

    system: tuple[ContentBlock, ...] = ()
    tools: tuple[msgspec.Raw, ...] = ()
    """Each with name, description and schema, as the client sends it."""


class TranscriptLine(lenient.LenientRecord):
    """One line."""

    type: str = ""
    """`user`, `assistant`, `system`, `attachment`, `api-request`, `queue-operation`, and others that nobody reads."""
    subtype: str = ""
    """Of `system`, such as `compact_boundary`."""
    uuid: str = ""
    parentUuid: str | None = None
    """The line that this one goes on from."""
    sessionId: str = ""
    requestId: str | None = None
    """Of an answer: what the API calls the request."""
    timestamp: str = ""
    """ISO 8601."""
    version: str = ""
    """The client's."""
    cwd: str = ""
    isSidechain: bool | None = False
    """Whether it is a subagent's: older clients write those into their parent's file, too."""
    isMeta: bool | None = False
    """Whether the client says it in the person's name."""
    isCompactSummary: bool | None = False
    isApiErrorMessage: bool | None = False
    """Whether an answer is the client's own, in place of one that failed."""
    message: TranscriptMessage | None = None
    toolUseResult: msgspec.Raw = msgspec.Raw(b"null")
    """A tool's result as the client holds it, as it is written in the line."""
    compactMetadata: CompactMetadata | None = None
    params: RequestParameters | None = None
    shape: msgspec.Raw = msgspec.Raw(b"null")
    """Of an `api-request-shape`: a RequestShape, of about 80 kB."""
    querySource: str = ""
    """Of an `api-request`: what it was made for."""
    attachment: Attachment | None = None
    rendered: msgspec.Raw = msgspec.Raw(b"null")
    """Of an attachment, from newer clients: what the model is given of it, as it is written in the line."""
    operation: str = ""
    """Of a `queue-operation`."""
    content: msgspec.Raw = msgspec.Raw(b"null")
    """Of a line without a message, as it is written in it."""

    @property
    def is_compact_boundary(self) -> bool:
        return self.type == "system" and self.subtype == "compact_boundary"

    @property
    def queued(self) -> str:
        """What was written while the agent worked, which may stand in no other line; empty for any other line."""
        if self.type != "queue-operation" or self.operation != "enqueue":
            return ""
        return lenient.text(lenient.decode_or(bytes(self.content), object, None))


_DECODER = msgspec.json.Decoder(TranscriptLine)


def line_in(data: bytes) -> TranscriptLine | None:
    """The line that `data` holds, without its newline; None when that is no JSON object."""
    try:
        return _DECODER.decode(data)  # as nearly all are; half the time of the lenient way
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError):
        pass
    try:
        return lenient.record(data, TranscriptLine)
    except msgspec.MsgspecError:
        return None
