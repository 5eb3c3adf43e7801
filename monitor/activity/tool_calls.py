"""The log of a session's tool calls since the last compaction, for the patterns, without a word of the conversation.

A compaction takes the results out of the window, so the log starts again with it, and so it does where the window was
emptied in another way. Texts are stored as hashes, which show whether two are the same, not what they say.
"""

import msgspec

from shared.client.tools import EDIT_KINDS, READ_KINDS, Kind
from shared.text.plain import plain
from shared.transcript.records import BYTES_PER_TOKEN

MOST_CALLS, FEWEST_CALLS = 2_000, 1_500
"""When the first number is passed, the oldest calls are forgotten down to the second."""
LONGEST_PATH = 1000
_EMPTIED = 0.1
"""Share of the window by which it shrinks between two answers when results were taken out of it. The client does so
without a word in the transcript (old results are cleared, a prompt is taken back, a plan goes on in an empty window);
in 238 real sessions the window shrank 26 times by 8 to 47 %, and otherwise by 5 % or less."""

WAITING, DONE, FAILED, REFUSED = 0, 1, 2, 3
"""The outcome of a call: its result has not come, it worked, it didn't, it was never run."""


class ToolCall(msgspec.Struct, array_like=True):
    turn: int
    """Which answer of the session called it, from 1."""
    kind: Kind
    """The tool's kind in TOOLS; a command that only shows something is a `search`."""
    fingerprint: int
    """A hash of the tool and of what it was called with; of a command, of the command alone."""
    path: str = ""
    """Absolute; empty for a call without one."""
    prompt: int = 0
    """The person's prompt that it followed, from 1."""
    removed: list[int] = []
    """Hashes of the lines that an edit took away."""
    added: list[int] = []
    """Hashes of the lines that an edit brought."""
    state: int = WAITING
    """WAITING, DONE, FAILED or REFUSED."""
    outcome: int = 0
    """A hash of what a read, a search, or a call that failed, gave back; the numbers in an error don't count."""
    tokens: int = 0
    """Estimated tokens of the result in the window."""
    revisions: int = 0
    """How often the session had had git record or replace its work before."""
    first: int = 0
    last: int = 0
    """The last line that a read may have shown, from 1; 0 where it isn't known."""

    @property
    def is_read(self) -> bool:
        return self.kind in READ_KINDS

    @property
    def is_done(self) -> bool:
        """Whether it worked, as far as is known: a result that is too long is not read."""
        return self.state in {DONE, WAITING}

    @property
    def is_edit(self) -> bool:
        return self.kind in EDIT_KINDS and self.is_done


class ToolCallLog(msgspec.Struct):
    """The tool calls in the part of one session's transcript that has been read."""

    started: str = ""
    """ISO 8601: the first time in the transcript."""
    directory: str = ""
    """Where the session was started."""
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
    """Tokens in the window as the monitor measured them; 0 when it has no measurement."""
    calls: list[ToolCall] = []
    """The calls since the last compaction, the oldest first."""

    def reset(self) -> None:
        """Forget what the window no longer holds."""
        self.bytes_read = self.tokens = 0
        self.calls.clear()

    def add_line(self, size: int, timestamp: str, directory: str) -> None:
        """Count a line of `size` bytes, and keep what nearly every line says."""
        self.bytes_read += size
        self.started = self.started or plain(timestamp, 40)
        self.directory = self.directory or plain(directory, LONGEST_PATH)

    def add_answer(self, answer: str, tokens: int) -> None:
        """Count an answer by its id, with which the window holds `tokens`; 0 where that is not known."""
        if 0 < tokens <= (1 - _EMPTIED) * self.tokens:
            self.reset()
        self.tokens = tokens or self.tokens
        self.turns += 1
        self.answer = answer

    def add(self, call: ToolCall) -> int:
        """Add a call that is under way; its number in the session, from 0."""
        self.call_count += 1
        self.calls.append(call)
        if len(self.calls) > MOST_CALLS:
            del self.calls[:-FEWEST_CALLS]
        return self.call_count - 1

    def numbered(self, number: int) -> ToolCall | None:
        """The call that `add` gave this number; None once it is forgotten."""
        index = number - (self.call_count - len(self.calls))
        return self.calls[index] if 0 <= index < len(self.calls) else None

    @property
    def window_tokens(self) -> int:
        """Tokens in the window: measured, else as the newest answer has it, else estimated from what was read."""
        return self.measured_tokens or self.tokens or self.bytes_read // BYTES_PER_TOKEN
