import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.gauge.levels import Level, LevelRule, LevelRules, begins_at, level_of, tokens_at
from shared.gauge.window import LARGEST, Reading, WindowSource, remaining_percentage
from tests.levels import SPEAKING, uniform

LADDER = LevelRules()
FALLING = [90 - 10 * number for number in range(len(SPEAKING))]
RULES_STRATEGY = st.builds(
    LevelRule,
    remaining=st.integers(0, 1000).map(lambda tenths: tenths / 10),
    every=st.just(1),
    compact_margin_tokens=st.integers(0, 100_000),
    max_tokens=st.none() | st.integers(1, LARGEST),
)


def test_a_window_of_unknown_size_has_no_level_yet() -> None:
    assert level_of(Reading(None, 190_000, None, "transcript", WindowSource.UNKNOWN, 0.0), LADDER) is Level.NORMAL


def reading(remaining: float, tokens: int | None = None, window: int | None = None) -> Reading:
    return Reading(remaining, tokens, window, "transcript", WindowSource.DEFAULT, 0.0)


def at(tokens: int, window: int = 200_000) -> Reading:
    return reading(remaining_percentage(tokens, window), tokens, window)


@pytest.mark.parametrize(
    ("remaining", "level"),
    [
        (35, Level.WARNING),
        (25, Level.CRITICAL),
        (15, Level.EXHAUSTED),
    ],
)
def test_levels_begin_at_their_percentage_inclusive(remaining: int, level: Level) -> None:
    assert level_of(reading(remaining + 1), LADDER) < level
    assert level_of(reading(remaining), LADDER) is level


def test_an_empty_window_is_normal_and_a_full_one_exhausted() -> None:
    assert level_of(reading(100), LADDER) is level_of(at(0), LADDER) is Level.NORMAL
    assert level_of(reading(0), LADDER) is level_of(at(230_000), LADDER) is Level.EXHAUSTED


@pytest.mark.parametrize(
    ("remaining", "level"),
    [
        (35.5, Level.WARNING),  # 64.5 used are 65, halves up
        (25.5, Level.CRITICAL),
        (15.5, Level.EXHAUSTED),
    ],
)
def test_a_fractional_percentage_counts_as_it_is_shown(remaining: float, level: Level) -> None:
    assert level_of(reading(remaining + 0.01), LADDER) < level
    assert level_of(reading(remaining), LADDER) is level


@pytest.mark.parametrize(
    ("tokens", "level"),
    [
        (129_000, Level.WARNING),
        (149_000, Level.CRITICAL),
        (169_000, Level.EXHAUSTED),
    ],
)
def test_levels_begin_where_the_rounded_percentage_does(tokens: int, level: Level) -> None:
    assert level_of(at(tokens - 1), LADDER) < level
    assert level_of(at(tokens), LADDER) is level


def test_a_level_of_a_large_window_may_wait_until_few_tokens_are_left() -> None:
    ladder = uniform(msgspec.structs.replace(LADDER.warning, max_tokens=50_000))
    assert level_of(at(700_000, 1_000_000), ladder) is Level.NORMAL
    assert level_of(at(949_999, 1_000_000), ladder) is Level.NORMAL
    assert level_of(at(950_000, 1_000_000), ladder) is not Level.NORMAL


def test_the_other_levels_keep_their_percentages() -> None:
    ladder = msgspec.structs.replace(LADDER, warning=msgspec.structs.replace(LADDER.warning, max_tokens=50_000))
    assert level_of(at(900_000, 1_000_000), ladder) is Level.CRITICAL


def test_a_small_window_begins_its_levels_by_percentage() -> None:
    ladder = msgspec.structs.replace(LADDER, warning=msgspec.structs.replace(LADDER.warning, max_tokens=90_000))
    assert level_of(at(128_999), ladder) < Level.WARNING
    assert level_of(at(129_000), ladder) is Level.WARNING


def test_few_tokens_never_delay_a_level_of_unknown_size() -> None:
    ladder = msgspec.structs.replace(LADDER, warning=msgspec.structs.replace(LADDER.warning, max_tokens=1))
    assert level_of(reading(35), ladder) is Level.WARNING


