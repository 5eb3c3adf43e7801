"""The store's calls with their prices, in the order in which they happened in each window."""

import sqlite3
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import groupby
from operator import itemgetter
from statistics import median_low

import msgspec

from history.bill.prices import ModelPrice, price_of
from history.bill.rereads import repeated
from history.store.schema import PartKind
from shared.client.client import READ
from shared.client.tools import EDIT_KINDS, TOOLS

ToolFile = tuple[int, bool, int]
"""A file that a tool was used on: paths.id, whether it was read (or else changed), and the result's tokens."""


class BilledCall(msgspec.Struct, gc=False):
    """One call of a model, and the entries of its window that a policy may change. Counts are tokens."""

    price: ModelPrice
    step: int
    fill: int
    """Tokens in the window, `growth` of them since the previous answer."""
    growth: int
    fresh: int
    """Input that was neither read from the cache nor written to it."""
    written: int
    """Tokens written to the cache for five minutes, or for a time that the client doesn't state."""
    written_1h: int
    read: int
    output: int
    rebuild: int | None
    """RebuildCause."""
    begins_turn: bool = False
    """Whether a prompt entered: where a new session could have begun."""
    results: list[int] = []
    """The size of each tool result that entered."""
    repeated: int = 0
    """Tokens of reads that repeat an earlier read in the same window."""
    uses: list[ToolFile] = []
    """The files read or changed by tools whose results entered."""
    cost: float = 0.0

    def __post_init__(self) -> None:
        self.cost = self.price.cost(self.fresh, self.written, self.written_1h, self.read, self.output)


class WindowCycle(msgspec.Struct):
    """The calls from one emptying of a window to the next."""

    calls: list[BilledCall]
    compaction: float | None = None
    """The cost of the automatic compaction that the cycle begins with; None if it began otherwise."""


class BilledConversation(msgspec.Struct):
    """One session's own calls, or one subagent's."""

    cycles: list[WindowCycle]
    is_subagent: bool
    first_at: int
    """Epoch seconds; 0: unknown."""
    hour_share: float = 0.0
    """The share of its cache writes that lives for an hour."""
    fullest: int = 0
    cost: float = 0.0

    def __post_init__(self) -> None:
        calls = [call for cycle in self.cycles for call in cycle.calls]
        if hour := sum(call.written_1h for call in calls):
            self.hour_share = hour / (hour + sum(call.written for call in calls))
        self.fullest = max((call.fill for call in calls), default=0)
        self.cost = sum(call.cost for call in calls)

    def write_price(self, price: ModelPrice) -> float:
        """The mean price of a token that it writes to the cache, by the lifetimes that it used."""
        return price.write * (1 - self.hour_share) + price.write_1h * self.hour_share


class Bill(msgspec.Struct):
    conversations: list[BilledConversation]
    total: float
    fresh_start: int
    """Tokens that this person's sessions held at their first answer: the lower median."""
    unpriced: dict[str, int]
    """Calls of models without a price, which count nowhere else."""


def load(store: sqlite3.Connection, since: int, prices: Mapping[str, str]) -> Bill:
    """Load the calls from `since`, in epoch seconds, on; `prices` is `history.prices`. Raises sqlite3.Error."""
    price_for = cache(lambda model: price_of(model, prices))
    compactions = {(transcript, number): sizes for transcript, number, *sizes in store.execute(_COMPACTIONS)}
    calls, unpriced = dict[int, BilledCall](), Counter[str]()
    conversations, starts = list[BilledConversation](), list[int]()
    for _, group in groupby(store.execute(_CALLS, (since,)), key=itemgetter("transcript", "is_subagent")):
        rows = list(group)
        for row in rows:
            if (price := price_for(row["model"])) is None:
                unpriced[row["model"]] += 1
            else:
                calls[row["id"]] = BilledCall(price, *row[6:])
        if not (cycles := list(_cycles(rows, calls, compactions))):
            continue
        first = rows[0]
        if not first["is_subagent"] and first["number"] == 0 and first["step"] == 1:
            starts.append(cycles[0].calls[0].fill)
        first_at = min((row["at"] for row in rows if row["at"] is not None), default=0)
        conversations.append(BilledConversation(cycles, bool(first["is_subagent"]), first_at))
    _add_entries(store, calls)
    total = sum(conversation.cost for conversation in conversations)
    return Bill(conversations, total, median_low(starts) if starts else 0, dict(unpriced))


def _cycles(
    rows: Sequence[sqlite3.Row], calls: Mapping[int, BilledCall], compactions: Mapping[tuple[int, int], Sequence[int]]
) -> Iterator[WindowCycle]:
    """Yield the cycles of one conversation that have a call with a price."""
    for number, group in groupby(rows, key=itemgetter("number")):
        if own := [calls[row["id"]] for row in group if row["id"] in calls]:
            ended, price = compactions.get((rows[0]["transcript"], number - 1)), own[0].price
            yield WindowCycle(own, ended[0] * price.read + ended[1] * price.output if ended else None)


def _add_entries(store: sqlite3.Connection, calls: Mapping[int, BilledCall]) -> None:
    """Add to each of the calls, by calls.id, what entered the window with it."""
    changing = {name for name, tool in TOOLS.items() if tool.kind in EDIT_KINDS}
    for number, kind, tool, path, tokens in store.execute(_PARTS, (PartKind.TOOL, PartKind.PROMPT)):
        if (call := calls.get(number)) is None:
            continue
        if kind == PartKind.PROMPT:
            call.begins_turn = True
            continue
        call.results.append(tokens)
        if path is not None and (tool == READ or tool in changing):
            call.uses.append((path, tool == READ, tokens))
    for number, tokens in repeated(store).items():
        if number in calls:
            calls[number].repeated = tokens


# After the model come BilledCall's fields from `step` on. Older versions stored under the number -1 what clients before
# 2.0.64 wrote about subagents into their caller's transcript.
_CALLS = """
SELECT transcript, agent IS NOT NULL OR number < 0 AS is_subagent, number, calls.id, at,
    coalesce(names.text, 'a model without a name') AS model,
    step, fill, growth, input, cache_creation - min(coalesce(cache_creation_1h, 0), cache_creation),
    min(coalesce(cache_creation_1h, 0), cache_creation), cache_read, output, rebuild
FROM calls JOIN cycles ON cycles.id = cycle JOIN transcripts ON transcripts.id = transcript
LEFT JOIN names ON names.id = model
WHERE coalesce(at, 0) >= ? ORDER BY transcript, number, at, step, calls.id
"""
_PARTS = """
SELECT call, kind, coalesce(names.text, ''), path, tokens FROM parts LEFT JOIN names ON names.id = name
WHERE kind IN (?, ?) ORDER BY call, number
"""
# Tokens in the window before each automatic compaction, and of its summary.
_COMPACTIONS = """
SELECT transcript, number, coalesce(before, 0), coalesce(summary, 0)
FROM compactions JOIN cycles ON cycles.id = cycle WHERE trigger = 'auto'
"""
