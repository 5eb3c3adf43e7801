"""The end of a transcript: the newest answers, the newest compaction, and what the client recorded about its run.

It is read backwards. The cost doesn't grow with the file: a 1 GB transcript costs what a 1 MB one does.
"""

import os
from collections.abc import Iterator

import msgspec

from shared.client.models import base_model
from shared.files import files
from shared.transcript import jsonl, records
from shared.transcript.branch import Branch, BranchAnswers
from shared.transcript.line import line_in
from shared.transcript.records import Answer, Compaction, RunRecords

_USAGE, _BOUNDARY = b'"usage"', b'"compact_boundary"'
_USER, _ASSISTANT = b'"type":"user"', b'"assistant"'
_OF_RUN = (records.REQUEST, records.SWITCH, b'"attachment"')
"""Markers of the lines with facts about a run."""
_HEAD_BYTES = 512
"""The head of a line, which shows its type, unless it is an answer."""


class Tail(msgspec.Struct, frozen=True):
    size: int
    """Bytes of the file when it was read."""
    ended: int
    """Bytes up to and including the last newline: what follows is still being written."""
    answers: tuple[Answer, ...]
    """The newest answers since the last compaction, newest first; those of abandoned branches are left out."""
    compaction: Compaction | None
    """The newest compaction, if the part that was read has one."""
    is_long: bool | None
    """Whether this run's newest request asked for a 1M window; None for older clients, which don't record requests."""
    holds_tool_use: bool
    """Whether one of `answers` called the tool use in question."""
    model: str = ""
    """The conversation's model, without `[1m]`: the newest answer's, or the one that the client has named since."""
    identity: str = ""
    """The model as the client names it in this run, with its `[1m]`; empty if it isn't named."""
    reminder: int | None = None
    """Tokens left by this run's newest reminder, or PADDED (shared.transcript.records)."""
    countdown: int | None = None
    """The window's size by that reminder, if it is a countdown."""
    was_long: bool = False
    """Whether the newest record of an earlier run of the session names a window of 1M."""

    @property
    def tokens(self) -> int | None:
        """Tokens in the window; None right after a compaction: its `postTokens` lacks system prompt and tools."""
        return self.answers[0].tokens if self.answers else None

    @property
    def answer_in_hand(self) -> str:
        """The id of the answer that called the current tool; empty if the transcript doesn't have it."""
        return self.answers[0].id if self.answers and self.holds_tool_use else ""

    @property
    def client(self) -> str:
        """The client's version, from its newest answer; empty if unknown."""
        return self.answers[0].client if self.answers else ""


NO_TAIL = Tail(0, 0, (), None, None, holds_tool_use=False)
"""The tail of a transcript that is missing or can't be read."""


class OpenTranscript:
    """A transcript that stays open as long as this object lives, so its end can be reread while the client writes.

    A session's own file may contain lines of subagents (older clients), which never count; a subagent's own file
    (`is_subagent`) contains nothing else.
    """

    def __init__(self, descriptor: int, *, is_subagent: bool = False) -> None:
        self._descriptor = descriptor
        # A file that owned the descriptor would warn of being left open if both were in a cycle and it went first.
        self._file = open(descriptor, "rb", buffering=0, closefd=False)  # noqa: SIM115  for as long as this is in use
        self._is_subagent = is_subagent

    def __del__(self) -> None:
        os.close(self._descriptor)

    @property
    def size(self) -> int:
        """Bytes of the file now."""
        return self._file.seek(0, 2)

    def tail(self, size: int, tool_use_id: str = "", since: float = 0.0) -> Tail:
        """Read the tail of the file's first `size` bytes. Raises OSError.

        `since` is when this run began, in epoch seconds: records of requests and of the model count from then on. The
        current tool use shows whose end it is: another client may have continued the session from an earlier line
        (docs/client.md, "Sessions").
        """
        newest = self._read(size, tool_use_id, since)
        if not tool_use_id or not newest.answers or tool_use_id in newest.answers[0].calls:
            return newest
        end = jsonl.end_of_line_with(self._file, size, b'"id":"%s"' % tool_use_id.encode(errors="replace"))
        own = self._read(end, tool_use_id, since) if end else newest
        return msgspec.structs.replace(own, size=size) if own.holds_tool_use else newest

    def newest_first(self, farthest: int) -> Iterator[tuple[int, bytes]]:
        """Yield the offset and bytes of each line in the last `farthest` bytes, the last first. Raises OSError."""
        return jsonl.newest_first_in(self._file, farthest=farthest)

    def _read(self, size: int, tool_use_id: str, since: float) -> Tail:
        branch, run, ended = Branch(is_subagent=self._is_subagent), RunRecords(since), None
        gathered, bounds = BranchAnswers(branch), jsonl.SearchBounds([_USAGE, _BOUNDARY, *_OF_RUN, branch.marker])
        for offset, data in jsonl.backwards(self._file, size, bounds):
            if ended is None:
                ended = offset + len(data) + 1 if offset + len(data) < size else offset
            if offset < bounds.until:
                break
            is_on_branch, head = branch.holds(offset, data), data[:_HEAD_BYTES]
            # About 200 lines are read, a dozen of which are decoded.
            is_prompt = _USER in head and _ASSISTANT not in head and records.SWITCH not in head
            is_record = _USAGE in data or _BOUNDARY in head or any(marker in head for marker in run.pending_markers)
            if is_record and not is_prompt and (line := line_in(data)) is not None:
                answer = records.answer_in(line, offset, is_subagent=self._is_subagent)
                record = answer or records.compaction_in(line, offset, is_subagent=self._is_subagent)
                if record is not None:
                    gathered.add(record, is_on_branch=is_on_branch)
                else:
                    run.add(offset, line, gathered.answers[0].model if gathered.answers else "")
            if gathered.is_complete or branch.is_whole:
                break
            bounds.until = gathered.until or (branch.until if gathered.aside else 0)
            bounds.markers[-1] = branch.marker
        gathered.finish()
        return _tail_of(size, ended or 0, gathered, run, tool_use_id)


def open_transcript(path: str, *, is_subagent: bool = False) -> OpenTranscript | None:
    """Open the transcript at `path`; None if it can't be read."""
    try:
        return OpenTranscript(files.open_regular(path), is_subagent=is_subagent)
    except (OSError, ValueError):
        return None


def read_tail(path: str, tool_use_id: str = "", *, is_subagent: bool = False, since: float = 0.0) -> Tail | None:
    """The tail of the transcript at `path`, as OpenTranscript reads it; None if it can't be read."""
    transcript = open_transcript(path, is_subagent=is_subagent)
    try:
        return transcript.tail(transcript.size, tool_use_id, since) if transcript else None
    except OSError:
        return None


def _tail_of(size: int, ended: int, gathered: BranchAnswers, run: RunRecords, tool_use_id: str) -> Tail:
    answers = tuple(gathered.answers)
    is_named_since = bool(run.identity) and (not answers or answers[0].offset < run.identity_at)
    model = base_model(run.identity) if is_named_since else answers[0].model if answers else ""
    before = next((answer.tokens for answer in answers if answer.offset < run.reminder_at), None)
    return Tail(
        size=size,
        ended=ended,
        answers=answers,
        compaction=gathered.compaction,
        is_long=run.is_long(model),
        holds_tool_use=bool(tool_use_id) and any(tool_use_id in answer.calls for answer in answers),
        model=model,
        identity=run.identity,
        reminder=run.reminder,
        countdown=run.window_by_countdown(0 if before is None and gathered.compaction is None else before),
        was_long=bool(run.was_long),
    )
