import os
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from monitor.speakers.level import context_warning, frame, remarks
from shared.gauge import wording
from shared.gauge.levels import Level, LevelRules, begins_at
from shared.gauge.limit import Limit
from shared.gauge.verdict import Verdict
from shared.gauge.window import Reading, WindowSource
from shared.gauge.wording import CLOSING, OPENING
from shared.settings.config import Messages

GOLDEN = Path(__file__).parents[2] / "golden" / "messages"
SAMPLED = 1_767_225_600.0
TOKENS = {level: begins_at(rule, 200_000) + 1_000 for level, rule in LevelRules().above(Level.NORMAL)}
ADVISORY = Messages(style="advisory")
COMPACTED, ENDING = Limit(187_000, "catalogue", is_compacted=True), Limit(177_000, "set", is_compacted=False)
LONGEST = 10_000
"""Characters of `additionalContext` that the client hands on whole."""


def verdict(level: Level = Level.WARNING, limit: Limit | None = COMPACTED, **facts: Any) -> Verdict:
    tokens = TOKENS[level]
    reading = Reading(100 - tokens / 2_000, tokens, 200_000, "transcript", WindowSource.REQUEST, SAMPLED)
    return Verdict(reading, level, limit, **facts)


def of_window(source: WindowSource, level: Level = Level.WARNING) -> Verdict:
    """A verdict with the window's size from `source`."""
    result = verdict(level)
    return msgspec.structs.replace(result, reading=msgspec.structs.replace(result.reading, window_source=source))


def message_of(result: Verdict, settings: Messages | None = None, remarks: tuple[str, ...] = ()) -> str:
    """A warning as the agent reads it."""
    return frame(context_warning(result, settings or Messages(), remarks))


def steps(text: str) -> list[str]:
    return [line for line in text.splitlines() if line[:1].isdigit() and line[1:3] == ". "]


def assert_golden(name: str, text: str) -> None:
    """Compare `text` with the golden file; UPDATE_GOLDEN=1 writes it there."""
    path = GOLDEN / f"{name}.txt"
    if os.environ.get("UPDATE_GOLDEN"):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text + "\n", "utf-8")
    assert text + "\n" == path.read_text("utf-8")


@pytest.mark.parametrize("level", TOKENS, ids=lambda level: level.name)
@pytest.mark.parametrize("end", ["compacted", "ending", "advisory", "assumed"])
@pytest.mark.parametrize("whose", ["session", "subagent"])
def test_the_wording_matches_the_golden_file(level: Level, end: str, whose: str) -> None:
    result = of_window(WindowSource.DEFAULT, level) if end == "assumed" else verdict(level)
    limit = ENDING if end == "ending" else COMPACTED
    result = msgspec.structs.replace(result, limit=limit, is_subagent=whose == "subagent", tool_uses_left=9)
    assert_golden(f"{level.name.lower()}-{end}-{whose}", message_of(result, ADVISORY if end == "advisory" else None))


@pytest.mark.parametrize("level", TOKENS)
@pytest.mark.parametrize("limit", [COMPACTED, ENDING])
@pytest.mark.parametrize("is_subagent", [False, True])
def test_every_message_has_the_agreed_shape(level: Level, limit: Limit, *, is_subagent: bool) -> None:
    result = verdict(level, limit, is_subagent=is_subagent)
    lines = message_of(result).splitlines()
    used = TOKENS[level] // 2_000
    assert (lines[0], lines[-1]) == ("---CONTEXT MONITOR---", "---END CONTEXT MONITOR---")
    assert lines[1] == f"CONTEXT WINDOW {level.name} — {100 - used}% remaining ({used}% used)."
    assert lines[2].startswith(f"{TOKENS[level]:,} of 200,000 tokens in use (window size: from the client's requests).")
    assert "00:00:00 UTC" in lines[2]
    assert [step[0] for step in steps(message_of(result))] == [
        str(number + 1) for number in range(len(steps(message_of(result))))
    ]
    assert steps(message_of(result))


@pytest.mark.parametrize("level", TOKENS)
def test_the_person_names_the_summary_file(level: Level) -> None:
    message = message_of(verdict(level), Messages(summary_file="docs/state {x}.md"))
    assert "docs/state {x}.md" in message
    assert "PROJECT-SUMMARY.md" not in message


@pytest.mark.parametrize("level", TOKENS)
@pytest.mark.parametrize("limit", [COMPACTED, ENDING])
def test_a_subagent_is_not_asked_for_its_callers_files(level: Level, limit: Limit) -> None:
    message = message_of(verdict(level, limit, is_subagent=True))
    assert "PROJECT-SUMMARY.md" not in message
    assert "caller" in message
    assert "user" not in message


@pytest.mark.parametrize("level", TOKENS)
def test_an_advisory_message_states_the_same_and_leaves_the_decision(level: Level) -> None:
    directive, advisory = message_of(verdict(level)).splitlines(), message_of(verdict(level), ADVISORY).splitlines()
    added = [line for line in advisory if line not in directive]
    assert len(added) == 1
    assert "user" in added[0]
    assert [line for line in advisory if line not in added] == directive


