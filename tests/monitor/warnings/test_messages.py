import os
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from monitor.warnings import messages
from monitor.warnings.messages import CLOSING, OPENING
from shared import window
from shared.config import Messages
from shared.levels import Level
from shared.reading import Reading

GOLDEN = Path(__file__).parents[2] / "golden" / "messages"
SAMPLED = 1_767_225_600.0
LEVELS = {Level.WARNING: 129_000, Level.CRITICAL: 149_000, Level.EXHAUSTED: 169_000}
DIRECTIVE, ADVISORY = Messages(), Messages(style="advisory")
LONGEST = 10_000
"""Characters of `additionalContext` that the client hands on whole."""


def reading(remaining: float, tokens: int | None = None, window: int | None = None) -> Reading:
    return Reading(remaining, tokens, window, "transcript", "api-request", SAMPLED)


def at(level: Level) -> Reading:
    return reading({Level.WARNING: 35, Level.CRITICAL: 25, Level.EXHAUSTED: 15}[level], LEVELS[level], 200_000)


def context_warning(*arguments: Any, **facts: Any) -> str:
    """A warning as the agent gets it when nothing stands beside it."""
    return messages.framed(messages.context_warning(*arguments, **facts))


def assert_golden(name: str, text: str) -> None:
    """Compare with what was agreed on; UPDATE_GOLDEN=1 makes `text` the new agreement."""
    path = GOLDEN / f"{name}.txt"
    if os.environ.get("UPDATE_GOLDEN"):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text + "\n", "utf-8")
    assert text + "\n" == path.read_text("utf-8")


@pytest.mark.parametrize("level", LEVELS, ids=lambda level: level.name)
@pytest.mark.parametrize("settings", [DIRECTIVE, ADVISORY], ids=lambda settings: settings.style)
@pytest.mark.parametrize("whose", ["session", "subagent"])
def test_the_words_are_those_that_were_agreed_on(level: Level, settings: Messages, whose: str) -> None:
    text = context_warning(level, at(level), settings, is_subagent=whose == "subagent")
    assert_golden(f"{level.name.lower()}-{settings.style}-{whose}", text)


def test_the_facts_are_those_that_were_agreed_on() -> None:
    """With everything that is known, and with nothing but a percentage."""
    everything = context_warning(Level.WARNING, at(Level.WARNING), DIRECTIVE, tool_uses_left=9, compaction_at=167_000)
    nothing = context_warning(Level.WARNING, reading(28.5), DIRECTIVE)
    assert_golden("facts", "\n\n".join(text.splitlines()[2] for text in (everything, nothing)))


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("settings", [DIRECTIVE, ADVISORY])
@pytest.mark.parametrize("is_subagent", [False, True])
def test_every_message_has_the_agreed_shape(level: Level, settings: Messages, *, is_subagent: bool) -> None:
    lines = context_warning(level, at(level), settings, is_subagent=is_subagent).splitlines()
    assert (lines[0], lines[-1]) == ("---CONTEXT MONITOR---", "---END CONTEXT MONITOR---")
    assert lines[1] == f"CONTEXT WINDOW {level.name} — {at(level).remaining}% remaining."
    assert f"{LEVELS[level]:,} of 200,000 tokens" in lines[2]
    steps = [line for line in lines if line[:1].isdigit() and ". " in line[:4]]
    assert [step[0] for step in steps] == [str(number) for number in range(1, len(steps) + 1)]
    assert len(steps) >= 2


@pytest.mark.parametrize(("remaining", "text"), [(35, "35%"), (28.5, "28.5%"), (0, "0%"), (14.96, "14.96%")])
def test_the_percentage_is_the_one_that_was_decided_on(remaining: float, text: str) -> None:
    assert f" — {text} remaining." in context_warning(Level.WARNING, reading(remaining), DIRECTIVE)


@pytest.mark.parametrize("level", LEVELS)
def test_the_summary_file_is_the_persons(level: Level) -> None:
    message = context_warning(level, at(level), Messages(summary_file="docs/state {x}.md"))
    assert "docs/state {x}.md" in message
    assert "PROJECT-SUMMARY.md" not in message


@pytest.mark.parametrize("level", LEVELS)
def test_a_subagent_is_not_asked_for_its_callers_files(level: Level) -> None:
    message = context_warning(level, at(level), DIRECTIVE, is_subagent=True)
    assert "PROJECT-SUMMARY.md" not in message
    assert "caller" in message
    assert "user" not in message


@pytest.mark.parametrize("level", LEVELS)
def test_an_advisory_message_leaves_the_decision_and_states_the_same(level: Level) -> None:
    directive, advisory = (context_warning(level, at(level), style).splitlines() for style in (DIRECTIVE, ADVISORY))
    differing = [(a, b) for a, b in zip(directive, advisory, strict=True) if a != b]
    assert len(differing) == 1
    assert "user" in differing[0][1]


@pytest.mark.parametrize(
    ("left", "text"),
    [(0, "the next tool use may not fit"), (1, "About 1 tool use left"), (9, "About 9 tool uses left")],
)
def test_the_forecast_is_one_of_the_facts(left: int, text: str) -> None:
    assert text in context_warning(Level.WARNING, at(Level.WARNING), DIRECTIVE, tool_uses_left=left).splitlines()[2]


def test_a_compaction_is_marked_as_an_estimate() -> None:
    facts = context_warning(Level.WARNING, at(Level.WARNING), DIRECTIVE, compaction_at=167_000).splitlines()[2]
    assert "167,000" in facts
    assert "estimate" in facts


def test_what_is_unknown_is_not_mentioned() -> None:
    message = context_warning(Level.WARNING, reading(30), DIRECTIVE)
    for word in ("None", "null", "nan", "tokens", "tool uses left", "compact"):
        assert word not in message


@pytest.mark.parametrize("source", ["bridge", "transcript"])
def test_the_basis_is_named(source: str) -> None:
    facts = context_warning(
        Level.WARNING, msgspec.structs.replace(at(Level.WARNING), source=source), DIRECTIVE
    ).splitlines()[2]
    assert {"bridge": "the status line", "transcript": "the transcript"}[source] in facts
    assert "00:00:00 UTC" in facts
    assert "from the client's requests" in facts


@pytest.mark.parametrize("source", sorted(window.SOURCES))
def test_every_source_of_the_window_has_its_words(source: str) -> None:
    named = msgspec.structs.replace(at(Level.WARNING), window_source=source)

    assert "window size: " in context_warning(Level.WARNING, named, DIRECTIVE)


@given(
    level=st.sampled_from(list(LEVELS)),
    remaining=st.floats(0, 100) | st.integers(0, 100),
    tokens=st.none() | st.integers(0, 10**12),
    size=st.none() | st.integers(1, 2_000_000),
    left=st.none() | st.integers(0, 10**12),
)
def test_no_reading_breaks_a_message(
    level: Level, remaining: float, tokens: int | None, size: int | None, *, left: int | None
) -> None:
    for settings in (DIRECTIVE, ADVISORY):
        message = context_warning(level, reading(remaining, tokens, size), settings, tool_uses_left=left)
        assert len(message) <= LONGEST
        assert message.startswith(OPENING + "\n")
        assert message.endswith("\n" + CLOSING)
        assert message.count(CLOSING) == 1
        assert all(line.isprintable() for line in message.split("\n"))
