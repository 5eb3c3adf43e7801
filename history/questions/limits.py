"""`tidegauge history limits`: how much of the account's rate limits was used, in percent. Times are epoch seconds."""

import sqlite3
from itertools import groupby
from operator import itemgetter

import msgspec

from history.bill.levers import NAMES
from history.questions.answer.question import QuestionAnswer, QuestionTable, time_text
from history.questions.answer.sparkline import sparkline
from shared.text.quantities import duration_text

SUMMARY = "how much of the account's rate limits was used, and when work stopped"
LEVERS = NAMES
"""Limits are used up by what the bill counts."""

_ABOUT = 10 * 60
"""Resets further apart than this many seconds are different ones."""
_MOST_ROWS = 10


class LimitWindow(msgspec.Struct, frozen=True):
    """The time from one reset of a limit to the next."""

    limit: str
    """5h or 7d."""
    resets_at: int | None
    """null: the client didn't say."""
    peak: float
    stopped_seconds: int
    """Seconds from the time at which nothing was left to the reset."""
    samples: list[tuple[int, float]]
    """Times, and the percentage used then."""


class LimitUse(msgspec.Struct, frozen=True):
    limit: str
    last: float
    """In the client's last report."""
    last_at: int
    peak: float
    peak_at: int
    windows: list[LimitWindow]
    """In order of first appearance."""


def figures(store: sqlite3.Connection, since: int) -> list[LimitUse]:
    by_name = groupby(store.execute(_LIMITS, (since,)), key=itemgetter("name"))
    return [_use(name, list(rows)) for name, rows in by_name]


def presentation(limits: list[LimitUse]) -> QuestionAnswer:
    rows = [
        (
            use.limit,
            f"{use.last:.0f}%",
            time_text(use.last_at),
            f"{use.peak:.0f}%",
            time_text(use.peak_at),
            sparkline([window.peak for window in use.windows], 100),
        )
        for use in limits
    ]
    uses = QuestionTable(("limit", "last", "at", "peak", "at", "peak of each window"), rows)
    by_peak = sorted((window for use in limits for window in use.windows), key=lambda window: -window.peak)
    windows = [
        (
            window.limit,
            f"{window.peak:.0f}%",
            duration_text(window.stopped_seconds) if window.stopped_seconds else "",
            time_text(window.resets_at),
        )
        for window in by_peak
    ]
    fullest = QuestionTable(("limit", "peak", "stopped for", "reset at"), windows, "The fullest", _MOST_ROWS)
    facts = [] if limits else ["None are known: the client gives them only to its status line."]
    return QuestionAnswer({"limits": limits}, [uses, fullest], title="Rate limits", facts=facts)


def _use(name: str, rows: list[sqlite3.Row]) -> LimitUse:
    peak = max(rows, key=lambda row: row["used"])
    by_reset: dict[int | None, list[sqlite3.Row]] = {}
    for row in rows:  # the client's resets differ by seconds, and a session that slept repeats an older one
        by_reset.setdefault(row["resets_at"] and round(row["resets_at"] / _ABOUT) * _ABOUT, []).append(row)
    last, windows = rows[-1], [_window(name, *entry) for entry in by_reset.items()]
    return LimitUse(name, last["used"], last["at"], peak["used"], peak["at"], windows)


def _window(name: str, resets_at: int | None, rows: list[sqlite3.Row]) -> LimitWindow:
    samples = [(row["at"], row["used"]) for row in rows]
    full_at = next((at for at, used in samples if used >= 100), None)
    stopped = max(0, resets_at - full_at) if full_at is not None and resets_at is not None else 0
    return LimitWindow(name, resets_at, max(used for _, used in samples), stopped, samples)


_LIMITS = "SELECT name, at, used, resets_at FROM rate_limits WHERE at >= ? ORDER BY name, at"
