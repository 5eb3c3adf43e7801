"""A session as lines of a screen, at any width."""

import pytest

from commands.watch.drawing import draw, occupancy_line
from commands.watch.waiting import Waiting
from commands.watch.watcher import WatchedSession
from shared.client.rate_limits import RateLimit
from shared.gauge.levels import Level, LevelRules, begins_at
from shared.gauge.limit import Limit
from shared.gauge.verdict import verdict_on
from shared.gauge.window import Reading, WindowSource, remaining_percentage
from shared.settings.config import Config
from shared.text.report_row import ReportRow

NOW = 1_000_000.0
WINDOW = 200_000


def watched(tokens: int | None = 150_000, window: int | None = WINDOW, **changes: object) -> WatchedSession:
    verdict = None
    if tokens is not None:
        remaining = remaining_percentage(tokens, window) if window else None
        reading = Reading(remaining, tokens, window, "bridge", WindowSource.BRIDGE, NOW)
        limit = Limit(167_000, "catalogue", is_compacted=True) if window else None
        verdict = verdict_on(reading, limit, Config().levels)
    fields = {
        "session_id": "5b0c6a1e-0000-4000-8000-000000000001",
        "directory": "/home/me/shop",
        "model": "claude-opus-4-6",
        "verdict": verdict,
        "occupancy": (10_000, 100_000, 199_999),
        "limits": {"5h": RateLimit(43, NOW + 7_200)},
        "summary": (ReportRow("asked", "Fix the greeting"),),
        "written": NOW - 5,
    }
    return WatchedSession(**(fields | changes))  # type: ignore[arg-type]  # by name


def lines(session: WatchedSession, width: int) -> list[str]:
    return [line.plain.rstrip() for line in draw(session, width, NOW)]


def test_a_wide_screen_shows_everything() -> None:
    assert lines(watched(), 120) == [
        "shop  75% used: CRITICAL  claude-opus-4-6  5b0c6a1e",
        "\u2588" * 30 + "\u2591" * 10,
        "150,000 of 200,000 tokens in use (window size: reported by the client).",
        "17,000 tokens until the client compacts at 167,000 (known for this model).",
        "\u2581\u2585\u2588",
        "5h 43% (resets in 2h00m)  written 5s ago",
        "asked           Fix the greeting",
    ]


def test_a_waiting_session_says_so_first() -> None:
    waiting = Waiting("permission", NOW - 130)

    assert lines(watched(waiting=waiting), 120)[1] == "waiting for you for 2m: permission"


@pytest.mark.parametrize("width", [1, 10, 20, 38, 60, 80, 200])
@pytest.mark.parametrize(
    "session", [watched(), watched(None), watched(150_000, None), watched(directory="", summary=())]
)
def test_unwrappable_text_is_cut_to_the_screens_width(session: WatchedSession, width: int) -> None:
    pictures = [line for line in draw(session, width, NOW) if line.plain and " " not in line.plain]

    assert all(line.cell_len <= width for line in pictures)


def test_a_sparkline_shows_the_newest_answers() -> None:
    session = watched(occupancy=tuple(range(0, WINDOW, WINDOW // 16)))

    assert occupancy_line(session, 100) == "".join(
        2 * glyph for glyph in "\u2581\u2582\u2583\u2584\u2585\u2586\u2587\u2588"
    )
    assert occupancy_line(session, 2) == "\u2588\u2588"
    assert occupancy_line(watched(None, occupancy=(5, 10)), 9) == "\u2585\u2588"


def test_each_level_has_a_style_of_its_own() -> None:
    above = LevelRules().above(Level.NORMAL)
    tokens = {Level.NORMAL: 1_000} | {level: begins_at(rule, WINDOW, 167_000) for level, rule in above}
    by_level = {level: watched(number) for level, number in tokens.items()}

    assert [session.verdict and session.verdict.level for session in by_level.values()] == list(by_level)
    assert len({str(next(draw(session, 80, NOW)).spans[0].style) for session in by_level.values()}) == len(Level)


def test_names_from_outside_cannot_steer_the_terminal() -> None:
    session = watched(
        directory="/home/\x1b]0;x\x07shop\x1b[2J", model="\x1b[31m", summary=(ReportRow("said", "\x1b[2J"),)
    )

    assert "\x1b" not in "".join(lines(session, 80))
