"""What the reading of a transcript knows after a line; the store keeps it, so that the reading can resume there."""

import msgspec

from history.outcomes import OpenWarning
from history.rebuilds import CachedPrefix
from history.rows import Entrant
from history.subjects import ToolUse
from history.windows import WindowSigns
from shared.reading import Usage


class BranchPoint(msgspec.Struct, array_like=True, frozen=True):
    """Where a branch of a conversation stands: after its newest answer."""

    step: int = 0
    fill: int = 0
    output: int | None = 0
    """Tokens of that answer, which enter with the next request; None if it doesn't report them."""
    size: int = 0
    """Its bytes in the transcript."""
    cached: CachedPrefix = CachedPrefix()


class OpenAnswer(msgspec.Struct, array_like=True):
    """The newest answer, which may get more lines."""

    id: str
    """Of the message and the request."""
    key: int
    at: int | None
    model: str
    client: str
    billed: Usage
    held: Usage
    """Of its last request."""
    life: int | None
    """Seconds that what it wrote to the cache lives; None if it wrote nothing."""
    before: BranchPoint
    entrants: list[Entrant]
    is_whole: bool = False
    """Whether it says that it has ended; otherwise its output isn't known."""
    size: int = 0
    """Bytes of what it says."""

    @property
    def point(self) -> BranchPoint:
        """Where the branch stands after it."""
        cached = self.before.cached.after(self.held, self.life, self.at, self.model)
        fill = self.held.tokens or self.before.fill
        output = self.held.output if self.is_whole else None
        return BranchPoint(self.before.step + 1, fill, output, self.size, cached)


class ConversationState(msgspec.Struct, array_like=True):
    """Everything that the reading knows after a line."""

    first_at: str | None = None
    """ISO 8601, as the client wrote it, of the first line that somebody said; None before it."""
    last_at: str = ""
    directory: str = ""
    """That the session was started in."""
    version: str = ""
    filling: int = 0
    branch: BranchPoint = BranchPoint()
    """Without the open answer."""
    answer: OpenAnswer | None = None
    entrants: list[Entrant] = []
    """Since the newest answer began."""
    awaited: dict[str, ToolUse] = {}
    """By the ids of the tool calls."""
    prompts: dict[int, BranchPoint] = {}
    """Where the branch stood at each prompt of this filling, by the prompt's parent line."""
    signs: WindowSigns = WindowSigns()
    warnings: list[OpenWarning] = []
    compaction: int = 0
    """The key of the compaction whose summary comes next."""
    emptied_by: int = 0
    """The key of the compaction that this filling begins with; 0 for none."""
    side_answer: str = ""
    side_steps: int = 0
    """Of the subagents that older clients wrote into their caller's transcript."""

    @property
    def point(self) -> BranchPoint:
        """Where the branch stands, the open answer included."""
        return self.answer.point if self.answer else self.branch
