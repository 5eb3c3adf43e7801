"""What a message of ours, which the transcript keeps as an attachment, told the agent."""

import re

from shared import wording
from shared.levels import Level
from shared.transcript_line import TranscriptLine

_OPENING = wording.OPENING.encode()
_RESUMPTION = f"<{wording.RESUMPTION}>".encode()
_LEVELS = {f"CONTEXT WINDOW {level.name} ": level for level in Level}
_LACKING = re.compile(re.escape(wording.LACKING) + r"([\d,]{1,9})\.")


def level_in(line: TranscriptLine, data: bytes) -> Level | None:
    """The level that a warning named; None where `line`, which is `data`, is none. Only a few lines are looked into."""
    if _OPENING not in data or line.attachment is None:
        return None
    text = "\n".join(line.attachment.texts)
    return next((level for words, level in _LEVELS.items() if words in text), None)


def facts_lost_in(line: TranscriptLine, data: bytes) -> int | None:
    """How many facts a resumption found to be missing in the compaction's summary; None where `line` says none."""
    if _RESUMPTION not in data or line.attachment is None:
        return None
    found = _LACKING.search("\n".join(line.attachment.texts))
    return int(found[1].replace(",", "")) if found else None
