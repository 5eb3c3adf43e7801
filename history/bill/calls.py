"""The calls of the store with their prices, in the order in which each window went through them."""

import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby

import msgspec

from history.bill.prices import ModelPrice, price_of
from history.store.schema import PartKind
from shared.client.client import READ
from shared.client.tools import EDIT_KINDS, TOOLS

ToolFile = tuple[int, bool, int]
"""A file that a tool was used on: paths.id, whether it was read (or else changed), and the result's tokens."""


class BilledCall(msgspec.Struct, gc=False):
    """One call of a model. Counts are tokens."""

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
    price: ModelPrice
    rebuild: int | None
    """RebuildCause."""
    rebuilt: int
    begins_turn: bool = False
    """Whether a prompt entered with it: where a new session could have begun."""
    results: tuple[int, ...] = ()
    """The tokens of each tool result that entered with it."""
    repeated: int = 0
    """The tokens of reads that brought what an earlier one had brought into the same window."""
    uses: "Sequence[ToolFile]" = ()
    """The files that tools read or changed whose results entered with it."""
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
    """Everything that was paid for."""

    conversations: list[BilledConversation]
    total: float
    fresh_start: int
    """Tokens that this person's sessions held at their first answer: the lower median."""
    unpriced: dict[str, int]
    """Calls of models without a price, which count nowhere else."""


def load(store: sqlite3.Connection, since: int, prices: Mapping[str, str]) -> Bill:
    """The calls since then, epoch seconds; `prices` is `history.prices`. Raises sqlite3.Error."""
    reading = _BillReading(store, prices)
    conversations = [
        reading.conversation(list(rows))
        for _, rows in groupby(store.execute(_CALLS, (since,)), key=lambda row: (row["transcript"], row["is_subagent"]))
    ]
    priced = [conversation for conversation in conversations if conversation.cycles]
    starts = sorted(reading.starts)
    fresh_start = starts[(len(starts) - 1) // 2] if starts else 0
    return Bill(priced, sum(conversation.cost for conversation in priced), fresh_start, reading.unpriced)


class _BillReading:
    """What the store says of all calls, while they are put together."""

    def __init__(self, store: sqlite3.Connection, prices: Mapping[str, str]) -> None:
        self._names: dict[int, str] = dict(store.execute("SELECT id, text FROM names").fetchall())
        self._prices = {number: price_of(text, prices) for number, text in self._names.items()}
        self._prompts = {call for (call,) in store.execute("SELECT call FROM parts WHERE kind = ?", (PartKind.PROMPT,))}
        self._results, self._uses = _results(store, self._names)
        self._repeated = _repeated(store)
        self._compactions = _compactions(store)
        self.unpriced: dict[str, int] = {}
        self.starts: list[int] = []
        """What each session held at its first answer."""

    def conversation(self, rows: Sequence[sqlite3.Row]) -> BilledConversation:
        """One transcript's calls; without a cycle if none has a price."""
        numbered = groupby(rows, key=lambda row: row["number"])
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
            price = self._prices.get(row["model"])
            if price is None:
                model = self._names.get(row["model"], "a model without a name")
                self.unpriced[model] = self.unpriced.get(model, 0) + 1
                continue
            compaction = self._compactions.get((row["transcript"], number - 1))
            if compaction is not None and not cycle.calls:
                cycle.compaction = compaction[0] * price.read + compaction[1] * price.output
            cycle.calls.append(self._call(row, price))
        return cycle

    def _call(self, row: sqlite3.Row, price: ModelPrice) -> BilledCall:
        number, hour = row["id"], min(row["cache_creation_1h"] or 0, row["cache_creation"])
        return BilledCall(
            row["step"], row["fill"], row["growth"], row["input"], row["cache_creation"] - hour, hour,
            row["cache_read"], row["output"], price, row["rebuild"], row["rebuilt"] or 0,
            begins_turn=number in self._prompts,
            results=tuple(self._results.get(number, ())),
            repeated=self._repeated.get(number, 0),
            uses=self._uses.get(number, ()),
        )  # fmt: skip


def _results(
    store: sqlite3.Connection, names: Mapping[int, str]
) -> tuple[dict[int, list[int]], dict[int, list[ToolFile]]]:
    """The results that entered with each call: their tokens, and (path, whether it was read, tokens) of files."""
    changing = {name for name, tool in TOOLS.items() if tool.kind in EDIT_KINDS}
    results: dict[int, list[int]] = {}
    uses: dict[int, list[ToolFile]] = {}
    for call, name, path, tokens in store.execute(_RESULTS, (PartKind.TOOL,)):
        results.setdefault(call, []).append(tokens)
        tool = names.get(name, "")
        if path is not None and (tool == READ or tool in changing):
            uses.setdefault(call, []).append((path, tool == READ, tokens))
    return results, uses


def _repeated(store: sqlite3.Connection) -> dict[int, int]:
    """The tokens, by call, of reads that brought as many bytes of a file as an earlier read in the window."""
    repeated: dict[int, int] = {}
    results: set[tuple[int, int, int]] = set()
    for cycle, path, size, call, tokens in store.execute(_READS, (PartKind.TOOL, READ)):
        if (cycle, path, size) in results:
            repeated[call] = repeated.get(call, 0) + tokens
        results.add((cycle, path, size))
    return repeated


def _compactions(store: sqlite3.Connection) -> dict[tuple[int, int], tuple[int, int]]:
    """The window before and the summary's tokens of automatic compactions, by the transcript and cycle they ended."""
    rows = store.execute(_COMPACTIONS)
    return {(transcript, number): (before or 0, summary or 0) for transcript, number, before, summary in rows}


_CALLS = """
SELECT transcript, agent IS NOT NULL OR number < 0 AS is_subagent, cycle, number, calls.id, step, at, model, input,
    cache_creation, cache_creation_1h, cache_read, output, fill, growth, rebuild, rebuilt
FROM calls JOIN cycles ON cycles.id = calls.cycle JOIN transcripts ON transcripts.id = cycles.transcript
WHERE coalesce(at, 0) >= ? ORDER BY transcript, number, at, step, calls.id
"""
_RESULTS = "SELECT call, name, path, tokens FROM parts WHERE kind = ? ORDER BY call, number"
_READS = """
SELECT calls.cycle, parts.path, parts.bytes, parts.call, parts.tokens
FROM parts JOIN calls ON calls.id = parts.call
WHERE calls.abandoned IS NULL AND parts.path IS NOT NULL
    AND parts.kind = ? AND parts.name = (SELECT id FROM names WHERE text = ?)
ORDER BY calls.cycle, calls.step, parts.number
"""
_COMPACTIONS = """
SELECT transcript, number, before, summary FROM compactions JOIN cycles ON cycles.id = cycle
WHERE trigger = 'auto'
"""
