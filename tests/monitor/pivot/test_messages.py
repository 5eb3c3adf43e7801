"""A recommendation agrees with the level's step, or isn't made."""

import pytest

from monitor.pivot.decision import Strategy
from monitor.pivot.messages import fitting
from shared.gauge.levels import Level
from shared.gauge.limit import Limit
from shared.gauge.verdict import Verdict
from shared.gauge.window import Reading, WindowSource

READING = Reading(20, 160_000, 200_000, "transcript", WindowSource.BRIDGE, 0.0)
CHUNK, COMPRESS, EXPORT, SPAWN = Strategy.CHUNK, Strategy.COMPRESS, Strategy.EXPORT, Strategy.SPAWN


def fits(level: Level, *, is_compacted: bool) -> list[Strategy | None]:
    """The strategy recommended in place of each one that can be carried out; None for no recommendation."""
    verdict = Verdict(READING, level, Limit(170_000, "set", is_compacted=is_compacted))
    return [fitting(strategy, verdict) for strategy in (CHUNK, COMPRESS, EXPORT, SPAWN)]


@pytest.mark.parametrize("level", [Level.NORMAL, Level.EXHAUSTED])
@pytest.mark.parametrize("is_compacted", [True, False])
def test_no_strategy_is_recommended_at_normal_or_at_the_end(level: Level, *, is_compacted: bool) -> None:
    assert fits(level, is_compacted=is_compacted) == [None, None, None, None]


def test_if_the_client_compacts_the_work_continues_in_this_session() -> None:
    assert fits(Level.WARNING, is_compacted=True) == [CHUNK, COMPRESS, None, None]
    assert fits(Level.CRITICAL, is_compacted=True) == [None, COMPRESS, None, None]


def test_if_the_session_ends_a_new_one_continues() -> None:
    assert fits(Level.WARNING, is_compacted=False) == [CHUNK, COMPRESS, EXPORT, SPAWN]
    assert fits(Level.CRITICAL, is_compacted=False) == [SPAWN, SPAWN, EXPORT, SPAWN]


@pytest.mark.parametrize("strategy", [Strategy.NOTHING, Strategy.MONITOR, Strategy.CONTINUE])
def test_an_impossible_strategy_is_not_recommended(strategy: Strategy) -> None:
    assert fitting(strategy, Verdict(READING, Level.WARNING)) is None
