"""What the client recorded of our messages: proof that they reached the conversation."""

import re

import msgspec

from shared.gauge import wording
from shared.transcript import jsonl
from shared.transcript.line import line_in

_OPENING = wording.OPENING.encode()
_HEAD = re.compile(r"CONTEXT WINDOW (?P<head>[A-Z]+ — [0-9.]+% remaining)")
_MOST = 500
_BYTES = 64 << 20
"""How far from the end messages are looked for."""


class Notification(msgspec.Struct, frozen=True):
    """One message."""

    head: str
    timestamp: str
    """ISO 8601, as the client wrote it."""


def messages(path: str) -> list[Notification]:
    """The newest messages in the transcript at `path`, newest first; none where it cannot be read."""
    notifications: list[Notification] = []
    try:
        with open(path, "rb", buffering=0) as file:
            size = file.seek(0, 2)
            for offset, data in jsonl.backwards(file, size):
                if size - offset > _BYTES or len(notifications) >= _MOST:
                    break
                if _OPENING in data and (notification := _notification(data)):
                    notifications.append(notification)
    except OSError:
        pass
    return notifications


def _notification(data: bytes) -> Notification | None:
    line = line_in(data)
    if line is None or line.attachment is None or line.attachment.type != "hook_additional_context":
        return None
    head = _HEAD.search("\n".join(line.attachment.texts))
    return Notification(head["head"], line.timestamp) if head else None
