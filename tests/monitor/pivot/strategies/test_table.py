"""The table of strategies."""

from pathlib import Path

import pytest

from monitor.pivot.decision import Strategy
from monitor.pivot.strategies import STRATEGIES, carry_out
from tests.monitor.conftest import Carried


def test_every_strategy_that_can_be_recommended_can_be_carried_out() -> None:
    advice = {Strategy.NOTHING, Strategy.MONITOR, Strategy.CONTINUE}
    assert {strategy.value for strategy in Strategy if strategy not in advice} == set(STRATEGIES)


def test_another_name_is_refused(context: Carried) -> None:
    with pytest.raises(KeyError):
        carry_out("nothing", context())


def test_unencodable_characters_are_replaced_in_a_new_file(context: Carried) -> None:
    file = context().save("chunk", "tasks.md", "t\u00e4sks \ud800", "the tasks")
    assert Path(file.path).read_bytes() == "t\u00e4sks ?".encode()