@pytest.mark.parametrize(
    ("tokens", "level"),
    [
        (70_000, Level.WARNING),
        (80_000, Level.CRITICAL),
        (85_000, Level.EXHAUSTED),
    ],
)
def test_no_level_begins_later_than_its_margin_before_a_known_compaction(tokens: int, level: Level) -> None:
    assert level_of(at(tokens - 1), LADDER, compaction_at=90_000) < level
    assert level_of(at(tokens), LADDER, compaction_at=90_000) is level


def test_a_level_begins_at_once_if_the_margin_exceeds_the_room() -> None:
    assert begins_at(LADDER.warning, 200_000, compaction_at=19_999) == 0


def test_a_late_compaction_changes_nothing() -> None:
    assert level_of(at(129_000), LADDER, compaction_at=400_000) is Level.WARNING
    assert level_of(at(128_999), LADDER, compaction_at=400_000) < Level.WARNING


def test_a_compaction_does_not_affect_a_reading_without_tokens() -> None:
    assert level_of(reading(90), LADDER, compaction_at=1) is Level.NORMAL


def test_the_levels_begin_at_their_used_percentages() -> None:
    bounds = dict(zip(LADDER.__struct_fields__, LADDER.bounds, strict=True))
    assert (bounds["warning"], bounds["critical"], bounds["exhausted"]) == (65, 75, 85)


def test_normal_has_no_rung() -> None:
    assert LADDER.rule(Level.NORMAL) is None


@pytest.mark.parametrize(
    ("remaining", "is_ordered"),
    [
        (FALLING, True),
        ([FALLING[0], FALLING[0], *FALLING[2:]], False),
        ([FALLING[1], FALLING[0], *FALLING[2:]], False),
        ([*FALLING[:-2], FALLING[-1], FALLING[-2]], False),
    ],
)
def test_a_ladder_is_ordered_when_each_level_begins_later(remaining: list[int], *, is_ordered: bool) -> None:
    rules = [LevelRule(remaining=percent, every=1, compact_margin_tokens=0) for percent in remaining]
    assert (LevelRules(*rules).disorder == "") is is_ordered


@given(
    rule=RULES_STRATEGY,
    window=st.integers(1, LARGEST),
    compaction_at=st.none() | st.integers(1, LARGEST),
    offset=st.integers(-2, 2),
    anywhere=st.integers(0, LARGEST),
)
def test_a_level_begins_at_exactly_its_published_token_count(
    rule: LevelRule, window: int, compaction_at: int | None, *, offset: int, anywhere: int
) -> None:
    ladder = uniform(rule)
    first = begins_at(rule, window, compaction_at)
    for tokens in (max(0, first + offset), anywhere):
        is_reached = level_of(at(tokens, window), ladder, compaction_at) is not Level.NORMAL
        assert is_reached is (tokens >= first)


@given(tokens=st.integers(0, LARGEST), more=st.integers(0, LARGEST), window=st.integers(1, LARGEST))
def test_more_tokens_never_lower_the_level(tokens: int, more: int, window: int) -> None:
    assert level_of(at(tokens, window), LADDER) <= level_of(at(tokens + more, window), LADDER)


@pytest.mark.parametrize(
    ("window", "compaction_at", "tokens"),
    [
        (200_000, None, 129_000),
        (1_000_000, None, 850_000),
        (200_000, 90_000, 70_000),
        (200_000, 400_000, 129_000),
        (1_000_000, 167_000, 147_000),
    ],
)
def test_a_warning_begins_where_its_rule_says_or_a_margin_before_a_compaction(
    window: int, compaction_at: int | None, tokens: int
) -> None:
    assert begins_at(LevelRules().warning, window, compaction_at) == tokens


@pytest.mark.parametrize(
    ("percent", "window", "tokens"),
    [(100 * 0.55, 200_000, 110_000), (100 * 0.55, 1_000_000, 550_000), (33.3333, 200_000, 66_667), (0.1, 999, 1)],
)
def test_a_percentage_is_reached_at_the_next_whole_token(percent: float, window: int, tokens: int) -> None:
    assert tokens_at(percent, window) == tokens
