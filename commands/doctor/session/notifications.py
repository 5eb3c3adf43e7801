"""What the client recorded of our messages: proof that they reached the conversation."""

import re
from itertools import islice

import msgspec

from commands.session import transcripts
from shared.gauge import wording

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
    lines = transcripts.newest_lines(path, [wording.OPENING.encode()], _BYTES)
    heads = (
        (_HEAD.search("\n".join(line.attachment.texts)), line.timestamp)
        for line in lines
        if line.attachment is not None and line.attachment.type == "hook_additional_context"
    )
    return list(islice((Notification(head["head"], at) for head, at in heads if head), _MOST))
