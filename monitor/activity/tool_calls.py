"""The log of a session's tool calls since the last compaction, for the patterns, without any text of the conversation.

A compaction takes the results out of the window, so the log starts again, as it does when the window is emptied in
another way. Texts are stored as hashes, which show whether two are the same, not what they say.
"""

import msgspec

from shared.client.tools import EDIT_KINDS, READ_KINDS, Kind
from shared.text.plain import plain
from shared.transcript.records import BYTES_PER_TOKEN

MOST_CALLS, FEWEST_CALLS = 2_000, 1_500
"""When the first number is exceeded, the oldest calls are forgotten down to the second."""
LONGEST_PATH = 1000
_EMPTIED = 0.1
"""Share by which usage falls between two answers if results were removed. The client does so without a trace in the
transcript (it clears old results, a prompt is retracted, a plan continues in an empty window); in 238 real sessions
usage fell 26 times by 8 to 47 %, and otherwise by 5 % or less."""

WAITING, DONE, FAILED, REFUSED = 0, 1, 2, 3
"""The outcome of a call: no result yet, it worked, it failed, it never ran."""


class ToolCall(msgspec.Struct, array_like=True):
    turn: int
    """The number of the session's answer that made the call, from 1."""
    kind: Kind
    """The tool's kind in TOOLS; a command that only shows something is a `search`."""
    fingerprint: int
    """A hash of the tool and its input; for a command, of the command alone."""
    path: str = ""
    """Absolute; empty for a call without one."""
    prompt: int = 0
    """The number of the person's prompt before the call, from 1."""
    removed: list[int] = []
    """Hashes of the lines that an edit removed."""
    added: list[int] = []
    """Hashes of the lines that an edit added."""
    state: int = WAITING
    """WAITING, DONE, FAILED or REFUSED."""
    outcome: int = 0
    """A hash of the result of a read, a search or a failed call; the numbers in an error don't count."""
    tokens: int = 0
    """Estimated tokens of the result in the window."""
    revisions: int = 0
    """How often git had recorded or replaced the session's work by then."""
    first: int = 0
    last: int = 0
    """The last line that a read may have shown, from 1; 0 if unknown."""

    @property
    def is_read(self) -> bool:
        return self.kind in READ_KINDS

    @property
    def is_done(self) -> bool:
        """Whether it worked, as far as is known: an overlong result isn't read."""
        return self.state in {DONE, WAITING}

    @property
    def is_edit(self) -> bool:
        return self.kind in EDIT_KINDS and self.is_done


class ToolCallLog(msgspec.Struct):
    """The tool calls in the part of one session's transcript that has been read."""

    started: str = ""
    """The transcript's first timestamp, ISO 8601."""
    directory: str = ""
    """The directory in which the session was started."""
    answer: str = ""
    """Id of the newest answer."""
    turns: int = 0
    """Answers of the whole session."""
    call_count: int = 0
    """Tool calls of the whole session."""
    prompts: int = 0
    """The person's prompts in the whole session."""
    revisions: int = 0
    """How often git recorded or replaced the work, in the whole session."""
    bytes_read: int = 0
    """Bytes of the lines since the last compaction."""
    tokens: int = 0
    """Tokens in the window at the newest answer, as the client counted them."""
    measured_tokens: int = 0
    """Tokens in the window as the monitor measured them; 0 without a measurement."""
    calls: list[ToolCall] = []
    """The calls since the last compaction, the oldest first."""

    def reset(self) -> None:
        """Forget what the window no longer holds."""
        self.bytes_read = self.tokens = 0
        self.calls.clear()

    def add_line(self, size: int, timestamp: str, directory: str) -> None:
        """Count a line of `size` bytes; note the session's first timestamp and directory."""
        self.bytes_read += size
        self.started = self.started or plain(timestamp, 40)
        self.directory = self.directory or plain(directory, LONGEST_PATH)

    def add_answer(self, answer: str, tokens: int) -> None:
        """Count an answer by its id; `tokens` are then in the window, 0 if unknown."""
        if 0 < tokens <= (1 - _EMPTIED) * self.tokens:
            self.reset()
        self.tokens = tokens or self.tokens
        self.turns += 1
        self.answer = answer

    def add(self, call: ToolCall) -> int:
        """Add a running call and return its number in the session, from 0."""
        self.call_count += 1
        self.calls.append(call)
        if len(self.calls) > MOST_CALLS:
            del self.calls[:-FEWEST_CALLS]
        return self.call_count - 1

    def numbered(self, number: int) -> ToolCall | None:
        """The call with this number; None once it is forgotten."""
        index = number - (self.call_count - len(self.calls))
        return self.calls[index] if 0 <= index < len(self.calls) else None

    @property
    def window_tokens(self) -> int:
        """Tokens in the window: measured, else by the newest answer, else estimated from the bytes read."""
        return self.measured_tokens or self.tokens or self.bytes_read // BYTES_PER_TOKEN
