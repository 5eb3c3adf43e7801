"""What the client recorded of our messages: proof that they reached the conversation."""

import re
from itertools import islice

import msgspec

from shared.gauge import wording
from shared.transcript import jsonl
from shared.transcript.line import line_in

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
    lines = jsonl.newest_first(path, [wording.OPENING.encode()], _BYTES)
    return list(islice(filter(None, (_notification(data) for _, data in lines)), _MOST))


def _notification(data: bytes) -> Notification | None:
    line = line_in(data)
    if line is None or line.attachment is None or line.attachment.type != "hook_additional_context":
        return None
    head = _HEAD.search("\n".join(line.attachment.texts))
    return Notification(head["head"], line.timestamp) if head else None
