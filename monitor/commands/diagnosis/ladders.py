"""The ladder in force: where each level begins, and how often it is told."""

from collections.abc import Iterator

import msgspec

from shared import window
from shared.config import Config
from shared.level import Level, Rung, begins_at
from shared.reading import percent_text


class Row(msgspec.Struct, frozen=True):
    """One level that speaks."""

    level: str
    rung: Rung
    begins: dict[int, int]
    """Tokens at which it begins, by the window's size."""


def rows(config: Config) -> list[Row]:
    """The levels of the monitor, in windows of the configured size, else of the two sizes that the client has."""
    sizes = [config.window.size] if config.window.size else [window.STANDARD, window.LONG]
    rungs = [(level, config.levels.rung(level)) for level in Level]
    return [
        Row(level.name, rung, {size: begins_at(rung, size) for size in sizes})
        for level, rung in rungs
        if rung is not None
    ]


def cells(found: list[Row]) -> Iterator[list[str]]:
    """The same as rows of text, the heading first."""
    sizes = [f"from, of {size:,}" for size in found[0].begins]
    yield ["level", "remaining", "told", *sizes, "before a known compaction"]
    for row in found:
        rung = row.rung
        limit = f", ≤ {rung.max_tokens:,} tokens" if rung.max_tokens else ""
        often = "every tool use" if rung.every == 1 else f"every {rung.every} tool uses"
        starts = [f"{tokens:,}" for tokens in row.begins.values()]
        remaining = f"≤ {percent_text(rung.remaining)} %{limit}"
        yield [row.level, remaining, often, *starts, f"{rung.compact_margin_tokens:,} tokens"]
