"""`tidegauge history replay`: what these sessions would have cost under another policy, call by call."""

from collections.abc import Sequence

import msgspec

from history.bill import prices, replay
from history.bill.calls import Bill
from history.bill.levers import Holdout, RestartPoint, holdout, restart_points, share_text
from history.bill.replay import ASSUMPTIONS, Policy
from history.questions.answer.question import QuestionAnswer, QuestionTable, right, title_since
from shared.text.quantities import counted, tokens_text

SUMMARY = "what your sessions would have cost with earlier restarts or smaller results"


class Replay(msgspec.Struct, frozen=True):
    """What a policy would have saved of the bill. Shares are 0 to 1."""

    since: int
    calls: int
    restart_at: int | None
    """Tokens; null: no restarts."""
    results_at_most: int | None
    saved: float
    restarts: int
    fresh_start: int
    """Tokens that a new session begins with."""
    points: list[RestartPoint]
    """What a restart past so many tokens alone would have saved."""
    holdout: Holdout | None
    """null: one half of the sessions has nothing to choose from."""
    unpriced: dict[str, int]
    """Calls of models without a price, which no share counts."""
    prices_of: str
    """The day on which the prices were published."""
    assumptions: Sequence[str]


def ask(bill: Bill, since: int, policy: Policy) -> QuestionAnswer:
    """Replay `bill`, the calls since then, under `policy`; without one, at the point that saves most."""
    points = restart_points(bill)
    if policy == Policy() and points:
        policy = Policy(restart_at=max(points, key=lambda point: point.saved).tokens)
    outcome = replay.total(bill, policy)
    answer = Replay(
        since,
        sum(len(cycle.calls) for conversation in bill.conversations for cycle in conversation.cycles),
        policy.restart_at,
        policy.results_at_most,
        outcome.saved,
        outcome.restarts,
        bill.fresh_start,
        points,
        holdout(bill),
        bill.unpriced,
        prices.PUBLISHED,
        ASSUMPTIONS,
    )
    return _shown(answer)


def _shown(answer: Replay) -> QuestionAnswer:
    best = max((point.saved for point in answer.points), default=0)
    table = QuestionTable(
        (*right("restart at", "saves", "of the best"), "restarts"),
        [
            (
                tokens_text(point.tokens),
                share_text(point.saved),
                f"{100 * point.saved / best:.0f} %" if best > 0 else "n/a",
                point.restarts,
            )
            for point in answer.points
        ],
        "A restart at the first prompt past so many tokens, alone",
    )
    facts = [
        f"{counted(answer.calls, 'call')} replayed: {_policy_text(answer)}.",
        *(f"Assumed: {assumption}" for assumption in answer.assumptions),
        f"A new session began with {tokens_text(answer.fresh_start)} tokens.",
        f"Prices as published on {answer.prices_of} ({prices.SOURCE}); history.prices overrides them.",
        *([_holdout_text(answer.holdout)] if answer.holdout else ()),
    ]
    verb = "saved" if answer.saved >= 0 else "cost"
    line = f"This would have {verb} {share_text(abs(answer.saved))} of the bill{'' if answer.saved >= 0 else ' more'}."
    return QuestionAnswer(answer, [table], line, title_since("Replay", answer.since), facts)


def _policy_text(answer: Replay) -> str:
    parts = []
    if answer.restart_at is not None:
        parts.append(
            f"a new session at the first prompt past {tokens_text(answer.restart_at)} tokens "
            f"({counted(answer.restarts, 'restart')})"
        )
    if answer.results_at_most is not None:
        parts.append(f"results of at most {tokens_text(answer.results_at_most)} tokens")
    return ", ".join(parts) or "nothing to replay"


def _holdout_text(tried: Holdout) -> str:
    return (
        f"Chosen on the older half of the sessions, {tokens_text(tried.chosen)} would have saved "
        f"{share_text(tried.saved)} of the newer half; the best there, {tokens_text(tried.best)}, "
        f"{share_text(tried.best_saved)}."
    )
