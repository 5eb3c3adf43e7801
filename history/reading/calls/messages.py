"""What a message of ours, which the transcript keeps as an attachment, told the agent."""

from shared.gauge import wording
from shared.gauge.levels import Level
from shared.transcript.line import TranscriptLine

_OPENING = wording.OPENING.encode()
_LEVELS = {f"CONTEXT WINDOW {level.name} ": level.name for level in Level}


def level_in(line: TranscriptLine, data: bytes) -> str | None:
    """The name of the level in the warning that `line` is; None for any other line. `data` is the line as bytes."""
    if _OPENING not in data or line.attachment is None:
        return None
    text = "\n".join(line.attachment.texts)
    return next((level for words, level in _LEVELS.items() if words in text), None)
