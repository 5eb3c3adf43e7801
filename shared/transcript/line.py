"""A line of a transcript as the client writes it: the one schema for everything that reads transcripts.

It has only the fields that are read somewhere. The format is undocumented and changes with the client, so no field is
sure to be there, and one of an unexpected type is ignored alone (shared.files.lenient).
"""

from typing import Any

import msgspec

from shared.files import lenient
from shared.files.lenient import Count


class ContentBlock(msgspec.Struct):
    """A part of a message: a text, a tool call or a tool's result."""

    type: str = ""
    id: str = ""
    """A tool call's id."""
    name: str = ""
    input: msgspec.Raw = msgspec.Raw(b"null")
    """A tool call's arguments, as written in the line."""
    text: str | None = None
    thinking: str | None = None
    tool_use_id: str = ""
    """The id of a result's tool call."""
    is_error: bool | None = False
    content: msgspec.Raw = msgspec.Raw(b"null")
    """A result as written in the line: text, or a list of blocks."""

    @property
    def arguments(self) -> dict[str, Any] | None:
        """A tool call's arguments; None if they are no object."""
        return lenient.decode_or(bytes(self.input), dict[str, Any], None)

    @property
    def result(self) -> str:
        """The text of a tool's result, without its images."""
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
    """One usage per request; an answer with server tools takes several requests."""

    @property
    def tokens(self) -> int:
        """Tokens of the request in the context window."""
        created = self.cache_creation_input_tokens or self.split_creation
        return self.input_tokens + created + (self.cache_read_input_tokens or 0)

    @property
    def split_creation(self) -> int:
        """The sum of `cache_creation`: before 2.1.152 only that may be given (docs/client.md, "The transcript")."""
        split = self.cache_creation if isinstance(self.cache_creation, dict) else {}
        names = "ephemeral_5m_input_tokens", "ephemeral_1h_input_tokens"
        return sum([lenient.count(split.get(name)) or 0 for name in names])


class TranscriptMessage(lenient.LenientRecord):
    """A message from a person, a tool or the model."""

    id: str = ""
    """An answer's id; the client writes one answer as several lines with the same id."""
    model: str = ""
    stop_reason: str | None = ""
    """Why an answer ended. Where all of its lines have null, `output_tokens` counts only what had arrived by then."""
    usage: ReportedUsage | None = None
    content: str | list[ContentBlock] = ""

    @property
    def blocks(self) -> list[ContentBlock]:
        """The content; plain text as one block."""
        return [ContentBlock("text", text=self.content)] if isinstance(self.content, str) else self.content

    @property
    def text(self) -> str:
        if isinstance(self.content, str):
            return self.content
        return "\n".join(block.text or "" for block in self.content if block.is_text)


class CompactMetadata(lenient.LenientRecord):
    """A boundary's facts about its compaction."""

    trigger: str = ""
    """`auto` or `manual`."""
    preTokens: Count | None = None
    postTokens: Count | None = None
    durationMs: Count | None = None


class RequestParameters(lenient.LenientRecord):
    """A request to the model, as newer clients record it."""

    model: str = ""
    betas: tuple[str, ...] = ()


class ModelIdentity(lenient.LenientRecord):
    """The client's statement to the model of which model it is."""

    modelId: str = ""
    """With `[1m]` where the client was started with that."""


class PromptOrigin(lenient.LenientRecord):
    """A prompt's origin, in newer clients."""

    kind: str = ""
    """`human`, or whatever else wrote it."""


class Attachment(lenient.LenientRecord):
    """Something that the client adds to the conversation, such as a hook's output."""

    type: str = ""
    content: msgspec.Raw = msgspec.Raw(b"null")
    """The content as written in the line."""
    prompt: Any = None
    """For `queued_command`: what was written while the agent worked, a text or a list of blocks."""
    origin: PromptOrigin | None = None
    """For `queued_command`: the prompt's origin."""
    identity: ModelIdentity | None = None
    """For `model`: which model answers."""
    text: str = ""
    """For `total_tokens_reminder`: its text."""
    hookEvent: str = ""
    """For a hook's output: the hook's event."""
    addedNames: tuple[str, ...] = ()
    """For `deferred_tools_delta` and `mcp_instructions_delta`: names, each described in the next two fields."""
    addedLines: tuple[str, ...] = ()
    addedBlocks: tuple[str, ...] = ()
    addedTypes: tuple[str, ...] = ()
    """For `agent_listing_delta`, which also has `addedLines`."""
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
        """Content that is one text: a list of skills, or what a hook printed; empty for any other content."""
        return lenient.decode_or(bytes(self.content), str, "")


class RequestShape(lenient.LenientRecord):
    """The rarely changing part of a request, before its messages, as newer clients record it."""

    system: tuple[ContentBlock, ...] = ()
    tools: tuple[msgspec.Raw, ...] = ()
    """Each with name, description and schema, as the client sends it."""


class TranscriptLine(lenient.LenientRecord):
    type: str = ""
    """`user`, `assistant`, `system`, `attachment`, `api-request`, `queue-operation`, and others that are not read."""
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
    """Whether it is a subagent's: older clients also write those into their parent's file."""
    isMeta: bool | None = False
    """Whether the client wrote it in the person's name."""
    sourceToolUseID: str | None = ""
    """The tool call that made the client write it, such as one that loads a skill."""
    isCompactSummary: bool | None = False
    origin: PromptOrigin | None = None
    promptSource: str = ""
    """A prompt's source, by the client's name for it, such as `typed` or `system`."""
    isApiErrorMessage: bool | None = False
    """Whether an answer is the client's own, in place of one that failed."""
    message: TranscriptMessage | None = None
    toolUseResult: msgspec.Raw = msgspec.Raw(b"null")
    """A tool's result in the client's own form, as written in the line."""
    compactMetadata: CompactMetadata | None = None
    params: RequestParameters | None = None
    shape: msgspec.Raw = msgspec.Raw(b"null")
    """For `api-request-shape`: a RequestShape, of about 80 kB."""
    querySource: str = ""
    """For `api-request`: the request's purpose."""
    attachment: Attachment | None = None
    rendered: msgspec.Raw = msgspec.Raw(b"null")
    """An attachment as the model gets it, from newer clients, as written in the line."""
    operation: str = ""
    """For `queue-operation`: `enqueue`, `dequeue`, `popAll` and others."""
    content: msgspec.Raw = msgspec.Raw(b"null")
    """The content of a line that has no message, as written in the line."""

    @property
    def is_compact_boundary(self) -> bool:
        return self.type == "system" and self.subtype == "compact_boundary"


_DECODER = msgspec.json.Decoder(TranscriptLine, float_hook=float)  # shared.files.lenient says why


def line_in(data: bytes) -> TranscriptLine | None:
    """The line in `data`, which has no newline; None if it is no JSON object."""
    try:
        return _DECODER.decode(data)  # enough for nearly all lines, in half the time of the lenient decoder
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError):
        pass
    try:
        return lenient.record(data, TranscriptLine)
    except msgspec.MsgspecError:
        return None
