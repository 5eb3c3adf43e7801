"""`tidegauge history replay`: what these sessions would have cost under another policy, call by call."""

from collections.abc import Sequence

from history.bill import prices, replay
from history.bill.calls import Bill
from history.bill.levers import Holdout, RestartPoint, holdout, restart_points
from history.bill.replay import ASSUMPTIONS, Policy
from history.questions.answer.question import QuestionAnswer, QuestionTable
from shared.text.quantities import counted, share_text, tokens_text

SUMMARY = "what your sessions would have cost with earlier restarts or smaller results"


def ask(bill: Bill, policy: Policy) -> QuestionAnswer:
    """Replay `bill` under `policy`; if that is empty, with restarts at the point that saves most."""
    points = restart_points(bill)
    if policy == Policy() and points:
        policy = Policy(restart_at=max(points, key=lambda point: point.saved).tokens)
    outcome, tried = replay.total(bill, policy), holdout(bill)
    calls = sum(len(cycle.calls) for conversation in bill.conversations for cycle in conversation.cycles)
    document = {
        "calls": calls,
        "restart_at": policy.restart_at,
        "results_at_most": policy.results_at_most,
        "saved": outcome.saved,
        "restarts": outcome.restarts,
        "fresh_start": bill.fresh_start,
        "points": points,
        "holdout": tried,
        "unpriced": bill.unpriced,
        "prices_of": prices.PUBLISHED,
        "assumptions": ASSUMPTIONS,
    }
    facts = [
        f"{counted(calls, 'call')} replayed: {_policy_text(policy, outcome.restarts)}.",
        *(f"Assumed: {assumption}" for assumption in ASSUMPTIONS),
        f"A new session began with {tokens_text(bill.fresh_start)} tokens.",
        f"Prices as published on {prices.PUBLISHED} ({prices.SOURCE}); history.prices overrides them.",
        *([_holdout_text(tried)] if tried else ()),
    ]
    if not calls:
        return QuestionAnswer(document, [], "Nothing to replay yet.", "Replay")
    verb, more = ("saved", "") if outcome.saved >= 0 else ("cost", " more")
    line = f"This would have {verb} {share_text(abs(outcome.saved))} of the bill{more}."
    return QuestionAnswer(document, [_table(points)], line, "Replay", facts)


def _table(points: Sequence[RestartPoint]) -> QuestionTable:
    best = max((point.saved for point in points), default=0)
    return QuestionTable(
        ("restart at", "saves", "of the best", "restarts"),
        [
            (
                tokens_text(point.tokens),
                share_text(point.saved),
                share_text(point.saved / best if best > 0 else None),
                point.restarts,
            )
            for point in points
        ],
        "A restart at the first prompt past so many tokens, alone",
    )


def _policy_text(policy: Policy, restarts: int) -> str:
    parts = []
    if policy.restart_at is not None:
        parts.append(
            f"a new session at the first prompt past {tokens_text(policy.restart_at)} tokens "
            f"({counted(restarts, 'restart')})"
        )
    if policy.results_at_most is not None:
        parts.append(f"results of at most {tokens_text(policy.results_at_most)} tokens")
    return ", ".join(parts) or "nothing to replay"


def _holdout_text(tried: Holdout) -> str:
    return (
        f"Chosen on the older half of the sessions, {tokens_text(tried.chosen)} would have saved "
        f"{share_text(tried.saved)} of the newer half; the best there, {tokens_text(tried.best)}, "
        f"{share_text(tried.best_saved)}."
    )
