"""The answers and the compaction on the branch of a transcript that the conversation is on, gathered backwards."""

import msgspec

from shared.branch import Branch
from shared.lines import Scope
from shared.transcript_line import TranscriptLine
from shared.transcript_records import Answer, Compaction, answer_in, compaction_in

ANSWERS = 9
"""Answers that are kept: the newest and eight steps of growth before it."""
HISTORY_BYTES = 1 << 20
"""How far before the newest answer older ones are looked for, and before a line the one that it goes on from."""
REWIND_BYTES = 16 << 20
"""The same for what may be said after a rewind: a long branch may have been abandoned."""


class BranchAnswers:
    """What is known of the branch so far. Lines are added from the file's last to its first."""

    def __init__(self, scope: Scope, tool_use_id: str, *, is_subagent: bool) -> None:
        """`scope` is kept to what is still looked for; its last marker is the branch's."""
        self._scope = scope
        self._tool_use = f'"{tool_use_id}"'.encode() if tool_use_id else b""
        self._is_subagent = is_subagent
        self._branch = Branch(is_subagent=is_subagent)
        scope.markers.append(self._branch.marker)
        self._reached = 0
        self._boundary: int | None = None
        self._aside: list[_Line] = []
        self.answers: list[Answer] = []
        """Newest first."""
        self.compaction: Compaction | None = None
        self.holds_tool_use = False
        self.is_complete = False

    def add(self, offset: int, data: bytes, line: TranscriptLine | None) -> None:
        """Add the line `data` at `offset`; `line` is the same decoded, where it may be an answer or a boundary."""
        is_on_branch, follower = self._branch.holds(data), self._reached
        if is_on_branch:
            self._reached = offset
            self._scope.markers[-1] = self._branch.marker
        if line is not None:
            answer = answer_in(line, offset, is_subagent=self._is_subagent)
            compaction = compaction_in(line, is_subagent=self._is_subagent) if answer is None else None
            if answer or compaction:
                holds_tool_use = bool(self._tool_use) and self._tool_use in data
                found = _Line(offset, answer, compaction, holds_tool_use)
                if is_on_branch:
                    self._add_on_branch(found, follower)
                else:
                    self._add_aside(found)
        self.is_complete = self.is_complete or self._branch.is_whole
        self._scope.until = self._until()

    def finish(self) -> None:
        """Nothing is added any more: where the branch could not be followed, the file's order counts."""
        if not self._branch.is_whole and not (self.answers and self._branch.is_after_rewind):
            self._give_up_parent()

    def _add_on_branch(self, found: "_Line", follower: int) -> None:
        """Add a line of the branch; the one after it on the branch begins at byte `follower`."""
        # Each of parallel calls is a line of the same answer, and perhaps only one of them is on the branch.
        # 2.1.197 may write an answer between a boundary and its summary, as a child of a line before both.
        same = [one for one in self._aside if one.is_of(found.answer) or (found.compaction and one.offset < follower)]
        self._aside.clear()
        self._take([*same, found])

    def _add_aside(self, found: "_Line") -> None:
        """Add a line that is on another branch, unless the tree is broken here."""
        if self._boundary is not None or (self.answers and found.is_of(self.answers[-1])):
            self._take([found])
            return
        self._aside.append(found)
        # No second answer can lie between two lines of the same turn, and no boundary that its window is not behind.
        is_broken = found.compaction is not None or len({one.answer.id for one in self._aside if one.answer}) > 1
        if is_broken and not self._branch.is_after_rewind:
            self._give_up_parent()

    def _until(self) -> int:
        """Byte offset before which nothing is looked for any more."""
        if self._boundary is not None:
            return self._boundary - HISTORY_BYTES
        if self.answers:
            return self.answers[0].offset - HISTORY_BYTES
        if self._aside:
            return self._reached - (REWIND_BYTES if self._branch.is_after_rewind else HISTORY_BYTES)
        return 0

    def _give_up_parent(self) -> None:
        aside, self._aside = self._aside, []
        self._branch.resume()
        self._scope.markers[-1] = self._branch.marker
        self._take(aside)

    def _take(self, found: "list[_Line]") -> None:
        for one in found:
            if self.compaction is not None:
                if one.answer is not None and not self.is_complete:
                    self.compaction = msgspec.structs.replace(self.compaction, answered_at=one.answer.timestamp)
                    self.is_complete = True
            elif one.answer is not None:
                self._collect(one.answer)
                self.holds_tool_use = self.holds_tool_use or one.holds_tool_use
            else:
                self.compaction, self._boundary = one.compaction, one.offset

    def _collect(self, answer: Answer) -> None:
        """Take in one line of an answer: the last line's usage counts, and the tools add up."""
        answers = self.answers
        if answers and answers[-1].id == answer.id and answer.id:
            uses = answers[-1].tool_uses + answer.tool_uses
            answers[-1] = msgspec.structs.replace(answers[-1], tool_uses=uses, start=answer.offset)
        elif len(answers) < ANSWERS:
            answers.append(answer)
        else:
            self.is_complete = True


class _Line(msgspec.Struct, frozen=True):
    offset: int
    answer: Answer | None
    compaction: Compaction | None
    holds_tool_use: bool

    def is_of(self, answer: Answer | None) -> bool:
        """Whether it is a line of `answer`."""
        return answer is not None and self.answer is not None and answer.id == self.answer.id != ""
