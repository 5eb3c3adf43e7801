"""A line of a transcript as the client writes it: the one schema for everything that reads transcripts.

Only the fields that are read somewhere are here. The format is undocumented and changes with the client, so a field of
another type costs itself alone (shared.files.lenient), and no field is sure to be there.
"""

from typing import Any

import msgspec

from shared.files import lenient
from shared.files.lenient import Count


class ContentBlock(msgspec.Struct):
    """A part of a message: a text, a tool call, or a tool's result."""

    type: str = ""
    id: str = ""
    """A tool call's id."""
    name: str = ""
    input: msgspec.Raw = msgspec.Raw(b"null")
    """What the tool is called with, as it is written in the line."""
    text: str | None = None
    thinking: str | None = None
    tool_use_id: str = ""
    """A result's call, by its id."""
    is_error: bool | None = False
    content: msgspec.Raw = msgspec.Raw(b"null")
    """A result as it is written in the line: text, or a list of blocks."""

    @property
    def arguments(self) -> dict[str, Any] | None:
        """What the tool is called with; None when that is no object."""
        return lenient.decode_or(bytes(self.input), dict[str, Any], None)

    @property
    def result(self) -> str:
        """The text of a tool's result; its pictures are left out."""
        content: Any = lenient.decode_or(bytes(self.content), object, "")
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
    output_tokens: Count | None = 0
    cache_creation: Any = None
    """`cache_creation_input_tokens`, split by how long the cache holds them."""
    iterations: Any = None
    """One of these for each request; an answer with server tools takes several."""

    @property
    def tokens(self) -> int:
        """Tokens that the request held in the context window."""
        created = self.cache_creation_input_tokens or self.split_creation
        return self.input_tokens + created + (self.cache_read_input_tokens or 0)

    @property
    def split_creation(self) -> int:
        """The sum of `cache_creation`: before 2.1.152 only that may say it (docs/client.md, "The transcript")."""
        split = self.cache_creation if isinstance(self.cache_creation, dict) else {}
        names = "ephemeral_5m_input_tokens", "ephemeral_1h_input_tokens"
        return sum([lenient.count(split.get(name)) or 0 for name in names])


class TranscriptMessage(lenient.LenientRecord):
    """The content from a person, a tool or the model."""

    id: str = ""
    """An answer's id; the client writes it as several lines with the same one."""
    model: str = ""
    stop_reason: str | None = ""
    """Why an answer ended. Where all of its lines say null, `output_tokens` is only what had come by then."""
    usage: ReportedUsage | None = None
    content: str | list[ContentBlock] = ""

    @property
    def blocks(self) -> list[ContentBlock]:
        """The content; plain text as one block."""
        return [ContentBlock("text", text=self.content)] if isinstance(self.content, str) else self.content

    @property
    def text(self) -> str:
        """The text of all blocks."""
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


class PromptOrigin(lenient.LenientRecord):
    """Where newer clients say that a prompt comes from."""

    kind: str = ""
    """`human`, or what else has written it."""


class Attachment(lenient.LenientRecord):
    """What the client adds to the conversation, a hook's words among it."""

    type: str = ""
    content: msgspec.Raw = msgspec.Raw(b"null")
    """The content as it is written in the line."""
    prompt: Any = None
    """For `queued_command`: what was written while the agent worked, a text or a list of blocks."""
    origin: PromptOrigin | None = None
    """For `queued_command`: where that comes from."""
    identity: ModelIdentity | None = None
    """For `model`: which model answers."""
    text: str = ""
    """For `total_tokens_reminder`: its text."""
    hookEvent: str = ""
    """For a hook's output: the event that it ran at."""
    addedNames: tuple[str, ...] = ()
    """For `deferred_tools_delta` and `mcp_instructions_delta`: names, each described in the next two fields."""
    addedLines: tuple[str, ...] = ()
    addedBlocks: tuple[str, ...] = ()
    addedTypes: tuple[str, ...] = ()
    """For `agent_listing_delta`, which has `addedLines`, too."""
    removedNames: tuple[str, ...] = ()
    removedTypes: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    """For `skill_listing`, whose content is one text."""

    @property
    def texts(self) -> list[str]:
        """A hook's output; nothing for an attachment of another shape."""
        return lenient.decode_or(bytes(self.content), list[str], [])

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
    type: str = ""
    """`user`, `assistant`, `system`, `attachment`, `api-request`, `queue-operation`, and others that nobody reads."""
    subtype: str = ""
    """A `system` line's kind, such as `compact_boundary`."""
    uuid: str = ""
    parentUuid: str | None = None
    requestId: str | None = None
    """An answer's request, as the API names it."""
    timestamp: str = ""
    """ISO 8601."""
    version: str = ""
    """The client's."""
    cwd: str = ""
    isSidechain: bool | None = False
    """Whether it is a subagent's: older clients write those into their parent's file, too."""
    isMeta: bool | None = False
    """Whether the client says it in the person's name."""
    sourceToolUseID: str | None = ""
    """The call that had the client say it, such as one that loads a skill."""
    isCompactSummary: bool | None = False
    origin: PromptOrigin | None = None
    promptSource: str = ""
    """Where a prompt comes from, in a word of the client's, such as `typed` or `system`."""
    isApiErrorMessage: bool | None = False
    """Whether an answer is the client's own, in place of one that failed."""
    message: TranscriptMessage | None = None
    toolUseResult: msgspec.Raw = msgspec.Raw(b"null")
    """A tool's result as the client holds it, as it is written in the line."""
    compactMetadata: CompactMetadata | None = None
    params: RequestParameters | None = None
    shape: msgspec.Raw = msgspec.Raw(b"null")
    """For `api-request-shape`: a RequestShape, of about 80 kB."""
    querySource: str = ""
    """For `api-request`: what it was made for."""
    attachment: Attachment | None = None
    rendered: msgspec.Raw = msgspec.Raw(b"null")
    """What the model is given of an attachment, from newer clients, as it is written in the line."""
    operation: str = ""
    """For `queue-operation`: `enqueue`, `dequeue`, `popAll` and others."""
    content: msgspec.Raw = msgspec.Raw(b"null")
    """The content of a line without a message, as it is written in it."""

    @property
    def is_compact_boundary(self) -> bool:
        return self.type == "system" and self.subtype == "compact_boundary"


_DECODER = msgspec.json.Decoder(TranscriptLine, float_hook=float)  # shared.files.lenient says why


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
