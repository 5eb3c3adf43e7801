"""A transcript line's facts about the context window: answers, compactions, requests and the client's runs."""

import re
import time

import msgspec

from shared.client.models import LONG, STANDARD, base_model, is_marked_long
from shared.files.lenient import Count
from shared.transcript.line import CompactMetadata, ReportedUsage, TranscriptLine, TranscriptMessage

_LONG_CONTEXT_BETA = "context-1m-"
_LARGEST_COUNTDOWN = 2_000_000
"""Tokens left above which a reminder is of the padded kind: 15,000,000 and the like, whatever the window."""
PADDED = -1
"""Stands for the number of a padded reminder, or of one with another wording: it says nothing about the window."""
BYTES_PER_TOKEN = 4
"""The estimate for a tool result that is not in the window yet (docs/client.md, "Order and delay")."""
IMAGE_BYTES = 1_600 * BYTES_PER_TOKEN
"""What an image counts, whatever its size in bytes: the most tokens that one takes."""
_IMAGE = re.compile(rb'"type"\s*:\s*"image"')
_PICTURE = re.compile(rb'"[A-Za-z0-9+/=]{200,}"')
"""An image's bytes, as JSON holds them."""
TURN_TOKENS = 25_000
"""The largest result that the client lets a tool return into the window."""
_UNCOUNTED_TOKENS = 25_000
"""The most that a countdown may differ from the window minus the tokens of the answer before it."""
REQUEST, _IDENTITY, _REMINDER = b'"api-request"', b'"identity"', b'"total_tokens_reminder"'
"""Markers of the lines with facts about a run."""
SWITCH = b"<local-command-stdout>Set model to "
"""The line that a model switch leaves: an Agent SDK's with the id or alias, a person's with a display name."""
_SWITCHED_TO = r"`?(?:\S+ \()?([\w./:@\[\]-]+)\)?`?</local-command-stdout>"
SYNTHETIC = "<synthetic>"
"""The model named in an answer that the client wrote itself."""


class Usage(msgspec.Struct, frozen=True):
    """Tokens of one answer, as the API reports them. The window holds all but the output."""

    input: Count
    cache_creation: Count
    cache_read: Count
    output: Count = 0

    @property
    def tokens(self) -> int:
        """Tokens of the request in the context window."""
        return self.input + self.cache_creation + self.cache_read


class Answer(msgspec.Struct, frozen=True):
    """One answer of the model. A client writes a line per content block, all with the same id and usage."""

    id: str
    """The client's id, and the tokens, because a gateway may give every answer the same id."""
    model: str
    tokens: int
    """Tokens in the window: input and both sides of the cache, of the answer's last request."""
    output: int
    """Tokens of the answer itself; they are not in the window yet."""
    timestamp: str
    """ISO 8601, as the client wrote it; empty when absent."""
    offset: int
    """Byte offset of its last line."""
    calls: tuple[str, ...] = ()
    """The ids of its tool calls."""
    client: str = ""
    """Version of the client that wrote it."""
    start: int = 0
    """Byte offset of its first line."""
    billed_tokens: int = 0
    """Tokens of all requests of an answer with server tools, added up as the client does; 0 for a single request."""


class Compaction(msgspec.Struct, frozen=True):
    """A boundary at which the window was emptied into a summary."""

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
    """The timestamp of the last answer before it; empty when unknown."""
    offset: int = 0
    """Byte offset of its line, if the reader gave it."""


class Request(msgspec.Struct, frozen=True):
    """A request to the model, as newer clients record it."""

    model: str
    """Without `[1m]`."""
    is_long: bool
    """Whether it asked for a window of 1M tokens."""
    is_conversation: bool
    """Whether it belongs to the conversation, unlike a separate request for a title or a summary."""


class RunRecords:
    """The facts about this run. Lines are added from the file's last to its first."""

    def __init__(self, since: float) -> None:
        """`since` is when the run began, in epoch seconds; lines count from then on."""
        moment = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(since))
        # As the client writes it: ISO 8601 in UTC, to the millisecond.
        self._since = f"{moment}.{int(since % 1 * 1000):03}Z" if since else ""
        self.pending_markers = [_IDENTITY, SWITCH, _REMINDER, REQUEST]
        """Markers in the heads of the lines whose newest hasn't been found yet."""
        self._requests: list[Request] = []
        self.identity, self.identity_at = "", -1
        """`Tail.identity`, and the byte offset of its line; likewise for the others."""
        self.reminder: int | None = None
        self.reminder_at = -1
        self.was_long: bool | None = None

    def add(self, offset: int, line: TranscriptLine, model: str) -> None:
        """Add the line at `offset`; `model` is the newest answer's, if known."""
        if line.timestamp and line.timestamp < self._since:
            self._add_earlier(line)
            return
        if line.type in {"attachment", "user"}:
            self._add_attachment(offset, line)
        elif request := request_in(line):
            self._requests.append(request)
            if model and request.model == model:
                self.pending_markers = [marker for marker in self.pending_markers if marker != REQUEST]

    def is_long(self, model: str) -> bool | None:
        """Whether the newest request to `model` asked for 1M; None without a record.

        Another model may have been asked for a title or a summary since. A model that was requested by an alias
        answers under its full name, so where no request names `model`, the conversation's newest one counts.
        """
        own = [request for request in self._requests if request.is_conversation]
        requests = [request for request in self._requests if request.model == model] if model else []
        newest = next(iter(requests or own), None)
        return newest.is_long if newest else None

    def window_by_countdown(self, used: int | None) -> int | None:
        """The window's size by the newest reminder, which is what `used` tokens leave of it; None if unknown."""
        tokens = self.reminder
        if tokens is None or tokens == PADDED or used is None:
            return None
        if used == 0:
            return tokens
        return next((size for size in (STANDARD, LONG) if abs(tokens + used - size) <= _UNCOUNTED_TOKENS), None)

    def _add_earlier(self, line: TranscriptLine) -> None:
        if self.was_long is not None:
            return
        request, identity = request_in(line), identity_in(line)
        if identity:
            self.was_long = is_marked_long(identity)
        elif request is not None and request.is_conversation:
            self.was_long = request.is_long

    def _add_attachment(self, offset: int, line: TranscriptLine) -> None:
        result: tuple[bytes, ...] = ()
        if not self.identity and (identity := identity_in(line)):
            self.identity, self.identity_at, result = identity, offset, (_IDENTITY, SWITCH)
        elif self.reminder is None and (reminder := reminder_in(line)) is not None:
            self.reminder, self.reminder_at, result = reminder, offset, (_REMINDER,)
        self.pending_markers = [marker for marker in self.pending_markers if marker not in result]