@pytest.mark.parametrize("level", [Level.CRITICAL, Level.EXHAUSTED])
def test_work_that_the_client_continues_is_not_told_to_stop(level: Level) -> None:
    continues, ends = message_of(verdict(level, COMPACTED)), message_of(verdict(level, ENDING))
    assert "tell the user" in ends
    assert "tell the user" not in continues
    assert all("Save" in steps(text)[0] for text in (continues, ends))


@pytest.mark.parametrize(
    ("uses", "text"),
    [
        (0, "At the recent pace the next tool use will probably trigger the compaction."),
        (1, "About 1 tool use left."),
        (9, "About 9 tool uses left."),
    ],
)
def test_the_forecast_is_one_of_the_facts(uses: int, text: str) -> None:
    assert text in message_of(verdict(tool_uses_left=uses)).splitlines()[2]


FULL = Limit(200_000, "learnt", is_compacted=True)


@pytest.mark.parametrize(
    ("limit", "text"),
    [
        (COMPACTED, "57,000 tokens until the client compacts at 187,000 (known for this model)."),
        (FULL, "70,000 tokens until the window is full and the client compacts (as seen before)."),
        (ENDING, "47,000 tokens until the window ends at 177,000: automatic compaction is off (as set)."),
    ],
)
def test_the_limit_is_one_of_the_facts(limit: Limit, text: str) -> None:
    assert text in message_of(verdict(limit=limit)).splitlines()[2]


def test_unknown_facts_are_not_mentioned() -> None:
    message = message_of(Verdict(Reading(30, None, None, "bridge", WindowSource.BRIDGE, SAMPLED), Level.WARNING))
    for word in ("None", "null", "nan", "tokens", "tool uses left", "compact"):
        assert word not in message


@pytest.mark.parametrize("source", WindowSource)
def test_every_source_of_the_window_has_its_wording(source: WindowSource) -> None:
    assert f"(window size: {wording.WINDOW_SOURCES[source]})" in message_of(of_window(source))


@pytest.mark.parametrize("source", [source for source in WindowSource if source.certainty == "assumed"])
@pytest.mark.parametrize("level", TOKENS)
def test_on_an_assumed_window_the_steps_are_advice(source: WindowSource, level: Level) -> None:
    assert "so this is advice" in message_of(of_window(source, level))
    assert "advice" not in message_of(verdict(level))


@pytest.mark.parametrize("level", TOKENS)
def test_the_clients_own_count_is_corrected_once_per_window_cycle(level: Level) -> None:
    padded = verdict(level, is_padded_reminder=True)
    assert remarks(padded, retracts=False, is_first=True) == (wording.PADDED_REMINDER,)
    assert remarks(padded, retracts=False, is_first=False) == ()
    assert remarks(verdict(level), retracts=False, is_first=True) == ()


def test_a_retraction_comes_first() -> None:
    expected = (wording.RETRACTION, wording.PADDED_REMINDER)
    assert remarks(verdict(is_padded_reminder=True), retracts=True, is_first=True) == expected
    assert remarks(verdict(is_padded_reminder=True), retracts=True, is_first=False) == expected[:1]


def test_a_remark_precedes_the_steps() -> None:
    """It follows the message's own figures, so it must not refer to what stands before it."""
    text = message_of(verdict(), remarks=(wording.RETRACTION,))
    assert text.index("% remaining") < text.index("from before this message no longer hold") < text.index("1. ")


@given(
    level=st.sampled_from(list(TOKENS)),
    remaining=st.floats(0, 100) | st.integers(0, 100),
    tokens=st.none() | st.integers(0, 10**12),
    size=st.none() | st.integers(1, 2_000_000),
    uses=st.none() | st.integers(0, 10**12),
)
def test_no_reading_breaks_a_message(
    level: Level, remaining: float, tokens: int | None, size: int | None, *, uses: int | None
) -> None:
    reading = Reading(remaining, tokens, size, "transcript", WindowSource.REQUEST, SAMPLED)
    for settings in (Messages(), ADVISORY):
        message = message_of(Verdict(reading, level, COMPACTED, uses), settings)
        assert len(message) <= LONGEST
        assert message.startswith(OPENING + "\n")
        assert message.endswith("\n" + CLOSING)
        assert message.count(CLOSING) == 1
        assert all(line.isprintable() for line in message.split("\n"))


@pytest.mark.parametrize(
    ("path", "expected"),
    [("", ()), ("/shop/cx-001-checkpoint.json", ("Checkpoint saved: /shop/cx-001-checkpoint.json",))],
)
def test_a_checkpoint_is_named_if_there_is_one(path: str, expected: tuple[str, ...]) -> None:
    assert remarks(verdict(), retracts=False, is_first=False, checkpoint=path) == expected


def test_a_checkpoints_path_keeps_its_end() -> None:
    for path, end in (("/" + "a" * 239, "/" + "a" * 239), ("/" + "a" * 240, "\u2026" + "a" * 239)):
        (line,) = remarks(verdict(), retracts=False, is_first=False, checkpoint=path)
        assert line == f"Checkpoint saved: {end}"
