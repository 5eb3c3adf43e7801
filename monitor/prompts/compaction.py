"""Whether a session's window has been compacted since its last prompt, PreCompact event or none."""

from collections.abc import Iterator

import msgspec

from monitor.checkpoints.checkpoint import Checkpoint
from monitor.checkpoints.folder import StoredCheckpoint
from monitor.prompts.prompt import PromptMemory
from shared import files, lines, wording
from shared.branch import Branch
from shared.timestamp import epoch_of
from shared.transcript import Compaction, Tail
from shared.transcript_line import TranscriptLine, line_in
from shared.transcript_records import answer_in, compaction_in

_MOST_BYTES = 16 << 20
"""Of a transcript's end, in which a summary is looked for."""
_TELLING = (b'"isCompactSummary"', b'"compact_boundary"', f"<{wording.RESUMPTION}>".encode())
DROP_TOKENS, DROP_PART = 10_000, 0.80
"""A fall by more tokens than these, to less than this part, is a compaction too: an older client's, say."""


class SaidSince(msgspec.Struct, frozen=True):
    """What stands in the conversation of the time before a compaction; each empty where it doesn't."""

    summary: str = ""
    """The client's."""
    resumption: str = ""
    """Ours, escaped as it was told."""


class UntoldCompaction(msgspec.Struct, frozen=True):
    """A compaction that its session hasn't been told of."""

    boundary: Compaction | None = None
    """The line that shows it, where there is one."""


def untold_compaction(
    memory: PromptMemory | None, tail: Tail | None, transcript: str, unacknowledged: StoredCheckpoint | None
) -> UntoldCompaction | None:
    """The compaction that the session hasn't been told of; None when nothing shows one.

    `unacknowledged` is its newest checkpoint of that kind.
    """
    seen = _seen_before(memory, tail, unacknowledged)
    boundary = _boundary(transcript, seen) if seen is not None else (tail.compaction if tail else None)
    if boundary is not None and not _is_told(boundary, memory):
        return UntoldCompaction(boundary)
    if memory is not None and (memory.is_compacted or _has_dropped(memory.tokens, memory.size, tail, transcript)):
        return UntoldCompaction()
    if unacknowledged is not None and _is_done(unacknowledged.checkpoint, tail, transcript):
        return UntoldCompaction()
    return None


def _seen_before(memory: PromptMemory | None, tail: Tail | None, unacknowledged: StoredCheckpoint | None) -> int | None:
    """Bytes of the transcript that hold nothing new; None in a session that we have not been in before."""
    if memory is not None:
        return memory.size if tail is None or memory.size <= tail.size else 0
    return unacknowledged.checkpoint.session_info.transcript_size if unacknowledged else None


def _boundary(transcript: str, seen: int) -> Compaction | None:
    """The newest boundary behind the first `seen` bytes."""
    for offset, data in _backwards(transcript):
        if offset < seen:
            return None
        line = line_in(data) if b'"compact_boundary"' in data else None
        if line is not None and (found := compaction_in(line)):
            return found
    return None


def _backwards(transcript: str) -> Iterator[tuple[int, bytes]]:
    """The offset and the bytes of each line, the last first; none where the transcript cannot be read."""
    try:
        with open(files.open_regular(transcript), "rb", buffering=0) as file:
            yield from lines.backwards(file, file.seek(0, 2))
    except (OSError, ValueError):
        return


def said_since(transcript: str, seen: int) -> SaidSince:
    """What the newest compaction behind the first `seen` bytes left and brought, as far as it is written yet."""
    size = files.size(transcript)
    least = max(seen if seen <= size else 0, size - _MOST_BYTES)
    resumption = ""
    for offset, data in _backwards(transcript):
        line = line_in(data) if any(word in data for word in _TELLING) else None
        if offset < least or (line is not None and compaction_in(line)):
            break
        if line is not None and line.isCompactSummary and line.message is not None and not line.isSidechain:
            return SaidSince(line.message.text, resumption)
        resumption = resumption or _resumption_in(line)
    return SaidSince(resumption=resumption)


def _resumption_in(line: TranscriptLine | None) -> str:
    """The resumption that came with the session's start, as the client has recorded what a hook said."""
    attached = line.attachment if line is not None else None
    if attached is None or attached.type != "hook_additional_context":
        return ""
    return next((said for said in attached.texts if f"<{wording.RESUMPTION}>" in said), "")


def _is_told(boundary: Compaction, memory: PromptMemory | None) -> bool:
    """Whether an alert has come since: the client may write a boundary only after the prompt that was alerted."""
    if memory is None:
        return False
    at = epoch_of(boundary.timestamp)
    return at is not None and at <= memory.told_at


def _has_dropped(before: int | None, seen: int, tail: Tail | None, transcript: str) -> bool:
    """Whether the window holds much less than when the transcript had `seen` bytes, and not after a rewind."""
    if before is None or tail is None or tail.tokens is None:
        return False
    is_fallen = before - tail.tokens > DROP_TOKENS and tail.tokens < DROP_PART * before
    return is_fallen and not _is_rewound(transcript, seen)


def _is_rewound(transcript: str, seen: int) -> bool:
    """Whether what lies behind the first `seen` bytes goes on from before an answer of theirs."""
    branch, has_passed_answer = Branch(is_subagent=False), False
    for offset, data in _backwards(transcript):
        if branch.holds(data) and offset < seen:
            return has_passed_answer
        line = line_in(data) if offset < seen and b'"usage"' in data else None
        if line is not None and answer_in(line, offset, is_subagent=False):
            has_passed_answer = True
    return branch.is_whole and has_passed_answer


def _is_done(checkpoint: Checkpoint, tail: Tail | None, transcript: str) -> bool:
    """Whether a compaction that was announced has happened: a PreCompact alone is none.

    The client also sends one when it prepares a summary beside the turn, and one that is interrupted is no compaction.
    """
    if not checkpoint.is_before_compaction:
        return False
    before, then = checkpoint.context_state.input_tokens, checkpoint.session_info.transcript_size
    if 0 <= files.size(transcript) < then:  # rewritten, unless it goes on as full as it was
        return before is None or tail is None or tail.tokens is None or tail.tokens < before
    return _has_dropped(before, then, tail, transcript)
