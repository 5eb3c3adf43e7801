"""Detect whether a session's window was compacted since its last prompt, with or without a PreCompact event."""

from monitor.checkpoints.checkpoint import Checkpoint
from monitor.memory.memory import PromptMemory
from monitor.prompts.prompt import Prompt
from shared.client.models import EARLIER_CLIENT, version_of
from shared.files import files
from shared.files.lenient import epoch_of
from shared.transcript import jsonl
from shared.transcript.branch import Branch
from shared.transcript.line import line_in
from shared.transcript.records import Compaction, answer_in, compaction_in
from shared.transcript.tail import Tail

DROP_TOKENS, DROP_PART = 10_000, 0.80
"""In older clients, a fall by more tokens than the first, to less than the second's share, is a compaction, too."""
WITHOUT_BOUNDARY = Compaction("", "", None, None, "")
"""A compaction without a line in the transcript."""


def unreported_compaction(prompt: Prompt) -> Compaction | None:
    """The compaction that hasn't been announced to the session; None if nothing shows one."""
    last, tail, transcript = prompt.memory or PromptMemory(), prompt.tail, prompt.conversation.transcript
    unacknowledged = prompt.unacknowledged[0].checkpoint if prompt.unacknowledged else None
    if prompt.memory is not None:
        boundary = _boundary(transcript, last.size if last.size <= tail.size else 0)
    elif unacknowledged is not None:
        boundary = _boundary(transcript, unacknowledged.session_info.transcript_size)
    else:
        boundary = tail.compaction
    if boundary is not None:
        at = epoch_of(boundary.timestamp)
        if at is None or at > last.alerted_at:  # the client may write it only after the prompt that was alerted
            return boundary
    is_due = prompt.is_alert_lost or last.is_compacted or _has_dropped(last.tokens, last.size, tail, transcript)
    if is_due or (unacknowledged is not None and _is_done(unacknowledged, tail, transcript)):
        return WITHOUT_BOUNDARY
    return None


def _boundary(transcript: str, since: int) -> Compaction | None:
    """The newest boundary after the first `since` bytes."""
    for offset, data in jsonl.newest_first(transcript):
        if offset < since:
            return None
        line = line_in(data) if b'"compact_boundary"' in data else None
        if line is not None and (compaction := compaction_in(line)):
            return compaction
    return None


def _has_dropped(before: int | None, since: int, tail: Tail, transcript: str) -> bool:
    """Whether the window holds much less than when the transcript had `since` bytes, and not after a rewind."""
    now = tail.tokens
    if (version_of(tail.client) or ()) >= EARLIER_CLIENT:
        return False  # it writes a boundary; another model counts the same words with fewer tokens
    if before is None or now is None or before - now <= DROP_TOKENS or now >= DROP_PART * before:
        return False
    return not _is_rewound(transcript, since)


def _is_rewound(transcript: str, since: int) -> bool:
    """Whether the lines after the first `since` bytes continue from before one of the answers in these."""
    branch, has_passed_answer = Branch(is_subagent=False), False
    for offset, data in jsonl.newest_first(transcript):
        if branch.holds(offset, data) and offset < since:
            return has_passed_answer
        line = line_in(data) if offset < since and b'"usage"' in data else None
        if line is not None and answer_in(line, offset, is_subagent=False):
            has_passed_answer = True
    return branch.is_whole and has_passed_answer


def _is_done(checkpoint: Checkpoint, tail: Tail, transcript: str) -> bool:
    """Whether an announced compaction has happened, which a PreCompact alone doesn't prove.

    The client also sends one when it prepares a summary in parallel, and an interrupted compaction doesn't count.
    """
    if not checkpoint.is_before_compaction:
        return False
    before, then = checkpoint.context_state.input_tokens, checkpoint.session_info.transcript_size
    if 0 <= files.size(transcript) < then:  # rewritten, unless it continues as full as it was
        return before is None or tail.tokens is None or tail.tokens < before
    return _has_dropped(before, then, tail, transcript)
