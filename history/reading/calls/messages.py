"""What a message of ours, which the transcript keeps as an attachment, told the agent."""

import re

from shared.gauge import wording
from shared.gauge.levels import Level
from shared.transcript.line import TranscriptLine

_OPENING = wording.OPENING.encode()
_RESUMPTION = f"<{wording.RESUMPTION}>".encode()
_LEVELS = {f"CONTEXT WINDOW {level.name} ": level.name for level in Level}
_LACKING = re.compile(re.escape(wording.LACKING) + r"(\d[\d,]{0,8})\.")


def level_in(line: TranscriptLine, data: bytes) -> str | None:
    """The name of the level in the warning that `line` is; None for any other line. `data` is the line as bytes."""
    if _OPENING not in data or line.attachment is None:
        return None
    text = "\n".join(line.attachment.texts)
    return next((level for words, level in _LEVELS.items() if words in text), None)


def facts_lost_in(line: TranscriptLine, data: bytes) -> int | None:
    """How many facts the compaction's summary lacks, by the resumption that `line` is; None where it says none."""
    if _RESUMPTION not in data or line.attachment is None:
        return None
    match = _LACKING.search("\n".join(line.attachment.texts))
    return int(match[1].replace(",", "")) if match else None
