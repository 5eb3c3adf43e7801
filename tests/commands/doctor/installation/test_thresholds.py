from collections.abc import Iterator
from itertools import pairwise

import msgspec

from commands.doctor.installation.thresholds import ThresholdRow, cells, rows
from shared.gauge.levels import Thresholds
from shared.settings.config import CeilingSettings, Config, Hooks, Window


def by_setting(config: Config) -> dict[str, ThresholdRow]:
    return {row.setting: row for row in rows(config)}


def scales(section: msgspec.Struct, prefix: str = "") -> Iterator[tuple[str, Thresholds]]:
    """Every scale of the configuration, by its section."""
    for name in section.__struct_fields__:
        value = getattr(section, name)
        if isinstance(value, Thresholds):
            yield f"{prefix}{name}", value
        elif isinstance(value, msgspec.Struct):
            yield from scales(value, f"{prefix}{name}.")


def test_every_threshold_of_every_scale_is_listed() -> None:
    wanted = {f"{section}.{name}" for section, scale in scales(Config()) for name in scale.__struct_fields__}

    assert set(by_setting(Config())) == wanted | {"ceiling.percentage"}


def test_they_rise_from_the_first_to_the_last() -> None:
    assert all(earlier.used <= later.used for earlier, later in pairwise(rows(Config())))


def test_each_begins_in_percent_and_in_tokens() -> None:
    result = by_setting(Config(window=Window(size=1001)))

    assert (result["prompt_tag.tiers.low"].used, result["prompt_tag.tiers.low"].tokens) == (55, {1001: 551})
    assert (result["pivot.levels.alert"].used, result["pivot.levels.alert"].tokens) == (70, {1001: 701})


def test_a_configured_ceiling_applies_in_every_window() -> None:
    result = by_setting(Config(ceiling=CeilingSettings(percentage=50)))

    assert result["ceiling.percentage"].tokens == {200_000: 100_000, 1_000_000: 500_000}


def test_switched_off_thresholds_say_so() -> None:
    result = by_setting(Config(hooks=Hooks(pivot=False, ceiling_guard=True)))

    assert (result["pivot.levels.alert"].is_on, result["ceiling.percentage"].is_on) == (False, True)
    assert ["70%", "140,000", "700,000", "", "pivot: alert (off)", "pivot.levels.alert"] in list(
        cells(list(result.values()))
    )
