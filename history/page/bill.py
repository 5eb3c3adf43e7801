"""The bill: the levers, and what was paid for by how full the window was at each call."""

from typing import Any

from history.bill import prices
from history.bill.calls import Bill
from history.bill.levers import Levers
from history.bill.replay import ASSUMPTIONS, Policy, replayed
from shared.text.plain import plain

_STEP, _STEPS = 20_000, 51
"""Tokens per bar, and the number of bars; the last one has every fuller window."""


def collect(bill: Bill, ranked: Levers) -> dict[str, Any]:
    """Shares are 0 to 1, of the whole bill. What is named in the plural has one entry per bar."""
    counts, paid = _by_window(bill, Policy())
    _, restarted = _by_window(bill, Policy(restart_at=ranked.best_restart))
    last = max((column for column in range(_STEPS) if counts[column] or restarted[column]), default=-1) + 1
    return {
        "levers": ranked.worthwhile,
        "unpriced": {plain(model): calls for model, calls in bill.unpriced.items()},
        "step": _STEP,
        "calls": counts[:last],
        "shares": _shares(paid[:last], bill.total),  # what was paid for calls in a window of this size
        "restart_at": ranked.best_restart,
        "restarted": _shares(restarted[:last], bill.total),  # what would have been, with these restarts
        "fresh_start": bill.fresh_start,
        "prices_of": prices.PUBLISHED,
        "assumptions": ASSUMPTIONS,
    }


def _by_window(bill: Bill, policy: Policy) -> tuple[list[int], list[float]]:
    counts, paid = [0] * _STEPS, [0.0] * _STEPS
    for conversation in bill.conversations:
        for window, cost, _ in replayed(conversation, policy, bill.fresh_start):
            column = min(max(window, 0) // _STEP, _STEPS - 1)
            counts[column] += 1
            paid[column] += cost
    return counts, paid


def _shares(paid: list[float], whole: float) -> list[float]:
    return [round(amount / whole, 6) if whole else 0.0 for amount in paid]
