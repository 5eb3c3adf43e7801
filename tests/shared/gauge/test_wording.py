import msgspec
import pytest

from shared.gauge.levels import LevelRules
from shared.gauge.limit import Limit
from shared.gauge.verdict import Verdict, verdict_on
from shared.gauge.window import Reading, WindowSource, remaining_percentage
from shared.gauge.wording import agent_steps, forecast, headline, person_step, to_limit

COMPACTED, ENDING = Limit(167_000, "learnt", is_compacted=True), Limit(177_000, "set", is_compacted=False)


def verdict_at(tokens: int, limit: Limit) -> Verdict:
    reading = Reading(remaining_percentage(tokens, 200_000), tokens, 200_000, "transcript", WindowSource.BRIDGE, 0)
    return verdict_on(reading, limit, LevelRules())


def unknown(*, is_subagent: bool = False) -> Verdict:
    reading = Reading(None, 130_000, None, "transcript", WindowSource.UNKNOWN, 0)
    return msgspec.structs.replace(verdict_on(reading, None, LevelRules()), is_subagent=is_subagent)


@pytest.mark.parametrize(
    ("limit", "uses", "text"),
    [
        (COMPACTED, None, ""),
        (COMPACTED, 0, "At the recent pace the next tool use will probably trigger the compaction."),
        (ENDING, 0, "At the recent pace the next tool use may not fit."),
        (COMPACTED, 1, "About 1 tool use left."),
        (ENDING, 2, "About 2 tool uses left."),
    ],
)
def test_the_forecast_is_in_whole_tool_uses(limit: Limit, uses: int | None, text: str) -> None:
    assert forecast(msgspec.structs.replace(verdict_at(152_000, limit), tool_uses_left=uses)) == text


@pytest.mark.parametrize(
    ("tokens", "limit", "text"),
    [
        (164_400, COMPACTED, "2,600 tokens until the client compacts at 167,000 (as seen before)."),
        (167_000, COMPACTED, "Compaction is due: the limit of 167,000 is reached (as seen before)."),
        (180_000, COMPACTED, "Compaction is due: the limit of 167,000 is reached (as seen before)."),
        (170_000, ENDING, "7,000 tokens until the window ends at 177,000: automatic compaction is off (as set)."),
        (177_000, ENDING, "The window ends here, at 177,000: automatic compaction is off (as set)."),
        (
            170_000,
            Limit(200_000, "catalogue", is_compacted=True),
            "30,000 tokens until the window is full and the client compacts (known for this model).",
        ),
    ],
)
def test_the_distance_to_the_limit_is_in_tokens(tokens: int, limit: Limit, text: str) -> None:
    assert to_limit(verdict_at(tokens, limit)) == text


def test_in_a_window_of_unknown_size_there_is_no_distance() -> None:
    assert to_limit(unknown()) == ""


def test_the_headline_has_percent_or_tokens() -> None:
    assert headline(verdict_at(152_000, COMPACTED)) == "CONTEXT WINDOW CRITICAL — 24% remaining (76% used)."
    assert headline(unknown()) == "CONTEXT WINDOW WARNING — 130,000 tokens used, window size unknown."


@pytest.mark.parametrize(("is_subagent", "saved"), [(True, "your findings so far"), (False, "the state to STATE.md")])
def test_in_a_window_of_unknown_size_each_conversation_saves_its_own_work(*, is_subagent: bool, saved: str) -> None:
    steps = agent_steps(unknown(is_subagent=is_subagent), "STATE.md")
    assert steps == (f"Save {saved}, in case the window ends soon.",)


def test_the_person_is_told_whether_the_session_goes_on() -> None:
    assert person_step(verdict_at(52_000, COMPACTED)) == "Enough room: carry on."  # of the window, not of the work
    assert person_step(verdict_at(152_000, COMPACTED)).startswith("15k tokens until compaction: let it happen,")
    assert person_step(verdict_at(172_500, ENDING)).startswith("4.5k tokens until the window ends. To continue")
    assert person_step(verdict_at(167_000, COMPACTED)).startswith("Compaction is due. To continue")
    assert person_step(verdict_at(177_000, ENDING)).startswith("The window ends here. To continue")


@pytest.mark.parametrize(
    ("limit", "uses", "text"),
    [
        (COMPACTED, 6, "37k tokens until compaction: carry on."),
        (COMPACTED, 2, "37k tokens, about 2 tool uses, until compaction: let it happen, or continue in a new session."),
        (COMPACTED, 0, "37k tokens until compaction: let it happen, or continue in a new session."),
        (ENDING, 1, "47k tokens, about 1 tool use, until the window ends: plan the next step."),
    ],
)
def test_nobody_is_told_to_carry_on_with_few_tool_uses_left(limit: Limit, uses: int, text: str) -> None:
    """A window may fill in large steps: far from its limit in tokens, but near it in tool uses."""
    assert person_step(msgspec.structs.replace(verdict_at(130_000, limit), tool_uses_left=uses)) == text


def test_past_a_disproved_limit_step_and_facts_have_the_same_distance() -> None:
    """The catalogue's point was passed without a compaction, so the window's end is assumed to be the limit."""
    verdict = verdict_at(172_000, Limit(200_000, "assumed", is_compacted=True))
    assert to_limit(verdict) == "28,000 tokens until the window is full and the client compacts (assumed)."
    assert person_step(verdict).startswith("28k tokens until compaction. To continue")


@pytest.mark.parametrize(
    ("uses", "room"), [(30, "30 tool uses"), (31, "37,000 tokens"), (None, "37,000 tokens"), (0, "37,000 tokens")]
)
def test_few_remaining_tool_uses_are_named(uses: int | None, room: str) -> None:
    verdict = msgspec.structs.replace(verdict_at(130_000, COMPACTED), tool_uses_left=uses)
    assert agent_steps(verdict, "S.md")[0] == f"Finish what is under way; start nothing that needs more than {room}."


def test_without_tokens_the_step_names_no_distance() -> None:
    reading = Reading(35, None, 200_000, "bridge", WindowSource.BRIDGE, 0)
    assert person_step(verdict_on(reading, COMPACTED, LevelRules())) == "Compaction is near: carry on."
    assert person_step(verdict_on(reading, ENDING, LevelRules())) == "The window ends soon: plan the next step."


def test_at_the_end_the_person_gets_the_command_to_continue() -> None:
    assert person_step(verdict_at(172_500, ENDING), "/x/tidegauge resume 3").endswith(
        "run in a terminal: /x/tidegauge resume 3"
    )


def test_with_room_left_the_person_sees_how_much() -> None:
    assert person_step(verdict_at(130_000, COMPACTED)) == "37k tokens until compaction: carry on."
    assert person_step(verdict_at(130_000, ENDING)) == "47k tokens until the window ends: plan the next step."
