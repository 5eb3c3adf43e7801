"""The window of each call, by the transcript and the settings: its size, its end, the level."""

from functools import lru_cache

import msgspec
from msgspec.structs import asdict

from history.store.rows import WindowRow
from shared.client.models import STANDARD, is_same
from shared.gauge import window
from shared.gauge.levels import Level, begins_at
from shared.gauge.limit import compaction_before_end, limit_of
from shared.settings.config import Config

_MOST_RESOLVED = 1_000


class WindowSigns(msgspec.Struct, frozen=True):
    """Signs of a transcript's window in its lines so far (shared.gauge.window.WindowFacts)."""

    is_long: bool | None = None
    identity: str = ""
    countdown: int | None = None


class Windows:
    """Windows, each resolved once per set of signs. A session's variables, which its transcript lacks, don't count."""

    def __init__(self, config: Config) -> None:
        self._config = config
        self._resolved = lru_cache(_MOST_RESOLVED)(self._resolve)

    def of(self, tokens: int, model: str, client: str, signs: WindowSigns) -> tuple[WindowRow, str | None]:
        """The window that held `tokens`, and the level's name; None for one of unknown size."""
        row, bounds = self._resolved(0, model, client, signs)
        if tokens > (row.tokens or STANDARD):  # fewer tokens say nothing about the size
            row, bounds = self._resolve(tokens, model, client, signs)
        if row.tokens is None:
            return row, None
        return row, next((level for begin, level in reversed(bounds) if tokens >= begin), Level.NORMAL.name)

    def _resolve(
        self, tokens: int, model: str, client: str, signs: WindowSigns
    ) -> tuple[WindowRow, list[tuple[int, str]]]:
        """The window, and the tokens at which each level begins, the first level first."""
        facts = asdict(signs) | {"identity": signs.identity if is_same(signs.identity, model) else ""}
        own = self._config.window
        size = window.resolve(window.WindowFacts(tokens, model, {}, client, own.size, own.models, **facts))
        limit = limit_of(facts["identity"] or model, size, {}, client)
        ends_at, certainty = (limit.tokens, limit.certainty) if limit else (None, "")
        row = WindowRow(size.tokens, size.source, ends_at, certainty)
        before_end, whole = compaction_before_end(limit, size.tokens), size.tokens or 0
        levels = self._config.levels.above(Level.NORMAL)
        return row, [(begins_at(rule, whole, before_end), level.name) for level, rule in levels]
