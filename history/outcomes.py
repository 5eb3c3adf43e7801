"""What followed a warning, by what the transcript shows of the ten answers after it.

- saved: the agent wrote the summary file that the warning names (`messages.summary_file`);
- compacted: the window was compacted, and nothing had been saved before;
- growth stopped: ten answers later the window held at most 5,000 tokens more, or less than before;
- went on: none of these.

The first two are decided when they come. Of a conversation that ends before, nothing is decided: NULL.
"""

import msgspec

from history.schema import WarningOutcome

_ANSWERS = 10
_STANDING = 5_000
"""Tokens: the margin of the last level."""


class OpenWarning(msgspec.Struct, array_like=True):
    """A warning of which it isn't known yet what follows."""

    key: int
    fill: int
    """Tokens in the window when it was given."""
    answers: int = 0
    """Since then."""


def after_answer(warnings: list[OpenWarning], fill: int) -> dict[int, int]:
    """What is decided by one more answer, by key; those are taken out of `warnings`."""
    decided = {}
    for warning in tuple(warnings):
        warning.answers += 1
        if warning.answers == _ANSWERS:
            stands = fill - warning.fill <= _STANDING
            decided[warning.key] = int(WarningOutcome.GROWTH_STOPPED if stands else WarningOutcome.WENT_ON)
            warnings.remove(warning)
    return decided


def all_decided(warnings: list[OpenWarning], outcome: WarningOutcome) -> dict[int, int]:
    """All of `warnings` had this outcome; none is left."""
    decided = {warning.key: int(outcome) for warning in warnings}
    warnings.clear()
    return decided
