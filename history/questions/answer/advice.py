"""What to change, at the beginning of an answer and in its last line: the levers that bear on the question."""

from collections.abc import Sequence
from typing import Any

import msgspec

from history.bill.levers import Levers, share_text
from history.questions.answer.question import QuestionAnswer
from shared.text.quantities import counted

NOTHING = "Nothing to change: nothing that bears on this would have saved a hundredth of the bill."


def advised(answer: QuestionAnswer, ranked: Levers, names: Sequence[str]) -> QuestionAnswer:
    """`answer` with the levers of these names: before its tables, as its last line, and for --json."""
    own = [lever for lever in ranked.worthwhile if lever.name in names]
    facts = [f"{share_text(lever.saved)} of the bill: {lever.change} ({lever.basis}.)" for lever in own]
    document: dict[str, Any] = msgspec.to_builtins(answer.document)
    return msgspec.structs.replace(
        answer,
        document=document | {"levers": own, "unpriced": ranked.unpriced},
        facts=[*(facts if len(own) > 1 else ()), *unpriced(ranked), *answer.facts],
        advice=own[0].line if own else NOTHING,
    )


def unpriced(ranked: Levers) -> list[str]:
    """A sentence on calls without a price, if there are any."""
    return [
        f"{model} has no price, so its {counted(calls, 'call')} count in no share of the bill: set history.prices."
        for model, calls in sorted(ranked.unpriced.items())
    ]
