"""Levers: what a person could do differently, each with the share of the bill that it would have saved."""

from collections.abc import Sequence

import msgspec

from history.bill import replay
from history.bill.calls import Bill
from history.bill.replay import Policy
from history.store.schema import RebuildCause
from shared.text.quantities import counted, share_text, tokens_text

_LARGE = 10_000
"""Tokens of one result above which the client itself warns about an MCP tool."""
RESTARTS = tuple(range(100_000, 400_001, 25_000))
"""Tokens in the window at which a restart is tried."""
_LEAST = 0.01
"""The smallest share of the bill for which a lever is worth a line."""
NAMES = ("restart", "results", "repeats", "pauses", "compactions")


class Lever(msgspec.Struct, frozen=True):
    name: str
    """One of NAMES."""
    change: str
    """A sentence that says what to do."""
    saved: float
    """The share of the bill, 0 to 1."""
    basis: str
    """The facts that the share is based on."""

    @property
    def line(self) -> str:
        return f"To change: {self.change} That would have saved {share_text(self.saved)} of the bill: {self.basis}."


class RestartPoint(msgspec.Struct, frozen=True):
    """The share of the bill that a restart past `tokens` would have saved."""

    tokens: int
    saved: float
    restarts: int


class Holdout(msgspec.Struct, frozen=True):
    """The best point by the older half of the sessions, tried on the newer half."""

    chosen: int
    """Tokens."""
    saved: float
    """The share of the newer half's bill."""
    best: int
    """The point that would have been best there, and what it would have saved."""
    best_saved: float


class Levers(msgspec.Struct, frozen=True):
    worthwhile: list[Lever]
    """Levers that would have saved a hundredth of the bill or more, the largest first."""
    best_restart: int | None
    """Tokens; None if no restart would have saved anything."""

    def of(self, names: Sequence[str]) -> list[Lever]:
        return [lever for lever in self.worthwhile if lever.name in names]


def levers(bill: Bill) -> Levers:
    points = restart_points(bill)
    best = max(points, key=lambda point: point.saved, default=None)
    candidates = ([] if best is None else [_restart(bill, points, best)]) + _other_levers(bill)
    worthwhile = sorted((lever for lever in candidates if lever.saved >= _LEAST), key=lambda lever: -lever.saved)
    return Levers(worthwhile, best.tokens if best is not None and best.saved > 0 else None)


def restart_points(bill: Bill) -> list[RestartPoint]:
    """The savings of a restart at each of RESTARTS."""
    outcomes = [(tokens, replay.total(bill, Policy(restart_at=tokens))) for tokens in RESTARTS]
    return [RestartPoint(tokens, outcome.saved, outcome.restarts) for tokens, outcome in outcomes if outcome.before]


def holdout(bill: Bill) -> Holdout | None:
    """Choose on the older half of the sessions, try on the newer; None if a half has no restart to choose."""
    sessions = [conversation for conversation in bill.conversations if not conversation.is_subagent]
    sessions.sort(key=lambda conversation: conversation.first_at)
    halves = sessions[: len(sessions) // 2], sessions[len(sessions) // 2 :]
    older, newer = (restart_points(msgspec.structs.replace(bill, conversations=half)) for half in halves)
    if not any(point.restarts for point in older) or not any(point.restarts for point in newer):
        return None
    chosen, best = (max(points, key=lambda point: point.saved) for points in (older, newer))
    there = next(point for point in newer if point.tokens == chosen.tokens)
    return Holdout(chosen.tokens, there.saved, best.tokens, best.saved)


def _restart(bill: Bill, points: Sequence[RestartPoint], best: RestartPoint) -> Lever:
    rough = [point for point in points if best.saved > 0 and point.saved >= 0.8 * best.saved]
    span = f"{tokens_text(rough[0].tokens)} to {tokens_text(rough[-1].tokens)}" if len(rough) > 1 else "no other point"
    return Lever(
        "restart",
        f"Once the window holds {tokens_text(best.tokens)} tokens, start the next task in a new session "
        "(plain `claude`).",
        best.saved,
        f"{counted(best.restarts, 'restart')}, each beginning with {tokens_text(bill.fresh_start)} tokens; "
        f"{span} saves at least four fifths of that; a bound, as explaining the work again costs something, too",
    )


def _other_levers(bill: Bill) -> list[Lever]:
    """All levers but the restart, each with what its policy saves, and how many items it would have changed."""
    sessions = [conversation for conversation in bill.conversations if not conversation.is_subagent]
    calls = [call for session in sessions for cycle in session.cycles for call in cycle.calls]
    large = sum(tokens > _LARGE for call in calls for tokens in call.results)
    repeating = sum(call.repeated > 0 for call in calls)
    late = sum(call.begins_turn and call.rebuild == RebuildCause.EXPIRED for call in calls)
    return [
        Lever(
            "results",
            f"Have tools return at most {_LARGE:,} tokens at a time.",
            replay.total(bill, Policy(results_at_most=_LARGE)).saved,
            f"{counted(large, 'result')} had more; each is asked for once more",
        ),
        Lever(
            "repeats",
            "Don't read a file again while it is still in the window.",
            replay.total(bill, Policy(without_repeats=True)).saved,
            f"{counted(repeating, 'call')} brought the same again; without the calls themselves",
        ),
        Lever(
            "pauses",
            "After a pause longer than the cache lives, start the next task in a new session.",
            replay.total(bill, Policy(restart_after_pause=True)).saved,
            f"{counted(late, 'prompt')} came after the cache had expired; a bound, as for every restart",
        ),
        Lever(
            "compactions",
            "Continue in a new session (tidegauge resume) before the client compacts.",
            replay.total(bill, Policy(restart_for_compaction=True)).saved,
            "each automatic compaction read its window once and wrote its summary, which is estimated",
        ),
    ]
