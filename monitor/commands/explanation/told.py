"""What the client recorded of our messages: proof that they reached the conversation."""

import re

import msgspec

from monitor.warnings.messages import OPENING
from shared import lenient, lines

_OPENING = OPENING.encode()
_HEAD = re.compile(r"CONTEXT WINDOW (?P<head>[A-Z]+ — [0-9.]+% remaining)")
_MOST = 500
_BYTES = 64 << 20
"""How far from the end messages are looked for."""


class _Attachment(msgspec.Struct):
    type: str
    content: list[str] = []


class _Line(msgspec.Struct):
    attachment: _Attachment
    timestamp: str = ""


class Told(msgspec.Struct, frozen=True):
    """One message."""

    head: str
    timestamp: str
    """ISO 8601, as the client wrote it."""


def messages(path: str) -> list[Told]:
    """The newest messages in the transcript at `path`, newest first; none where it cannot be read."""
    found: list[Told] = []
    try:
        with open(path, "rb", buffering=0) as file:
            size = file.seek(0, 2)
            for offset, line in lines.backwards(file, size):
                if size - offset > _BYTES or len(found) >= _MOST:
                    break
                if _OPENING in line and (told := _told(line)):
                    found.append(told)
    except OSError:
        pass
    return found


def _told(line: bytes) -> Told | None:
    recorded = lenient.decode_or(line, _Line, None)
    if recorded is None or recorded.attachment.type != "hook_additional_context":
        return None
    head = _HEAD.search("\n".join(recorded.attachment.content))
    return Told(head["head"], recorded.timestamp) if head else None
