"""Why a prompt cache was written again instead of being read."""

import msgspec

from history.store.schema import RebuildCause
from shared.transcript.records import Usage

_SMALLEST = 1_024
"""Tokens from which the API caches: fewer than that are written again between any two turns."""
_SHORT_LIFE, _LONG_LIFE = 300, 3_600
"""Seconds that the API keeps a cache after its last use."""


class CachedPrefix(msgspec.Struct, array_like=True, frozen=True):
    tokens: int = 0
    lifetime: int = _SHORT_LIFE
    """Seconds."""
    at: int | None = None
    model: str = ""

    def after(self, usage: Usage, hour_long: int | None, at: int | None, model: str) -> "CachedPrefix":
        """What is cached after the next answer, which wrote `hour_long` of its tokens for an hour; None: unknown."""
        written = _LONG_LIFE if hour_long else _SHORT_LIFE
        lifetime = written if usage.cache_creation else self.lifetime
        return CachedPrefix(usage.cache_read + usage.cache_creation, lifetime, at or self.at, model)


def rebuilt_by(
    before: CachedPrefix, usage: Usage, at: int | None, model: str, *, is_compacted: bool
) -> tuple[int | None, int | None]:
    """The cause (schema.RebuildCause), and the cached tokens that were written again; None for none."""
    again = min(before.tokens - usage.cache_read, usage.cache_creation)
    if again < _SMALLEST:
        return None, None
    if is_compacted:
        return RebuildCause.COMPACTION, again
    if model != before.model:
        return RebuildCause.MODEL_SWITCH, again
    if at is not None and before.at is not None and at - before.at > before.lifetime:
        return RebuildCause.EXPIRED, again
    return RebuildCause.PREFIX_CHANGED, again
