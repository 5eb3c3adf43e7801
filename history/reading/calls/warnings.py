"""Our warnings in a transcript, each an attachment, and what followed in the ten answers after it.

- saved: the agent wrote the summary file that the warning names (`messages.summary_file`);
- compacted: the window was compacted, and nothing had been saved before;
- growth stopped: ten answers later the window held at most 5,000 tokens more, or less than before;
- went on: none of these.

The first two are decided when they happen. If the conversation ends earlier, nothing is decided: NULL.
"""

import msgspec

from history.store.rows import WarningRow
from history.store.schema import WarningOutcome
from shared.gauge import wording
from shared.gauge.levels import Level
from shared.transcript.line import TranscriptLine

_OPENING = wording.OPENING.encode()
_LEVELS = {f"CONTEXT WINDOW {level.name} ": level.name for level in Level}
_ANSWERS = 10
_STANDING = 5_000
"""Tokens: the margin of the last level."""


class OpenWarning(msgspec.Struct):
    row: WarningRow
    fill: int
    """Tokens in the window when it was given."""
    answers: int = 0
    """Answers since then."""


def level_in(line: TranscriptLine, data: bytes) -> str | None:
    """The level's name if `line` is one of our warnings, else None. `data` is the line as bytes."""
    if _OPENING not in data or line.attachment is None:
        return None
    text = "\n".join(line.attachment.texts)
    return next((level for words, level in _LEVELS.items() if words in text), None)


def after_answer(warnings: list[OpenWarning], fill: int) -> None:
    """Set the outcomes that one more answer decides, and remove those warnings from `warnings`."""
    for warning in warnings:
        warning.answers += 1
        if warning.answers == _ANSWERS:
            stands = fill - warning.fill <= _STANDING
            warning.row.outcome = WarningOutcome.GROWTH_STOPPED if stands else WarningOutcome.WENT_ON
    warnings[:] = [warning for warning in warnings if warning.answers < _ANSWERS]


def decide_all(warnings: list[OpenWarning], outcome: WarningOutcome) -> None:
    for warning in warnings:
        warning.row.outcome = outcome
    warnings.clear()
