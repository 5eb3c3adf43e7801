"""The state of a conversation's branch, and the answer that continues it."""

import msgspec

from history.store.rows import WindowEntry
from history.store.schema import RebuildCause
from shared.transcript.records import Usage

_SMALLEST = 1_024
"""The fewest tokens that the API caches: fewer are written again between any two turns."""
_SHORT_LIFE, _LONG_LIFE = 300, 3_600
"""Seconds that the API keeps a cache after its last use."""


class CachedPrefix(msgspec.Struct, frozen=True):
    """The prefix of a conversation that the API's prompt cache holds."""

    tokens: int = 0
    lifetime: int = _SHORT_LIFE
    """Seconds."""
    at: int | None = None
    model: str = ""

    def after(self, usage: Usage, hour_long: int | None, at: int | None, model: str) -> "CachedPrefix":
        """The prefix cached after the next answer, which wrote `hour_long` of its tokens for an hour; None: unknown."""
        written = _LONG_LIFE if hour_long else _SHORT_LIFE
        lifetime = written if usage.cache_creation else self.lifetime
        return CachedPrefix(usage.cache_read + usage.cache_creation, lifetime, at or self.at, model)

    def rebuilt_by(
        self, usage: Usage, at: int | None, model: str, *, is_compacted: bool
    ) -> tuple[int | None, int | None]:
        """Why the next answer wrote cached tokens again (RebuildCause), and how many; None for none."""
        again = min(self.tokens - usage.cache_read, usage.cache_creation)
        if again < _SMALLEST:
            return None, None
        if is_compacted:
            return RebuildCause.COMPACTION, again
        if model != self.model:
            return RebuildCause.MODEL_SWITCH, again
        if at is not None and self.at is not None and at - self.at > self.lifetime:
            return RebuildCause.EXPIRED, again
        return RebuildCause.PREFIX_CHANGED, again


class BranchPoint(msgspec.Struct, frozen=True):
    """The state of a conversation's branch after its newest answer."""

    step: int = 0
    fill: int = 0
    output: int | None = 0
    """Tokens of that answer, which enter with the next request; None if it doesn't report them."""
    size: int = 0
    """Bytes of that answer in the transcript."""
    cached: CachedPrefix = CachedPrefix()


class OpenAnswer(msgspec.Struct):
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
    """Whether it is marked as ended; otherwise its output isn't known."""
    size: int = 0
    """Bytes of its content."""

    @property
    def point(self) -> BranchPoint:
        cached = self.before.cached.after(self.usage, self.hour_long, self.at, self.model)
        fill = self.usage.tokens or self.before.fill
        output = self.usage.output if self.is_whole else None
        return BranchPoint(self.before.step + 1, fill, output, self.size, cached)
