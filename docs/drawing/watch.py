"""The screen of `tidegauge watch` with three made-up sessions, by the function that draws the real one."""

from io import StringIO

import msgspec
from rich.console import Console

from commands.watch.drawing import draw as drawn
from commands.watch.watcher import WatchedSession
from docs.drawing.terminal import draw
from shared.client.rate_limits import RateLimit
from shared.gauge.levels import LevelRules
from shared.gauge.limit import Limit
from shared.gauge.verdict import verdict_on
from shared.gauge.window import Reading, WindowSource, remaining_percentage
from shared.text.report_row import ReportRow

TITLE = "tidegauge watch: three running sessions, the fullest first"
_COLUMNS, _NOW = 56, 1_795_274_430.0
_LIMITS = {"5h": RateLimit(43, _NOW + 7_230), "7d": RateLimit(61, _NOW + 3 * 86_430)}


def watch() -> str:
    """The SVG of the screen."""
    sessions = (
        _session("shop", 157_000, 200_000, growth=4_100, request="Fix the rounding of prices in the checkout"),
        _session("docs", 104_000, 200_000, growth=2_300, request="Write the page on refunds"),
        _session("billing", 312_000, 1_000_000, growth=5_200, request="Move the invoices to the new store"),
    )
    screen = StringIO()
    console = Console(file=screen, force_terminal=True, color_system="standard", width=_COLUMNS, legacy_windows=False)
    for session in sessions:
        for line in drawn(session, _COLUMNS, _NOW):
            console.print(line)
        console.print()
    return draw("\n".join(line.rstrip() for line in screen.getvalue().splitlines()), TITLE)


def _session(project: str, tokens: int, window: int, *, growth: int, request: str) -> WatchedSession:
    """A session that has grown evenly to `tokens`, by `growth` with each answer."""
    reading = Reading(remaining_percentage(tokens, window), tokens, window, "bridge", WindowSource.BRIDGE, _NOW)
    limit = Limit(window - 33_000, "catalogue", is_compacted=True)
    return WatchedSession(
        session_id=f"{len(project):08}-0000-4000-8000-000000000000",
        directory=f"/home/ada/{project}",
        model="claude-opus-4-6",
        verdict=msgspec.structs.replace(
            verdict_on(reading, limit, LevelRules()), tool_uses_left=(window - 33_000 - tokens) // growth
        ),
        occupancy=tuple(range(tokens - 35 * growth if tokens > 35 * growth else growth, tokens + 1, growth)),
        limits=_LIMITS if project == "shop" else {},
        summary=(ReportRow("asked", request),),
        written=_NOW - len(project) * 3,
    )