def answer_in(line: TranscriptLine, offset: int, *, is_subagent: bool) -> Answer | None:
    """The real answer in a line; None for sidechains, synthetic and error answers, and answers without tokens."""
    message = line.message
    if line.type != "assistant" or line.isApiErrorMessage or (line.isSidechain and not is_subagent):
        return None
    if message is None or message.usage is None or message.model == SYNTHETIC:
        return None
    usage, billed_tokens = message.usage, 0
    if usage.iterations:
        usage, billed_tokens = last_request(usage), usage.tokens
    tokens = usage.tokens
    if tokens <= 0:
        return None
    calls = () if isinstance(message.content, str) else tuple(b.id for b in message.content if b.type == "tool_use")
    return Answer(
        id=f"{message.id}@{tokens}",
        model=message.model,
        tokens=tokens,
        output=usage.output_tokens or 0,
        timestamp=line.timestamp,
        offset=offset,
        calls=calls,
        client=line.version,
        start=offset,
        billed_tokens=billed_tokens,
    )


def tokens_in(message: TranscriptMessage) -> int:
    """Tokens in the window, as an answer reports them; 0 if it reports none."""
    return last_request(message.usage).tokens if message.usage else 0


def compaction_in(line: TranscriptLine, offset: int = 0, *, is_subagent: bool = False) -> Compaction | None:
    if not line.is_compact_boundary or (line.isSidechain and not is_subagent):
        return None
    result, id_ = line.compactMetadata or CompactMetadata(), line.uuid or line.timestamp
    return Compaction(id_, result.trigger, result.preTokens, result.postTokens, line.timestamp, offset=offset)


def request_in(line: TranscriptLine) -> Request | None:
    if line.type != "api-request":
        return None
    betas = line.params.betas if line.params else []
    is_conversation = line.querySource.startswith(("repl_main_thread", "sdk", "agent:")) or not line.querySource
    is_long = any(beta.startswith(_LONG_CONTEXT_BETA) for beta in betas)
    return Request(base_model(line.params.model) if line.params else "", is_long, is_conversation)


def identity_in(line: TranscriptLine) -> str:
    """The model that the client identifies to the model, or switches to; empty for any other line."""
    attachment = line.attachment
    if line.type == "user" and line.message and isinstance(line.message.content, str):
        switched = re.fullmatch(SWITCH.decode() + _SWITCHED_TO, line.message.content)
        return switched[1] if switched else ""
    return attachment.identity.modelId if attachment and attachment.type == "model" and attachment.identity else ""


def reminder_in(line: TranscriptLine) -> int | None:
    """Tokens left by a line's reminder (`<total_tokens>`), or PADDED; None for any other line."""
    if line.attachment is None or line.attachment.type != "total_tokens_reminder":
        return None
    number = line.attachment.text.partition("<total_tokens>")[2].partition(" ")[0]
    tokens = int(number) if number.isdecimal() and len(number) < 12 else PADDED
    return tokens if tokens <= _LARGEST_COUNTDOWN else PADDED


def result_bytes(content: bytes | memoryview) -> int:
    """The size of a tool's result in the window, in bytes of text; `content` is as written in the line."""
    images = sum(1 for _ in _IMAGE.finditer(content))
    pictures = sum(match.end() - match.start() for match in _PICTURE.finditer(content)) if images else 0
    return len(content) - pictures + images * IMAGE_BYTES


def last_request(reported: ReportedUsage) -> ReportedUsage:
    """The usage of the last request; the top level may sum several (server tools: docs/client.md, "The transcript")."""
    if not isinstance(reported.iterations, list) or len(reported.iterations) < 2:
        return reported
    try:
        steps = [s for s in msgspec.convert(reported.iterations, list[ReportedUsage]) if s.type == "message"]
    except msgspec.ValidationError:
        return reported
    return steps[-1] if len(steps) > 1 else reported


def usage_in(reported: ReportedUsage) -> Usage:
    """The usage, with 0 for what the client left out."""
    created = reported.cache_creation_input_tokens or reported.split_creation
    return Usage(reported.input_tokens, created, reported.cache_read_input_tokens or 0, reported.output_tokens or 0)
