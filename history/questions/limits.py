"""`tidegauge history limits`: how much of the account's rate limits was used."""

import sqlite3
from itertools import groupby

import msgspec

from history.questions.advice import Advice, percent_text
from history.questions.cache import AVOIDABLE
from history.questions.question import QuestionAnswer, QuestionTable, right, time_text, title_since
from history.questions.sparkline import sparkline
from shared.duration import duration_text
from shared.rate_limits import HOUR, TOLD_FROM
from shared.reading import round_half_up

SUMMARY = "how much of the account's rate limits was used, and when work stopped"

_SPANS = {"5h": 5 * HOUR, "7d": 7 * 24 * HOUR}
"""Seconds that a limit's window lasts."""
_ABOUT = 10 * 60
"""Resets further apart than this many seconds are different ones."""
_SHOWN = 10


class LimitWindow(msgspec.Struct, frozen=True):
    """From one reset of a limit to the next."""

    limit: str
    """5h or 7d."""
    resets_at: int | None
    """Epoch seconds; null: the client didn't say."""
    peak: float
    """Percent."""
    stopped_seconds: int
    """From the time at which nothing was left to the reset."""
    samples: list[tuple[int, float]]
    """Epoch seconds and percent used."""


class LimitUse(msgspec.Struct, frozen=True):
    limit: str
    last: float
    """Percent, as the client said it last."""
    last_at: int
    peak: float
    peak_at: int
    windows: list[LimitWindow]
    """In order of first appearance."""


class Limits(msgspec.Struct, frozen=True):
    since: int
    limits: list[LimitUse]
    advice: Advice


def ask(store: sqlite3.Connection, since: int | None) -> QuestionAnswer:
    return _shown(figures(store, since or 0))


def figures(store: sqlite3.Connection, since: int) -> Limits:
    by_name = groupby(store.execute(_LIMITS, (since,)), key=lambda row: row["name"])
    limits = [_use(name, list(rows)) for name, rows in by_name]
    return Limits(since, limits, _advice(store, limits))


def _shown(answer: Limits) -> QuestionAnswer:
    uses = QuestionTable(
        ("limit", *right("last"), "at", *right("peak"), "at", "peak of each window"),
        [
            (
                one.limit,
                f"{one.last:.0f}%",
                time_text(one.last_at),
                f"{one.peak:.0f}%",
                time_text(one.peak_at),
                sparkline([window.peak for window in one.windows], 100),
            )
            for one in answer.limits
        ],
    )
    full = sorted(
        (window for one in answer.limits for window in one.windows), key=lambda window: window.peak, reverse=True
    )
    windows = QuestionTable(
        ("limit", *right("peak", "stopped for"), "reset at"),
        [
            (
                window.limit,
                f"{window.peak:.0f}%",
                duration_text(window.stopped_seconds) if window.stopped_seconds else "",
                time_text(window.resets_at),
            )
            for window in full[:_SHOWN]
        ],
        "The fullest",
        max(0, len(full) - _SHOWN),
    )
    facts = [] if answer.limits else ["None are known: the client gives them only to its status line."]
    title = title_since("Rate limits", answer.since)
    return QuestionAnswer(answer, [uses, windows], answer.advice.line, title, facts)


def _use(name: str, rows: list[sqlite3.Row]) -> LimitUse:
    peak = max(rows, key=lambda row: row["used"])
    windows: dict[int | None, list[sqlite3.Row]] = {}
    for row in rows:  # the client's resets differ by seconds, and a session that slept repeats an older one
        windows.setdefault(row["resets_at"] and round(row["resets_at"] / _ABOUT) * _ABOUT, []).append(row)
    return LimitUse(
        name,
        rows[-1]["used"],
        rows[-1]["at"],
        peak["used"],
        peak["at"],
        [_window(name, *one) for one in windows.items()],
    )


def _window(name: str, resets_at: int | None, rows: list[sqlite3.Row]) -> LimitWindow:
    full = [row["at"] for row in rows if row["used"] >= 100]
    stopped = max(0, resets_at - full[0]) if full and resets_at is not None else 0
    return LimitWindow(
        name,
        resets_at,
        max(row["used"] for row in rows),
        stopped,
        [(row["at"], row["used"]) for row in rows],
    )


def _advice(store: sqlite3.Connection, limits: list[LimitUse]) -> Advice:
    """What the cache cost in windows that were used up, or nearly."""
    windows = [window for one in limits for window in one.windows]
    near = [window for window in windows if round_half_up(window.peak) >= TOLD_FROM]
    if not near:
        highest = percent_text(max((window.peak for window in windows), default=0) / 100)
        return Advice(f"no limit reached {TOLD_FROM}%, the highest was {highest}." if windows else "no limits known.")
    rebuilt, written = _written_to_cache(store, near)
    if not rebuilt:
        return Advice(f"in the windows that reached {TOLD_FROM}% the cache was written once.")
    change = f"Have the cache written once: see history cache (windows that reached {TOLD_FROM}%: {len(near):,})."
    return Advice(change, rebuilt, written, "tokens written to the cache")


def _written_to_cache(store: sqlite3.Connection, windows: list[LimitWindow]) -> tuple[int, int]:
    """Tokens written again for an avoidable cause, and all tokens written, in calls within one of `windows`."""
    spans = sorted(
        (window.resets_at - _SPANS[window.limit], window.resets_at) for window in windows if window.resets_at
    )
    rebuilt = written = begun = until = 0
    for row in store.execute(_CALLS):
        while begun < len(spans) and spans[begun][0] <= row["at"]:
            until, begun = max(until, spans[begun][1]), begun + 1
        if row["at"] < until:
            written += row["cache_creation"]
            rebuilt += row["avoidable"]
    return rebuilt, written


_LIMITS = "SELECT name, at, used, resets_at FROM rate_limits WHERE at >= ? ORDER BY name, at"
_CALLS = f"""
SELECT at, cache_creation, CASE WHEN rebuild IS NULL THEN 0 ELSE coalesce({AVOIDABLE}, 0) END AS avoidable
FROM calls WHERE at IS NOT NULL ORDER BY at
"""
