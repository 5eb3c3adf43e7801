"""The table of strategies."""

import pytest

from monitor.pivot.decision import Strategy
from monitor.pivot.report import CARRIED_OUT
from monitor.pivot.strategies import STRATEGIES, carry_out, summaries
from tests.monitor.pivot.strategies.conftest import Carried


def test_every_strategy_that_can_be_recommended_can_be_carried_out() -> None:
    assert {strategy.value for strategy in CARRIED_OUT} == set(STRATEGIES)
    assert {strategy for strategy in Strategy if strategy.value in STRATEGIES} == CARRIED_OUT


def test_each_says_what_it_is_good_for() -> None:
    assert all(summaries().values())


def test_another_name_is_refused(context: Carried) -> None:
    with pytest.raises(KeyError):
        carry_out("nothing", context())
