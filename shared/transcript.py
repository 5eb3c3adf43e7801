"""The end of a transcript: the newest answers and the newest compaction, read backwards from the file's end.

What is read doesn't grow with the file: a 1 GB transcript costs what a 1 MB one does.
"""

from collections.abc import Iterator

import msgspec

from shared import files, lines
from shared.branch_answers import ANSWERS, HISTORY_BYTES, BranchAnswers
from shared.models import base_model
from shared.run_records import MARKERS, RunRecords
from shared.transcript_line import line_in
from shared.transcript_records import Answer, Compaction, Reminder

__all__ = ["ANSWERS", "HISTORY_BYTES", "Answer", "Compaction", "Tail", "read_tail"]

_USAGE, _BOUNDARY = b'"usage"', b'"compact_boundary"'
_USER, _ASSISTANT = b'"type":"user"', b'"assistant"'
_HEAD_BYTES = 512
"""Of a line, in which it says what it is, unless it is an answer."""


class Tail(msgspec.Struct, frozen=True):
    """What the end of a transcript says."""

    size: int
    """Bytes of the file when it was read."""
    ended: int
    """Bytes up to and with the last newline: what comes after is still being written."""
    answers: tuple[Answer, ...]
    """The newest answers since the last compaction, newest first; those of abandoned branches are left out."""
    compaction: Compaction | None
    """The newest compaction, when it lies in the part that was read."""
    is_long: bool | None
    """Whether this run's newest request asked for a 1M window; None for older clients, which don't record requests."""
    holds_tool_use: bool
    """Whether the tool use that was asked for stands in one of `answers`' lines."""
    model: str = ""
    """The conversation's model, without `[1m]`: of the newest answer, or as the client has named it since."""
    identity: str = ""
    """The model as the client names it in this run, with `[1m]` where it has that; empty when it isn't named."""
    reminder: Reminder | None = None
    """This run's newest reminder of the tokens left."""
    countdown: int | None = None
    """The size of the window by that reminder, where it is of the countdown kind."""
    usage_total: int | None = None
    """`total` of this run's newest `token_usage`."""

    @property
    def tokens(self) -> int | None:
        """Tokens in the window after the newest answer; unknown after a compaction that has none yet.

        What a boundary calls `postTokens` are the kept messages alone, without system prompt and tools.
        """
        return self.answers[0].usage.tokens if self.answers else None

    @property
    def client(self) -> str:
        """The version of the client, by its newest answer; empty when none is known."""
        return self.answers[0].client if self.answers else ""


def read_tail(path: str, tool_use_id: str = "", *, is_subagent: bool = False, since: float = 0.0) -> Tail | None:
    """The tail of the transcript at `path`; None when it cannot be read.

    A session's own file may hold lines of subagents (older clients), which never count; a subagent's own
    file (`is_subagent`) holds nothing else. `since` is when this run began, in epoch seconds: what the client
    records of its requests and its model counts from then on.
    """
    try:
        with open(files.open_regular(path), "rb", buffering=0) as file:
            size, scope = file.seek(0, 2), lines.Scope([_USAGE, _BOUNDARY, *MARKERS])
            branch = BranchAnswers(scope, tool_use_id, is_subagent=is_subagent)
            return _read(lines.backwards(file, size, scope), size, scope, branch, RunRecords(since))
    except (OSError, ValueError):
        return None


def _read(
    numbered: Iterator[tuple[int, bytes]], size: int, scope: lines.Scope, branch: BranchAnswers, run: RunRecords
) -> Tail:
    ended = None
    for offset, data in numbered:
        if ended is None:
            ended = offset + len(data) + 1 if offset + len(data) < size else offset
        if offset < scope.until:
            break
        # Of the 200 lines or so that are gone through, a dozen are decoded.
        head = data[:_HEAD_BYTES]
        is_answer = (_USER not in head or _ASSISTANT in head) and _USAGE in data
        line = line_in(data) if is_answer or _BOUNDARY in head or run.seeks(head) else None
        branch.add(offset, data, line)
        if branch.is_complete:
            break
        if line is not None:
            run.add(offset, line, branch.answers[0].model if branch.answers else "")
    branch.finish()
    return _tail(size, ended or 0, branch, run)


def _tail(size: int, ended: int, branch: BranchAnswers, run: RunRecords) -> Tail:
    answers = tuple(branch.answers)
    is_named_since = bool(run.identity) and (not answers or answers[0].offset < run.identity_at)
    model = base_model(run.identity) if is_named_since else answers[0].model if answers else ""
    before = next((answer.usage.tokens for answer in answers if answer.offset < run.reminder_at), None)
    return Tail(
        size,
        ended,
        answers,
        branch.compaction,
        run.is_long(model),
        branch.holds_tool_use,
        model=model,
        identity=run.identity,
        reminder=run.reminder,
        countdown=run.window_by_countdown(0 if before is None and branch.compaction is None else before),
        usage_total=run.usage_total,
    )
