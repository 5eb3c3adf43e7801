"""The ladders in force, in one table: where each level begins, and how often it is told."""

from monitor.commands.diagnosis.surroundings import Surroundings
from shared import settings, window
from shared.config import Config
from shared.level import Level, begins_at
from shared.reading import percent_text

_HEAD = ("level", "remaining", "told", "from, of {:,}")


def table(place: Surroundings) -> list[list[str]]:
    """Rows of cells, the heading first."""
    config = settings.load(place.root, place.environ, place.directory).config
    sizes = _sizes(config)
    rows = [[*_HEAD[:3], *(_HEAD[3].format(size) for size in sizes), "before a known compaction"]]
    for level in Level:
        rung = config.levels.rung(level)
        if rung is None:
            rows.append(
                [level.name, f"> {percent_text(config.levels.warning.remaining)} %", "never", *["0"] * len(sizes), ""]
            )
            continue
        often = "every tool use" if rung.every == 1 else f"every {rung.every} tool uses"
        limit = f", ≤ {rung.max_tokens:,} tokens" if rung.max_tokens else ""
        starts = (f"{begins_at(rung, size):,}" for size in sizes)
        remaining = f"≤ {percent_text(rung.remaining)} %{limit}"
        rows.append([level.name, remaining, often, *starts, f"{rung.compact_margin_tokens:,} tokens"])
    return rows


def _sizes(config: Config) -> list[int]:
    return [config.window.size] if config.window.size else [window.STANDARD, window.LONG]
