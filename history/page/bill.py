"""The bill: the levers, and what was paid for by how full the window was at each call."""

import msgspec

from history.bill import prices
from history.bill.calls import Bill
from history.bill.levers import Lever, Levers
from history.bill.replay import ASSUMPTIONS, Policy, replayed

_STEP, _STEPS = 20_000, 51
"""Tokens of a bar, and how many bars there are: the last one has every fuller window."""


class BillFigures(msgspec.Struct, frozen=True):
    """Shares are 0 to 1, of the whole bill. Fields named in the plural have one entry per bar."""

    levers: list[Lever]
    """The largest first."""
    unpriced: dict[str, int]
    """Calls of models without a price, which count nowhere."""
    step: int
    """Tokens of a bar."""
    calls: list[int]
    shares: list[float]
    """What was paid for calls in a window of this size."""
    restart_at: int | None
    """The tokens at which a restart would have saved most; None: none would have saved anything."""
    restarted: list[float]
    """What would have been paid for with these restarts."""
    fresh_start: int
    """Tokens that a new session begins with."""
    prices_of: str
    """The day on which the prices were published."""
    assumptions: tuple[str, ...]


def collect(bill: Bill, ranked: Levers) -> BillFigures:
    """The figures of one bill and its levers."""
    counts, paid = _by_window(bill, Policy())
    _, restarted = _by_window(bill, Policy(restart_at=ranked.best_restart))
    last = max((column for column in range(_STEPS) if counts[column] or restarted[column]), default=-1) + 1
    return BillFigures(
        levers=ranked.worthwhile,
        unpriced=ranked.unpriced,
        step=_STEP,
        calls=counts[:last],
        shares=_shares(paid[:last], bill.total),
        restart_at=ranked.best_restart,
        restarted=_shares(restarted[:last], bill.total),
        fresh_start=bill.fresh_start,
        prices_of=prices.PUBLISHED,
        assumptions=ASSUMPTIONS,
    )


def _by_window(bill: Bill, policy: Policy) -> tuple[list[int], list[float]]:
    counts, paid = [0] * _STEPS, [0.0] * _STEPS
    for conversation in bill.conversations:
        for call in replayed(conversation, policy, bill.fresh_start):
            column = min(max(call.window, 0) // _STEP, _STEPS - 1)
            counts[column] += 1
            paid[column] += call.cost
    return counts, paid


def _shares(paid: list[float], whole: float) -> list[float]:
    return [round(amount / whole, 6) if whole else 0.0 for amount in paid]
