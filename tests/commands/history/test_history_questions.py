"""The questions of `tidegauge history`, as a person runs them after a sync."""

import importlib
import json
import re
from typing import Any

import pytest

from history.questions import QUESTIONS
from tests.commands.person import Person
from tests.transcripts import START


@pytest.fixture
def synced(person: Person) -> Person:
    """A person whose session read a large result, was compacted and went on."""
    session = person.transcript()
    session.prompt()
    session.answer(20_000, id="one", output=100, at=START)
    session.result(text="word " * 8_000)
    session.answer(60_100, id="two", output=200, at=START + 60)
    session.result()
    session.answer(150_000, id="three", tool_use_ids=(), at=START + 120)
    session.boundary(150_000, at=START + 200)
    session.summary("The work so far. " * 100)
    session.answer(21_000, id="four", tool_use_ids=(), at=START + 260)
    assert person.tidegauge("history", "sync").returncode == 0
    return person


def answer(person: Person, name: str, *options: str) -> Any:
    result = person.tidegauge("history", name, "--json", *options)
    assert (result.returncode, result.stderr) == (0, "")
    return json.loads(result.stdout)


@pytest.mark.parametrize("name", QUESTIONS)
def test_each_question_is_answered_in_plain_lines_with_advice_and_as_json(name: str, synced: Person) -> None:
    result = synced.tidegauge("history", name)

    assert (result.returncode, result.stderr) == (0, "")
    assert "\x1b" not in result.stdout
    document = answer(synced, name)
    levers = importlib.import_module(QUESTIONS[name]).LEVERS
    if levers and name not in {"limits", "warnings"}:  # of which there are none yet
        assert result.stdout.splitlines()[-1].startswith(("Nothing to change: ", "To change: "))
    else:
        assert "o change: " not in result.stdout
        assert "of the bill" not in result.stdout
    if levers:
        assert all(set(lever) == {"name", "change", "saved", "basis"} for lever in document["levers"])
    else:
        assert "levers" not in document
    if name != "totals":  # which other programs add up: numbers alone
        assert document["since"] == 0


def test_the_parts_of_the_window_sum_to_its_growth(synced: Person) -> None:
    document = answer(synced, "top")
    tools = {tool["name"]: tool for tool in document["tools"]}

    assert sum(tool["tokens"] for tool in tools.values()) == 150_000 + 21_000
    assert tools["(answers)"]["tokens"] == 100 + 200
    assert tools["Read"]["tokens"] >= 40_000


def test_compactions_cache_and_sessions_match_the_transcript(synced: Person) -> None:
    compactions = answer(synced, "compactions")
    assert (compactions["count"], compactions["triggers"]) == (1, {"auto": 1})
    assert compactions["summary"]["count"] == 1
    cache = answer(synced, "cache")
    assert [len(session["turns"]) for session in cache["sessions"]] == [4]
    assert cache["input_tokens"] == 20_000 + 60_100 + 150_000 + 21_000
    (session,) = answer(synced, "sessions")["sessions"]
    assert session["fills"] == [20_000, 60_100, 150_000, 21_000]
    assert (session["peak"], session["answers"], session["compactions"]) == (150_000, 4, 1)


def test_since_leaves_out_earlier_rows(synced: Person) -> None:
    (session,) = answer(synced, "sessions", "--since", "2026-01-05T09:03:00+00:00")["sessions"]
    assert session["fills"] == [21_000]
    assert answer(synced, "sessions", "--since", "2199-01-01")["sessions"] == []
    assert ", since 2026-01-05" in synced.tidegauge("history", "top", "--since", "2026-01-05").stdout


def test_a_replay_states_its_assumptions_and_savings(synced: Person) -> None:
    result = synced.tidegauge("history", "replay", "--restart-at", "140k", "--results-at-most", "10_000")

    assert (result.returncode, result.stderr) == (0, "")
    assert "Assumed: A new session begins with as many tokens as yours" in result.stdout
    assert re.fullmatch(r"This would have (saved|cost) [\d.]+% of the bill( more)?\.", result.stdout.splitlines()[-1])
    document = answer(synced, "replay", "--restart-at", "140k")
    assert (document["restart_at"], document["results_at_most"], document["calls"]) == (140_000, None, 4)
    assert [point["tokens"] for point in document["points"]] == list(range(100_000, 400_001, 25_000))


@pytest.mark.parametrize("tokens", ["lots", "0", "-5", "1e5", "123456789123"])
def test_an_invalid_number_of_tokens_is_refused(synced: Person, tokens: str) -> None:
    result = synced.tidegauge("history", "replay", f"--restart-at={tokens}")

    assert result.returncode == 2
    assert "expected 1 to 99,999,999 tokens, such as 200k, not " in result.stderr


def test_the_persons_prices_decide_the_shares(synced: Person) -> None:
    before = answer(synced, "replay", "--results-at-most", "10k")["saved"]
    synced.configure('[history.prices]\n"claude-opus-4-6" = "0 0 0 1 0"\n')

    assert answer(synced, "replay", "--results-at-most", "10k")["saved"] != before


def test_a_model_without_a_price_is_named(synced: Person) -> None:
    synced.transcript("later").answer(20_000, model="claude-unheard-9")
    assert synced.tidegauge("history", "sync").returncode == 0

    expected = "No price for claude-unheard-9: the bill leaves out 1 call. Set history.prices."
    assert expected in synced.tidegauge("history", "top").stdout
    assert answer(synced, "top")["unpriced"] == {"claude-unheard-9": 1}


def test_the_most_called_of_many_models_without_a_price_are_named(synced: Person) -> None:
    later = synced.transcript("later")
    for number in range(6):
        for _ in range(number + 1):
            later.answer(20_000, model=f"claude-unheard-{number}")
    assert synced.tidegauge("history", "sync").returncode == 0

    lines = synced.tidegauge("history", "top").stdout.splitlines()
    names = "claude-unheard-5, claude-unheard-4, claude-unheard-3 and 3 more"
    assert f"No price for {names}: the bill leaves out 21 calls. Set history.prices." in lines
