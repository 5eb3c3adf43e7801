"""What to change, at the beginning of an answer and in its last line: the levers that bear on the question."""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from history.bill.calls import Bill
from history.bill.levers import Lever, levers, share_text
from history.questions.answer.question import QuestionAnswer
from shared.text.quantities import counted

_MOST_UNPRICED = 3
_NOTHING = "Nothing to change: nothing that bears on this would have saved a hundredth of the bill."


def advised(answer: QuestionAnswer, bill: Bill, names: Sequence[str]) -> QuestionAnswer:
    """`answer` with the bill's levers of these names: before its tables, as its last line, and for --json."""
    own = levers(bill).of(names)
    facts = [f"{share_text(lever.saved)} of the bill: {lever.change} ({lever.basis}.)" for lever in own]
    document: dict[str, Any] = msgspec.to_builtins(answer.document)
    return msgspec.structs.replace(
        answer,
        document=document | {"levers": own, "unpriced": bill.unpriced},
        facts=[*(facts if len(own) > 1 else ()), *_unpriced(bill.unpriced), *answer.facts],
        advice=line_of(own),
    )


def _unpriced(calls: Mapping[str, int]) -> list[str]:
    """A line for each of the models without a price that were called most, and one for the others."""
    models = sorted(calls, key=lambda model: (-calls[model], model))
    lines = [
        f"{model} has no price: the bill leaves out its {counted(calls[model], 'call')}. Set history.prices."
        for model in models[:_MOST_UNPRICED]
    ]
    if others := models[_MOST_UNPRICED:]:
        left_out = counted(sum(calls[model] for model in others), "call")
        lines.append(f"The same holds for {counted(len(others), 'other model')}: {left_out}.")
    return lines


def line_of(own: Sequence[Lever]) -> str:
    """The last line of an answer on which these levers bear."""
    return own[0].line if own else _NOTHING
