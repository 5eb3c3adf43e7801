"""Where a session stands: the level on each ladder."""

import time

import pytest

from monitor import command_line
from monitor.measuring.snapshot import snapshot_of
from monitor.pivot import report as texts
from monitor.pivot.overview import SessionOverview, overview_of
from monitor.session import Conversation, Session
from shared.settings import settings
from tests.levels import level_at
from tests.monitor.workshop import Workshop


def overview(workshop: Workshop) -> SessionOverview:
    root = str(workshop.root)
    session = Session(root, settings.load(root, {}).config, {}, time.time(), str(workshop.project))
    conversation = Conversation(workshop.session_id, str(workshop.transcript.path))
    return overview_of(conversation, session, snapshot_of(conversation, session, ""), command_line.pivot)


@pytest.mark.parametrize(
    ("tokens", "levels"),
    [
        (20_000, {"monitor": "NORMAL", "prompt tag": "NOMINAL", "pivot": "normal", "ceiling": "below"}),
        (80_000, {"monitor": "NORMAL", "prompt tag": "NOMINAL", "pivot": "normal", "ceiling": "above"}),
        (110_000, {"monitor": level_at(110_000).name, "prompt tag": "LOW", "pivot": "warning", "ceiling": "above"}),
        (140_000, {"monitor": level_at(140_000).name, "prompt tag": "WARNING", "pivot": "alert", "ceiling": "above"}),
        (
            160_000,
            {"monitor": level_at(160_000).name, "prompt tag": "CRITICAL", "pivot": "critical", "ceiling": "above"},
        ),
        (190_000, {"monitor": "EXHAUSTED", "prompt tag": "EMERGENCY", "pivot": "emergency", "ceiling": "above"}),
    ],
)
def test_each_ladder_has_its_own_level(workshop: Workshop, tokens: int, levels: dict[str, str]) -> None:
    workshop.transcript.answer(tokens)

    assert overview(workshop).ladders == levels


def test_a_forecast_needs_recent_turns(workshop: Workshop) -> None:
    workshop.transcript.answer(100_000)
    assert "forecast" not in "\n".join(texts.lines(overview(workshop)))
    for step in range(1, 9):
        workshop.transcript.answer(100_000 + 1_000 * step)

    assert "About 58 tool uses left." in "\n".join(texts.lines(overview(workshop)))


def test_a_switched_off_ceiling_is_not_shown(workshop: Workshop) -> None:
    workshop.configure("hooks.ceiling_guard = false")
    workshop.transcript.answer(100_000)

    assert overview(workshop).ladders.keys() == {"monitor", "prompt tag", "pivot"}


def test_unknown_figures_are_left_out(workshop: Workshop) -> None:
    result = overview(workshop)

    assert (result.verdict, result.source, result.used) == (None, "tool_calls", 0)
    assert "  usage           unknown until the next answer" in texts.lines(result)
    assert "a guess" not in "\n".join(texts.lines(result))


def test_a_session_at_the_ceiling_counts_as_above_it(workshop: Workshop) -> None:
    for tokens, place in ((79_999, "below"), (80_000, "above")):
        workshop.transcript.answer(tokens)
        assert overview(workshop).ladders["ceiling"] == place


def test_in_a_window_of_unknown_size_no_bound_is_shown(workshop: Workshop) -> None:
    workshop.transcript.answer(100_000, model="house-model-1")
    result = overview(workshop)
    assert (result.window, result.used, result.tokens) == (0, 0, 100_000)
    assert result.ladders == {"monitor": "NORMAL", "pivot": "normal"}
    assert "100,000 tokens, window size unknown" in "\n".join(texts.lines(result))
