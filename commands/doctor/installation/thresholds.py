"""Every threshold in force, in one table: where each begins, and what happens there."""

from collections.abc import Iterator

import msgspec

from monitor.guards.ceiling import percentage_in
from shared.client import models
from shared.client.rate_limits import REPORT_FROM, REPORT_STEP
from shared.gauge.levels import Level, begins_at, tokens_at
from shared.gauge.window import percent_text
from shared.settings.config import Config


class ThresholdRow(msgspec.Struct, frozen=True):
    setting: str
    """The setting that moves it, or a level's section."""
    used: float
    """Percent of the window at which it begins."""
    tokens: dict[int, int]
    """The thresholds in tokens, by the window's size."""
    what: str
    before_limit: int | None = None
    """Tokens before the limit at which it begins at the latest."""
    is_on: bool = True


def rows(config: Config) -> list[ThresholdRow]:
    """The thresholds, lowest first, in windows of the configured size, or else of the client's two sizes."""
    sizes = [config.window.size] if config.window.size else [models.STANDARD, models.LONG]
    result = [*_levels(config, sizes), *_shares(config, sizes), _ceiling(config, sizes)]
    return sorted(result, key=lambda row: row.used)


def cells(rows: list[ThresholdRow]) -> Iterator[list[str]]:
    """The table's rows as text, the heading first."""
    sizes = [f"of {size:,}" for size in rows[0].tokens]
    yield ["from, used", *sizes, "before the limit", "what begins", "setting"]
    for row in rows:
        latest = f"{row.before_limit:,}" if row.before_limit is not None else ""
        what = row.what if row.is_on else f"{row.what} (off)"
        starts = [f"{tokens:,}" for tokens in row.tokens.values()]
        yield [f"{percent_text(row.used)}%", *starts, latest, what, row.setting]


FOOTNOTE = f"The agent is told about rate limits from {REPORT_FROM}% on, and again every {REPORT_STEP} points."


def _levels(config: Config, sizes: list[int]) -> Iterator[ThresholdRow]:
    for level, rule in config.levels.above(Level.NORMAL):
        setting, is_on = f"levels.{level.name.lower()}", config.hooks.context_warnings
        often = "every use" if rule.every == 1 else f"every {rule.every} uses"
        most = f", ≤ {rule.max_tokens:,} left" if rule.max_tokens else ""
        what = f"{level.name}{most}: {often}"
        tokens = {size: begins_at(rule, size) for size in sizes}
        yield ThresholdRow(setting, 100 - rule.remaining, tokens, what, rule.compact_margin_tokens, is_on)


def _shares(config: Config, sizes: list[int]) -> Iterator[ThresholdRow]:
    """Yield the thresholds that are a plain share of the window: the tag's and the pivot's."""
    scales = (
        ("prompt_tag.tiers", "prompt's tag", config.prompt_tag.tiers, 100, config.hooks.prompt_tag),
        ("pivot.levels", "pivot", config.pivot.levels, 1, config.hooks.pivot),
    )
    for section, what, thresholds, percent, is_on in scales:
        for name, bound in msgspec.structs.asdict(thresholds).items():
            used = round(percent * bound, 6)
            tokens = {size: tokens_at(used, size) for size in sizes}
            yield ThresholdRow(f"{section}.{name}", used, tokens, f"{what}: {name}", is_on=is_on)


def _ceiling(config: Config, sizes: list[int]) -> ThresholdRow:
    percentages = {size: percentage_in(config, size) for size in sizes}
    tokens = {size: tokens_at(used, size) for size, used in percentages.items()}
    first, is_on = min(percentages.values()), config.hooks.ceiling_guard
    return ThresholdRow("ceiling.percentage", first, tokens, "ceiling guard", is_on=is_on)
