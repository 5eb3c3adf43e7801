import pytest

from shared.levels import LevelRules
from shared.limit import Limit
from shared.reading import Reading, remaining_percentage
from shared.verdict import Verdict, judge
from shared.window import BRIDGE, UNKNOWN
from shared.wording import agent_steps, headline, limit_word, person_step, tool_uses_text

COMPACTED, ENDING = Limit(167_000, "learnt", is_compacted=True), Limit(177_000, "set", is_compacted=False)


def known(tokens: int, limit: Limit) -> Verdict:
    reading = Reading(remaining_percentage(tokens, 200_000), tokens, 200_000, "transcript", BRIDGE, 0)
    return judge(reading, limit, LevelRules())


def unknown(*, is_subagent: bool = False) -> Verdict:
    reading = Reading(None, 130_000, None, "transcript", UNKNOWN, 0)
    return judge(reading, None, LevelRules(), is_subagent=is_subagent)


@pytest.mark.parametrize(
    ("left", "text"),
    [
        (None, ""),
        (0, "At the recent pace the next tool use may not fit."),
        (1, "About 1 tool use left."),
        (2, "About 2 tool uses left."),
    ],
)
def test_the_forecast_is_said_in_whole_tool_uses(left: int | None, text: str) -> None:
    assert tool_uses_text(left) == text


def test_the_headline_has_percent_or_else_tokens() -> None:
    assert headline(known(152_000, COMPACTED)) == "CONTEXT WINDOW CRITICAL — 24% remaining (76% used)."
    assert headline(unknown()) == "CONTEXT WINDOW WARNING — 130,000 tokens used, window size unknown."


@pytest.mark.parametrize(("is_subagent", "saved"), [(True, "your findings so far"), (False, "the state to STATE.md")])
def test_in_a_window_of_unknown_size_each_saves_its_own(*, is_subagent: bool, saved: str) -> None:
    steps = agent_steps(unknown(is_subagent=is_subagent), "STATE.md")
    assert steps == (f"Save {saved}, in case the window ends soon.",)


def test_the_person_is_told_whether_the_session_goes_on() -> None:
    assert person_step(known(152_000, COMPACTED)).startswith("Compaction is near.")
    assert person_step(known(170_000, ENDING)).startswith("The session ends here.")


def test_the_limit_has_a_word() -> None:
    assert limit_word(COMPACTED) == "learnt"
