"""What the patterns need of a session: its tool calls since the last compaction, without a word of what was said.

A compaction takes the results out of the window, so the history begins anew with it. Of texts, only hashes are
kept: whether two are the same can be told, what they say cannot.
"""

from typing import Literal

import msgspec

from shared.forecast import BYTES_PER_TOKEN

MOST_STEPS, FEWEST_STEPS = 2_000, 1_500
"""When the first number is passed, the oldest steps are forgotten down to the second."""
MOST_WAITING = 400

Kind = Literal["read", "part", "edit", "write", "command", "look", "delegate", "other"]
"""`part` is a read of some lines; `look` a search, in files or on the web; `delegate` a subagent."""
WAITING, DONE, FAILED, REFUSED = 0, 1, 2, 3
"""Of a call: its result has not been seen, it worked, it didn't, it was never run."""


class Step(msgspec.Struct, array_like=True):
    """One tool call and what became of it."""

    turn: int
    """Which answer of the session called it, from 1."""
    line: int
    """Of the transcript, from 1."""
    kind: Kind
    call: int
    """A hash of the tool and of what it was called with."""
    path: str = ""
    prompt: int = 0
    """The person's prompt that it followed, from 1."""
    removed: list[int] = []
    """Of an edit: hashes of the lines that it took away."""
    added: list[int] = []
    """Of an edit: hashes of the lines that it brought."""
    discards: int = 0
    """Of a file that is written anew: the turn of an edit of which nothing is left in it; 0 when there is none."""
    state: int = WAITING
    outcome: int = 0
    """A hash of what a read, or a call that failed, gave back; the numbers in an error don't count."""
    tokens: int = 0
    """Of the result in the window, estimated."""

    @property
    def is_read(self) -> bool:
        return self.kind in {"read", "part"}

    @property
    def is_done(self) -> bool:
        """Whether it worked, as far as is known: a result that is too long to be looked at is not seen."""
        return self.state in {DONE, WAITING}

    @property
    def is_edit(self) -> bool:
        """Whether it changed a file."""
        return self.kind in {"edit", "write"} and self.is_done


class History(msgspec.Struct):
    """Of one session, as far as its transcript has been read."""

    started: str = ""
    """ISO 8601: the first time in the transcript."""
    directory: str = ""
    """Where the session was started."""
    answer: str = ""
    """Id of the newest answer."""
    turns: int = 0
    """Answers of the whole session."""
    tool_calls: int = 0
    """Of the whole session."""
    prompts: int = 0
    """Of the person's, in the whole session."""
    since: int = 0
    """Turns before the last compaction."""
    heard: int = 0
    """Bytes of the lines since the last compaction that were read."""
    measured_tokens: int = 0
    """In the window, as somebody else knows them; 0 when nobody does."""
    steps: list[Step] = []
    forgotten: int = 0
    """Steps that are no longer kept."""
    waiting: dict[str, int] = {}
    """Number of the step by tool use id, from 0, forgotten ones counted."""

    def begin_anew(self) -> None:
        """Forget what the window no longer holds."""
        self.since, self.heard = self.turns, 0
        self._forget(len(self.steps))

    def answered(self, answer: str) -> None:
        """Count an answer; a client writes one as several lines with the same id."""
        if not answer or answer != self.answer:
            self.turns += 1
            self.answer = answer

    def call(self, tool_use_id: str, step: Step) -> None:
        """Add a call that is under way."""
        if tool_use_id in self.waiting:
            return
        self.tool_calls += 1
        if tool_use_id:
            self.waiting[tool_use_id] = self.forgotten + len(self.steps)
            while len(self.waiting) > MOST_WAITING:
                del self.waiting[next(iter(self.waiting))]
        self.steps.append(step)
        if len(self.steps) > MOST_STEPS:
            self._forget(len(self.steps) - FEWEST_STEPS)

    def resulted(self, tool_use_id: str) -> Step | None:
        """The step whose result has come; None for one that is not known."""
        number = self.waiting.pop(tool_use_id, -1) - self.forgotten
        return self.steps[number] if number >= 0 else None

    @property
    def window_tokens(self) -> int:
        """Tokens in the window: measured, else estimated from what was heard."""
        return self.measured_tokens or self.heard // BYTES_PER_TOKEN

    @property
    def first_turn(self) -> int:
        """The first turn that is remembered."""
        return self.steps[0].turn if self.forgotten and self.steps else self.since + 1

    @property
    def early_until(self) -> int:
        """The last turn of the first third."""
        return self.first_turn - 1 + (self.turns - self.first_turn + 1) // 3

    def _forget(self, count: int) -> None:
        del self.steps[:count]
        self.forgotten += count
        self.waiting = {name: number for name, number in self.waiting.items() if number >= self.forgotten}
