"""Whether a session's window has been compacted since its last prompt, PreCompact event or none."""

import msgspec

from monitor.checkpoint_folder import Found
from monitor.prompt_memory import PromptMemory
from shared import files, lines
from shared.transcript import Compaction, Tail, compaction_in

DROP_TOKENS, DROP_PART = 10_000, 0.80
"""A fall by more tokens than these, to less than this part, is a compaction too: an older client's, say."""


class Evidence(msgspec.Struct, frozen=True):
    """That there was a compaction, and the boundary that says so, where there is one."""

    boundary: Compaction | None = None


def evidence(
    memory: PromptMemory | None, tail: Tail | None, transcript: str, unacknowledged: Found | None
) -> Evidence | None:
    """What shows that the session was compacted, and hasn't been told of it; None when nothing does.

    `unacknowledged` is its newest checkpoint of that kind.
    """
    seen = _seen_before(memory, tail, unacknowledged)
    boundary = _boundary(transcript, seen) if seen is not None else (tail.compaction if tail else None)
    if boundary is not None:
        return Evidence(boundary)
    if memory is not None and (memory.is_compacted or _has_dropped(memory.tokens, tail)):
        return Evidence()
    if unacknowledged is not None and _is_underway(unacknowledged, transcript):
        return Evidence()
    return None


def _seen_before(memory: PromptMemory | None, tail: Tail | None, unacknowledged: Found | None) -> int | None:
    """Bytes of the transcript that hold nothing new; None in a session that we have not been in before."""
    if memory is not None:
        return memory.size if tail is None or memory.size <= tail.size else 0
    return unacknowledged.checkpoint.session_info.transcript_size if unacknowledged else None


def _boundary(transcript: str, seen: int) -> Compaction | None:
    """The newest boundary behind the first `seen` bytes."""
    try:
        with open(files.open_regular(transcript), "rb", buffering=0) as file:
            for offset, line in lines.backwards(file, file.seek(0, 2)):
                if offset < seen:
                    return None
                if b'"compact_boundary"' in line and (found := compaction_in(line)):
                    return found
    except (OSError, ValueError):
        pass
    return None


def _has_dropped(before: int | None, tail: Tail | None) -> bool:
    if before is None or tail is None or tail.tokens is None:
        return False
    return before - tail.tokens > DROP_TOKENS and tail.tokens < DROP_PART * before


def _is_underway(found: Found, transcript: str) -> bool:
    """Whether the client announced a compaction and has written nothing since that would say otherwise.

    One that was broken off leaves a line of its own, as all that goes on does.
    """
    size = found.checkpoint.session_info.transcript_size
    return found.checkpoint.is_before_compaction and files.size(transcript) in {size, -1}
