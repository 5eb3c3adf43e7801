"""What a compaction left of the conversation before it: the client's summary, and our own resumption."""

import msgspec

from shared.files import files
from shared.gauge import wording
from shared.transcript import jsonl
from shared.transcript.line import TranscriptLine, line_in
from shared.transcript.records import compaction_in

_MOST_BYTES = 16 << 20
"""Bytes at a transcript's end in which a summary is looked for."""
_MARKERS = (b'"isCompactSummary"', b'"compact_boundary"', f"<{wording.RESUMPTION}>".encode())


class CarriedOver(msgspec.Struct, frozen=True):
    """What stands in the conversation of the time before a compaction; each empty where it doesn't."""

    summary: str = ""
    """The client's."""
    resumption: str = ""
    """Ours, escaped as the agent read it."""


def carried_over(transcript: str, since: int) -> CarriedOver:
    """What the newest compaction behind the first `since` bytes left and brought, as far as it is written yet."""
    size = files.size(transcript)
    least = max(since if since <= size else 0, size - _MOST_BYTES)
    resumption = ""
    for offset, data in jsonl.newest_first(transcript):
        line = line_in(data) if any(word in data for word in _MARKERS) else None
        if offset < least or (line is not None and compaction_in(line)):
            break
        if line is not None and line.isCompactSummary and line.message is not None and not line.isSidechain:
            return CarriedOver(line.message.text, resumption)
        resumption = resumption or _resumption_in(line)
    return CarriedOver(resumption=resumption)


def _resumption_in(line: TranscriptLine | None) -> str:
    """The resumption that came with the session's start, as the client has recorded a hook's output."""
    attached = line.attachment if line is not None else None
    if attached is None or attached.type != "hook_additional_context":
        return ""
    return next((text for text in attached.texts if f"<{wording.RESUMPTION}>" in text), "")
