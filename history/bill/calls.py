"""The calls of the store with their prices, in the order in which each window went through them."""

import sqlite3
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
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


class Entered(msgspec.Struct, gc=False):
    """The part of what entered a window with one call that a policy may change. Counts are tokens."""

    begins_turn: bool = False
    """Whether a prompt did: where a new session could have begun."""
    results: list[int] = []
    """Each tool result."""
    repeated: int = 0
    """Reads that brought what an earlier one had brought into the same window."""
    uses: list[ToolFile] = []
    """The files that tools read or changed whose results entered."""


class BilledCall(msgspec.Struct, gc=False):
    """One call of a model. Counts are tokens."""

    price: ModelPrice
    entered: Entered
    step: int
    fill: int
    """Tokens in the window, `growth` of them since the answer before."""
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
    rebuilt: int
    cost: float = 0.0

    def __post_init__(self) -> None:
        self.cost = self.price.cost(self.fresh, self.written, self.written_1h, self.read, self.output)


class WindowCycle(msgspec.Struct):
    """The calls from one emptying of a window to the next."""

    calls: list[BilledCall]
    compaction: float | None = None
    """What the automatic compaction that it begins with cost; None: it began otherwise."""


class BilledConversation(msgspec.Struct):
    """One session's own calls, or one subagent's."""

    cycles: list[WindowCycle]
    is_subagent: bool
    first_at: int
    """Epoch seconds; 0: unknown."""
    hour_share: float
    """The share of what it wrote to the cache that lives for an hour."""
    fullest: int = 0
    cost: float = 0.0

    def write_price(self, price: ModelPrice) -> float:
        """The price of a token that it writes to the cache, by the lifetimes that it used."""
        return price.write * (1 - self.hour_share) + price.write_1h * self.hour_share


class Bill(msgspec.Struct):
    conversations: list[BilledConversation]
    total: float
    fresh_start: int
    """Tokens that this person's sessions held at their first answer: the lower median."""
    unpriced: dict[str, int]
    """Calls of models without a price, which count nowhere else."""


def load(store: sqlite3.Connection, since: int, prices: Mapping[str, str]) -> Bill:
    """The calls since then, epoch seconds; `prices` is `history.prices`. Raises sqlite3.Error."""
    reading = _BillReading(store, prices)
    by_conversation = groupby(store.execute(_CALLS, (since,)), key=itemgetter("transcript", "is_subagent"))
    conversations = [reading.conversation(list(rows)) for _, rows in by_conversation]
    priced = [conversation for conversation in conversations if conversation.cycles]
    fresh_start = median_low(reading.starts) if reading.starts else 0
    return Bill(priced, sum(conversation.cost for conversation in priced), fresh_start, dict(reading.unpriced))


class _BillReading:
    """What the store says of all calls, while they are put together."""

    def __init__(self, store: sqlite3.Connection, prices: Mapping[str, str]) -> None:
        self._price_of = cache(lambda model: price_of(model, prices))
        self._entered = _entered(store)
        self._compactions = {(transcript, number): sizes for transcript, number, *sizes in store.execute(_COMPACTIONS)}
        self.unpriced: Counter[str] = Counter()
        self.starts: list[int] = []
        """What each session held at its first answer."""

    def conversation(self, rows: Sequence[sqlite3.Row]) -> BilledConversation:
        """One transcript's calls; without a cycle if none has a price."""
        numbered = groupby(rows, key=itemgetter("number"))
        cycles = [cycle for number, calls in numbered if (cycle := self._cycle(number, calls)).calls]
        calls = [call for cycle in cycles for call in cycle.calls]
        first = rows[0]
        if calls and not first["is_subagent"] and first["number"] == 0 and first["step"] == 1:
            self.starts.append(calls[0].fill)
        hour, written = (sum(getattr(call, name) for call in calls) for name in ("written_1h", "written"))
        return BilledConversation(
            cycles,
            is_subagent=bool(first["is_subagent"]),
            first_at=min((row["at"] for row in rows if row["at"] is not None), default=0),
            hour_share=hour / (hour + written) if hour else 0.0,
            fullest=max((call.fill for call in calls), default=0),
            cost=sum(call.cost for call in calls),
        )

    def _cycle(self, number: int, rows: Iterable[sqlite3.Row]) -> WindowCycle:
        cycle = WindowCycle([])
        for row in rows:
            transcript, _, _, call, _, model, *amounts = row
            price = self._price_of(model)
            if price is None:
                self.unpriced[model] += 1
                continue
            if not cycle.calls and (ended := self._compactions.get((transcript, number - 1))):
                cycle.compaction = ended[0] * price.read + ended[1] * price.output
            cycle.calls.append(BilledCall(price, self._entered.get(call, _NOTHING), *amounts))
        return cycle


def _entered(store: sqlite3.Connection) -> dict[int, Entered]:
    """What entered with each call, by calls.id."""
    changing = {name for name, tool in TOOLS.items() if tool.kind in EDIT_KINDS}
    by_call: defaultdict[int, Entered] = defaultdict(Entered)
    for call, kind, tool, path, tokens in store.execute(_PARTS, (PartKind.TOOL, PartKind.PROMPT)):
        entered = by_call[call]
        if kind == PartKind.PROMPT:
            entered.begins_turn = True
            continue
        entered.results.append(tokens)
        if path is not None and (tool == READ or tool in changing):
            entered.uses.append((path, tool == READ, tokens))
    for call, tokens in repeated(store).items():
        by_call[call].repeated = tokens
    return by_call


_NOTHING = Entered()
# After the model, BilledCall's other fields in their order.
_CALLS = """
SELECT transcript, agent IS NOT NULL OR number < 0 AS is_subagent, number, calls.id, at,
    coalesce(names.text, 'a model without a name') AS model,
    step, fill, growth, input, cache_creation - min(coalesce(cache_creation_1h, 0), cache_creation),
    min(coalesce(cache_creation_1h, 0), cache_creation), cache_read, output, rebuild, coalesce(rebuilt, 0)
FROM calls JOIN cycles ON cycles.id = cycle JOIN transcripts ON transcripts.id = transcript
LEFT JOIN names ON names.id = model
WHERE coalesce(at, 0) >= ? ORDER BY transcript, number, at, step, calls.id
"""
_PARTS = """
SELECT call, kind, coalesce(names.text, ''), path, tokens FROM parts LEFT JOIN names ON names.id = name
WHERE kind IN (?, ?) ORDER BY call, number
"""
# Of automatic ones, the window before and the summary's tokens.
_COMPACTIONS = """
SELECT transcript, number, coalesce(before, 0), coalesce(summary, 0)
FROM compactions JOIN cycles ON cycles.id = cycle WHERE trigger = 'auto'
"""
