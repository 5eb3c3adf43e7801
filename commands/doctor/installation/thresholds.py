"""Every threshold in force, in one table: where each begins, and what happens there."""

from collections.abc import Iterator

import msgspec

from monitor.guards.ceiling import percentage_in
from shared.client import models
from shared.client.rate_limits import REPORT_FROM, REPORT_STEP
from shared.gauge.levels import Level, PivotLevel, Thresholds, Tier, begins_at, tokens_at
from shared.gauge.window import percent_text
from shared.settings.config import Config


class ThresholdRow(msgspec.Struct, frozen=True):
    """One threshold."""

    setting: str
    """What moves it: a setting, or the section of one level."""
    used: float
    """Percent of the window at which it begins."""
    tokens: dict[int, int]
    """The thresholds in tokens, by the window's size."""
    what: str
    """What happens there."""
    before_limit: int | None = None
    """Tokens before the limit at which it begins at the latest."""
    is_on: bool = True


def rows(config: Config) -> list[ThresholdRow]:
    """The thresholds in windows of the configured size, else of the two sizes that the client has, the lowest first."""
    sizes = [config.window.size] if config.window.size else [models.STANDARD, models.LONG]
    result = [*_levels(config, sizes), *_tiers(config, sizes), *_pivot(config, sizes), _ceiling(config, sizes)]
    return sorted(result, key=lambda row: row.used)


def cells(rows: list[ThresholdRow]) -> Iterator[list[str]]:
    """The table's rows as text, the heading first."""
    sizes = [f"of {size:,}" for size in rows[0].tokens]
    yield ["from, used", *sizes, "before the limit", "what begins", "setting"]
    for row in rows:
        latest = f"{row.before_limit:,}" if row.before_limit is not None else ""
        what = row.what if row.is_on else f"{row.what} (off)"
        starts = [f"{tokens:,}" for tokens in row.tokens.values()]
        yield [f"{percent_text(row.used)} %", *starts, latest, what, row.setting]


def footnote() -> str:
    """What isn't of the window."""
    return f"The agent is told about rate limits from {REPORT_FROM} % on, and again every {REPORT_STEP} points."


def _levels(config: Config, sizes: list[int]) -> Iterator[ThresholdRow]:
    for level in Level:
        rule = config.levels.rule(level)
        if rule is None:
            continue
        often = "every use" if rule.every == 1 else f"every {rule.every} uses"
        most = f", ≤ {rule.max_tokens:,} left" if rule.max_tokens else ""
        tokens = {size: begins_at(rule, size) for size in sizes}
        yield ThresholdRow(
            f"levels.{level.name.lower()}",
            100 - rule.remaining,
            tokens,
            f"{level.name}{most}: {often}",
            rule.compact_margin_tokens,
            config.hooks.context_warnings,
        )


def _tiers(config: Config, sizes: list[int]) -> Iterator[ThresholdRow]:
    for tier, bound in _bounds(Tier, config.prompt_tag.tiers):
        name = tier.name.lower()
        yield _row(
            f"prompt_tag.tiers.{name}", 100 * bound, sizes, f"prompt's tag: {name}", is_on=config.hooks.prompt_tag
        )


def _pivot(config: Config, sizes: list[int]) -> Iterator[ThresholdRow]:
    for level, bound in _bounds(PivotLevel, config.pivot.levels):
        name = level.name.lower()
        yield _row(f"pivot.levels.{name}", bound, sizes, f"pivot: {name}", is_on=config.hooks.pivot)


def _ceiling(config: Config, sizes: list[int]) -> ThresholdRow:
    ceiling = config.ceiling
    percentages = {size: percentage_in(config, size) for size in sizes}
    tokens = {size: tokens_at(used, size) for size, used in percentages.items()}
    if ceiling.max_tokens:
        tokens = {size: min(at, ceiling.max_tokens) for size, at in tokens.items()}
    first, is_on = min(percentages.values()), config.hooks.ceiling_guard
    return ThresholdRow("ceiling.percentage", first, tokens, "ceiling guard", is_on=is_on)


def _bounds(names: type[Tier] | type[PivotLevel], thresholds: Thresholds) -> Iterator[tuple[Tier | PivotLevel, float]]:
    """Each name of a scale but the first, with where it begins."""
    yield from zip(list(names)[1:], thresholds.bounds, strict=True)


def _row(setting: str, used: float, sizes: list[int], what: str, *, is_on: bool) -> ThresholdRow:
    """A threshold that is a plain part of the window."""
    return ThresholdRow(setting, round(used, 6), {size: tokens_at(used, size) for size in sizes}, what, is_on=is_on)
