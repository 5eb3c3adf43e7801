"""The ladder in force: where each level begins, and how often it is told."""

from collections.abc import Iterator

import msgspec

from shared import models
from shared.config import Config
from shared.levels import Level, LevelRule, begins_at
from shared.reading import percent_text


class LevelRow(msgspec.Struct, frozen=True):
    """One level that speaks."""

    level: str
    rule: LevelRule
    begins: dict[int, int]
    """Tokens at which it begins, by the window's size."""


def rows(config: Config) -> list[LevelRow]:
    """The levels of the monitor, in windows of the configured size, else of the two sizes that the client has."""
    sizes = [config.window.size] if config.window.size else [models.STANDARD, models.LONG]
    rules = [(level, config.levels.rule(level)) for level in Level]
    return [
        LevelRow(level.name, rule, {size: begins_at(rule, size) for size in sizes})
        for level, rule in rules
        if rule is not None
    ]


def cells(found: list[LevelRow]) -> Iterator[list[str]]:
    """The same as rows of text, the heading first."""
    sizes = [f"from, of {size:,}" for size in found[0].begins]
    yield ["level", "remaining", "told", *sizes, "before a known compaction"]
    for row in found:
        rule = row.rule
        limit = f", ≤ {rule.max_tokens:,} tokens" if rule.max_tokens else ""
        often = "every tool use" if rule.every == 1 else f"every {rule.every} tool uses"
        starts = [f"{tokens:,}" for tokens in row.begins.values()]
        remaining = f"≤ {percent_text(rule.remaining)} %{limit}"
        yield [row.level, remaining, often, *starts, f"{rule.compact_margin_tokens:,} tokens"]
