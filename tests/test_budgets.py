"""No text takes more of the agent's window than its budget, whatever it is made of and whoever counts."""

import bpe_openai  # type: ignore[import-untyped]  # it has no types
import pytest

from docs import budgets
from docs.budgets import Text
from monitor.checkpoints.token_budget import tokens

TEXTS = list(budgets.longest())
TOKENIZERS = [bpe_openai.get_encoding(name) for name in ("cl100k_base", "o200k_base")]
"""Real ones, whose vocabularies come with the package: the model's own cannot be used offline."""


def named(one: Text) -> str:
    return one.name


@pytest.mark.parametrize("one", TEXTS, ids=named)
def test_a_text_keeps_to_its_budget(one: Text) -> None:
    counted = [len(tokenizer.encode(one.text)) for tokenizer in TOKENIZERS]
    assert max(-(-len(one.text) // 4), *counted) <= one.budget, one.text


@pytest.mark.parametrize("one", [text for text in TEXTS if text.name == "prompt tag"], ids=named)
def test_a_tag_takes_40_tokens_at_least(one: Text) -> None:
    assert len(one.text) / 4 >= 40


@pytest.mark.parametrize("words", [*budgets.WORDS, *(one.text for one in TEXTS)])
def test_the_estimate_never_falls_short(words: str) -> None:
    assert tokens(words) >= max(len(tokenizer.encode(words)) for tokenizer in TOKENIZERS)


def test_every_text_is_looked_at() -> None:
    assert {one.name for one in TEXTS} == {
        "prompt tag", "prompt tag at NORMAL", "a sentence beside",
        "WARNING", "CRITICAL", "EXHAUSTED", "brief", "compaction alert", "all with a prompt",
        "resumption", "unfinished work", "ceiling guard", "read guard", "subagent budget", "staleness",
    }  # fmt: skip


@pytest.mark.parametrize("name", ["brief", "compaction alert", "resumption"])
def test_a_budget_is_used(name: str) -> None:
    """A text that holds far less than it may would be worth less than it could be."""
    fullest = max(-(-len(one.text) // 4) for one in TEXTS if one.name == name)
    budget = next(one.budget for one in TEXTS if one.name == name)
    assert fullest >= 0.6 * budget
