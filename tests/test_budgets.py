"""Every text stays within its budget of the agent's window, whatever it holds and whichever tokenizer counts."""

import pytest

from docs import budgets
from docs.budgets import Text
from monitor.checkpoints.token_budget import tokens
from tests.levels import SPEAKING
from tests.tokenizers import tokenizer

pytestmark = pytest.mark.any_python

NAMES = [
    "prompt tag", "prompt tag at NORMAL", "an extra sentence",
    *(level.name for level in SPEAKING), "brief", "compaction alert", "all with a prompt",
    "resumption", "unfinished work", "ceiling guard", "read guard", "subagent budget", "staleness",
]  # fmt: skip


class Counter:
    def __init__(self) -> None:
        self._tokenizers = [tokenizer(name) for name in ("cl100k_base", "o200k_base")]

    def most(self, text: str) -> int:
        return max(len(each.encode(text)) for each in self._tokenizers)


@pytest.fixture(scope="module")
def texts() -> list[Text]:
    return list(budgets.longest())


@pytest.fixture(scope="module")
def counter() -> Counter:
    return Counter()


def test_every_text_is_measured(texts: list[Text]) -> None:
    assert {one.name for one in texts} == set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_a_text_keeps_to_its_budget(texts: list[Text], counter: Counter, name: str) -> None:
    for one in (one for one in texts if one.name == name):
        assert max(-(-len(one.text) // 4), counter.most(one.text)) <= one.budget, one.text


def test_a_tag_takes_at_least_40_tokens(texts: list[Text]) -> None:
    assert min(len(one.text) for one in texts if one.name == "prompt tag") / 4 >= 40


@pytest.mark.parametrize("name", NAMES)
def test_the_estimate_of_a_text_never_falls_short(texts: list[Text], counter: Counter, name: str) -> None:
    for one in (one for one in texts if one.name == name):
        assert tokens(one.text) >= counter.most(one.text), one.text


@pytest.mark.parametrize("words", budgets.WORDS)
def test_the_estimate_never_falls_short(counter: Counter, words: str) -> None:
    assert tokens(words) >= counter.most(words)


@pytest.mark.parametrize("name", ["brief", "compaction alert", "resumption"])
def test_a_budget_is_used(texts: list[Text], name: str) -> None:
    """A text far below its budget says less than it could."""
    fullest = max(-(-len(one.text) // 4) for one in texts if one.name == name)
    budget = next(one.budget for one in texts if one.name == name)
    assert fullest >= 0.6 * budget
