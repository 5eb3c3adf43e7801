"""What to change, at the beginning of an answer and in its last line: the levers that bear on the question."""

from collections.abc import Sequence
from typing import Any

import msgspec

from history.bill.levers import Lever, Levers, share_text
from history.questions.answer.question import QuestionAnswer
from shared.text.quantities import counted

_NOTHING = "Nothing to change: nothing that bears on this would have saved a hundredth of the bill."


def advised(answer: QuestionAnswer, ranked: Levers, names: Sequence[str]) -> QuestionAnswer:
    """`answer` with the levers of these names: before its tables, as its last line, and for --json."""
    own = ranked.of(names)
    facts = [f"{share_text(lever.saved)} of the bill: {lever.change} ({lever.basis}.)" for lever in own]
    unpriced = [
        f"{model} has no price, so its {counted(calls, 'call')} count in no share of the bill: set history.prices."
        for model, calls in sorted(ranked.unpriced.items())
    ]
    document: dict[str, Any] = msgspec.to_builtins(answer.document)
    return msgspec.structs.replace(
        answer,
        document=document | {"levers": own, "unpriced": ranked.unpriced},
        facts=[*(facts if len(own) > 1 else ()), *unpriced, *answer.facts],
        advice=line_of(own),
    )


def line_of(own: Sequence[Lever]) -> str:
    """The last line of an answer on which these levers bear."""
    return own[0].line if own else _NOTHING
