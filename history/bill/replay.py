"""The calls of a history as they would have been under a policy, one by one, by the ASSUMPTIONS that answers print."""

from collections.abc import Iterable, Iterator

import msgspec

from history.bill.calls import Bill, BilledCall, BilledConversation, ToolFile, WindowCycle
from history.store.schema import RebuildCause

ASSUMPTIONS = (
    "A new session begins with as many tokens as yours did (the median), all written to the cache.",
    "What it costs to explain the work to it again isn't known.",
    "Files that the old session had read are read again when they are changed.",
    "Everything else happens as it did: the same prompts, answers and tools; compactions stay where they were.",
    "A result that is cut is asked for once more: one call, and one more page of at most the same size.",
    "What is no longer in the window is taken off what was read from the cache, then off what was written to it.",
    "What doesn't enter at all is taken off what was written with it first, and from then on off what was read.",
    "Subagents cost what they did.",
)


class Policy(msgspec.Struct, frozen=True):
    restart_at: int | None = None
    """Begin a new session at the first prompt after an answer whose window held at least this many tokens."""
    results_at_most: int | None = None
    """Cut results of tools to this many tokens."""
    restart_after_pause: bool = False
    """Begin a new session at a prompt that comes when the cache has expired."""
    restart_for_compaction: bool = False
    """Begin a new session in place of each automatic compaction."""
    without_repeats: bool = False
    """Don't read what the window holds already."""


class ReplayOutcome(msgspec.Struct, frozen=True):
    cost: float
    before: float
    """The actual cost of these calls."""
    restarts: int

    @property
    def saved(self) -> float:
        """The share that the policy would have saved; negative if it would have cost more."""
        return round(1 - self.cost / self.before, 6) if self.before else 0.0


def total(bill: Bill, policy: Policy) -> ReplayOutcome:
    """The cost that the bill's conversations would have had under `policy`."""
    cost, before, restarts = 0.0, 0.0, 0
    is_restart_alone = policy == Policy(restart_at=policy.restart_at)
    for conversation in bill.conversations:
        before += conversation.cost
        if conversation.is_subagent or (is_restart_alone and conversation.fullest < (policy.restart_at or 0)):
            cost += conversation.cost  # a shortcut: the search for the best restart point tries many
            continue
        for _, call_cost, is_restart in replayed(conversation, policy, bill.fresh_start):
            cost += call_cost
            restarts += is_restart
    return ReplayOutcome(cost, before, restarts)


def replayed(conversation: BilledConversation, policy: Policy, fresh_start: int) -> Iterator[tuple[int, float, bool]]:
    """Yield for each call under `policy` the tokens in its window, its cost, and whether a new session begins with it.

    The cost includes that of a call that the policy adds. `fresh_start`: tokens of a new session at its first answer.
    """
    if conversation.is_subagent:
        policy = Policy()
    for cycle in conversation.cycles:
        yield from _cycle(conversation, cycle, policy, fresh_start)


def _cycle(
    conversation: BilledConversation, cycle: WindowCycle, policy: Policy, fresh_start: int
) -> Iterator[tuple[int, float, bool]]:
    off, output = 0, 0
    files: dict[int, int] = {}  # tokens of each file that was read into the window
    earlier: dict[int, int] = {}  # and of those that only windows before a restart hold
    trail: list[tuple[int, int]] = []  # steps, and the tokens missing from each on: a rewind goes back in it
    for index, call in enumerate(cycle.calls):
        while trail and trail[-1][0] >= call.step:
            trail.pop()
        off = before = trail[-1][1] if trail else 0
        write = conversation.write_price(call.price)
        start = _restart_fill(cycle, index, off, policy, fresh_start)
        if start is not None:
            off = call.fill - start
            cost = start * write + call.output * call.price.output - (cycle.compaction or 0 if index == 0 else 0)
            earlier |= files
            files = {}
        else:
            absent, extra = _cut(call, off, output, policy)
            cost = _reduced_cost(call, off, absent) + extra
            off += absent
        again = _read_again(call.uses, files, earlier)
        cost, off = cost + again * write, off - again
        if off != before:
            trail.append((call.step, off))
        output = call.output
        yield call.fill - off, cost, start is not None


def _restart_fill(cycle: WindowCycle, index: int, off: int, policy: Policy, fresh_start: int) -> int | None:
    """Tokens in the window at this call if a new session begins with it; None if none does."""
    call = cycle.calls[index]
    if index == 0 and call.step == 1:
        return fresh_start if policy.restart_for_compaction and cycle.compaction is not None else None
    is_full = policy.restart_at is not None and call.fill - call.growth - off >= policy.restart_at
    is_late = policy.restart_after_pause and call.rebuild == RebuildCause.EXPIRED
    if not (call.begins_turn and (is_full or is_late)):
        return None
    return fresh_start if fresh_start < call.fill - off else None


def _read_again(uses: Iterable[ToolFile], files: dict[int, int], earlier: dict[int, int]) -> int:
    """The tokens of the files that these uses change and only `earlier` windows hold; they move to `files`."""
    tokens = 0
    for path, is_read, size in uses:
        before = earlier.pop(path, 0)
        if is_read:
            files[path] = size
        elif before:
            files[path] = before
            tokens += before
    return tokens


def _cut(call: BilledCall, off: int, output: int, policy: Policy) -> tuple[int, float]:
    """The tokens that don't enter with this call, and what it costs to ask for cut results once more."""
    absent, extra = call.repeated if policy.without_repeats else 0, 0.0
    most = policy.results_at_most
    if most is None:
        return absent, extra
    for tokens in call.results:
        if tokens > most:
            page = min(tokens - most, most)
            absent += tokens - most - page
            window = max(0, call.fill - off - absent - page)
            extra += window * call.price.read + output * call.price.output
    return absent, extra


def _reduced_cost(call: BilledCall, off: int, absent: int) -> float:
    """The cost of a call without `off` tokens of the window before it, and `absent` of those that entered with it."""
    if not (off or absent):  # nearly all calls, and there are many policies to try
        return call.cost
    written_1h, written, fresh, read = _subtract((call.written_1h, call.written, call.fresh, call.read), absent)
    read, written_1h, written, fresh = _subtract((read, written_1h, written, fresh), off)
    return call.price.cost(fresh, written, written_1h, read, call.output)


def _subtract(amounts: Iterable[int], tokens: int) -> list[int]:
    """Return `amounts` less `tokens` in total, from the first one on; negative `tokens` are added to the first."""
    rest = []
    for amount in amounts:
        removed = min(amount, tokens)
        rest.append(amount - removed)
        tokens -= removed
    return rest
