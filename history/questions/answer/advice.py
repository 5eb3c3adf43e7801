"""What to change: the levers that bear on a question, the largest in the last line of its answer."""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from history.bill.calls import Bill
from history.bill.levers import Lever, levers
from history.questions.answer.question import QuestionAnswer
from shared.text.quantities import counted, share_text

_MOST_UNPRICED = 3
_NOTHING = "Nothing to change: nothing that bears on this would have saved a hundredth of the bill."


def advised(answer: QuestionAnswer, bill: Bill, names: Sequence[str]) -> QuestionAnswer:
    """Add the bill's levers with these names to `answer`: all to its JSON, and to its text only if it has rows."""
    own = levers(bill).of(names)
    document: dict[str, Any] = msgspec.to_builtins(answer.document)
    answer = msgspec.structs.replace(answer, document=document | {"levers": own, "unpriced": bill.unpriced})
    if not any(table.rows for table in answer.tables):
        return answer
    others = own[1:] if answer.lists_levers else []
    facts = [
        f"{share_text(lever.saved)} of the bill: {lever.change.removesuffix('.')}: {lever.basis}." for lever in others
    ]
    return msgspec.structs.replace(
        answer, facts=[*_unpriced(bill.unpriced), *answer.facts, *facts], advice=line_of(own)
    )


def _unpriced(calls: Mapping[str, int]) -> list[str]:
    """A line that names the models without a price, those that were called most first."""
    if not calls:
        return []
    models = sorted(calls, key=lambda model: (-calls[model], model))
    names = ", ".join(models[:_MOST_UNPRICED])
    if more := len(models[_MOST_UNPRICED:]):
        names += f" and {more:,} more"
    return [f"No price for {names}: the bill leaves out {counted(sum(calls.values()), 'call')}. Set history.prices."]


def line_of(own: Sequence[Lever]) -> str:
    """The last line of an answer that these levers bear on."""
    return own[0].line if own else _NOTHING
