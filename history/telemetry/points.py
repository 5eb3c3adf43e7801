"""What is sent of the hours: the points of each series, in order of time."""

import msgspec

from history.telemetry.amounts import Amount, Attributes, Cell
from history.telemetry.ledger import Account, Ledger
from history.telemetry.metrics import COUNTED, Metric

_SECOND = 1_000_000_000
_COUNTERS = {metric.name: metric for question in COUNTED for metric in question.metrics.values()}


class Point(msgspec.Struct, frozen=True):
    """One figure."""

    metric: Metric
    attributes: Attributes
    at: int
    """Epoch nanoseconds."""
    value: float
    started: int | None = None
    """Since when a counter counts, in epoch nanoseconds; None: a gauge's."""


class Points(msgspec.Struct):
    """What one request holds, and what is to be recorded once it has been taken."""

    points: list[Point]
    sent: dict[tuple[int, int], float]
    """As in the ledger, and so are the accounts."""
    accounts: dict[int, Account]


def of(cells: list[Cell], amounts: dict[Cell, Amount], ledger: Ledger, now: int) -> Points:
    """The points of `cells`, which are in the order of time; `now` is in epoch nanoseconds.

    A point's time is its hour's end, or now during the hour. A counter's point is always later than the one before:
    engines reject a past that changes, so what was read late counts from then on. A new counter begins with a point
    of 0, for engines that take the first figure they see as the start.
    """
    made = Points([], {}, {})
    for cell in cells:
        amount = amounts[cell]
        end = min((cell.hour + 3600) * _SECOND, now)
        if amount.gauges is None:
            _count(cell, amount.value - ledger.sent_of(cell), end, made, ledger)
        else:
            figures = amount.gauges.items()
            made.points += [Point(metric, cell.attributes, end, value) for metric, value in figures]
        made.sent[cell.hour, ledger.series_of(cell)] = amount.value
    return made


def _count(cell: Cell, more: float, end: int, made: Points, ledger: Ledger) -> None:
    series, metric = ledger.series_of(cell), _COUNTERS[cell.metric]
    account = made.accounts.get(series) or ledger.accounts.get(series)
    if account is None:
        start = min(cell.hour * _SECOND, end - 1)
        account = Account(0, start, start)
        made.points.append(Point(metric, cell.attributes, start, 0, start))
    account = Account(account.total + more, account.started, max(end, account.newest + _SECOND // 1000))
    made.points.append(Point(metric, cell.attributes, account.newest, account.total, account.started))
    made.accounts[series] = account
