"""What the reading of a transcript knows after a line; the store keeps it, so that the reading can resume there."""

import msgspec

from history.reading.calls.rebuilds import CachedPrefix
from history.reading.calls.warnings import OpenWarning
from history.reading.calls.windows import WindowSigns
from history.store.rows import WindowEntry
from shared.transcript.records import Usage


class BranchPoint(msgspec.Struct, array_like=True, frozen=True):
    """Where a branch of a conversation stands: after its newest answer."""

    step: int = 0
    fill: int = 0
    output: int | None = 0
    """Tokens of that answer, which enter with the next request; None if it doesn't report them."""
    size: int = 0
    """Bytes in the transcript."""
    cached: CachedPrefix = CachedPrefix()


class OpenAnswer(msgspec.Struct, array_like=True):
    """The newest answer, which may get more lines."""

    id: str
    """The ids of the message and the request."""
    key: int
    at: int | None
    model: str
    client: str
    billed: Usage
    usage: Usage
    """The usage of its last request."""
    hour_long: int | None
    """Tokens that it wrote to the cache for an hour; None if the client doesn't say."""
    before: BranchPoint
    entries: list[WindowEntry]
    is_whole: bool = False
    """Whether it says that it has ended; otherwise its output isn't known."""
    size: int = 0
    """Bytes of what it says."""

    @property
    def point(self) -> BranchPoint:
        """Where the branch stands after it."""
        cached = self.before.cached.after(self.usage, self.hour_long, self.at, self.model)
        fill = self.usage.tokens or self.before.fill
        output = self.usage.output if self.is_whole else None
        return BranchPoint(self.before.step + 1, fill, output, self.size, cached)


class ConversationState(msgspec.Struct, array_like=True):
    first_at: str | None = None
    """ISO 8601, as the client wrote it, of the first prompt or answer; None before it."""
    last_at: str = ""
    directory: str = ""
    """The directory that the session was started in."""
    version: str = ""
    cycle: int = 0
    branch: BranchPoint = BranchPoint()
    """Without the open answer."""
    answer: OpenAnswer | None = None
    entries: list[WindowEntry] = []
    """Since the newest answer began."""
    awaited: dict[str, WindowEntry] = {}
    """The results of tool calls that haven't come yet, by the calls' ids."""
    prompts: dict[int, BranchPoint] = {}
    """Where the branch stood at each prompt of this cycle, by the prompt's parent line."""
    signs: WindowSigns = WindowSigns()
    warnings: list[OpenWarning] = []
    compaction: int = 0
    """The key of the compaction whose summary comes next."""
    side_answer: str = ""
    side_steps: int = 0
    """Answers of the subagents that older clients wrote into their caller's transcript."""

    @property
    def point(self) -> BranchPoint:
        """Where the branch stands, the open answer included."""
        return self.answer.point if self.answer else self.branch
