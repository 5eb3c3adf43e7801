"""The branch of a transcript that the conversation is on, with its answers and its newest compaction.

It is gathered backwards, from the file's end. A transcript is a tree: each line names the one that it goes on from
(`parentUuid`). After a rewind the abandoned branch stays in the file, and the next line names one from before it
(docs/client.md, "Sessions").
"""

import msgspec

from shared.files import lenient
from shared.transcript.jsonl import Scope
from shared.transcript.line import TranscriptLine
from shared.transcript.records import Answer, Compaction, answer_in, compaction_in

ANSWERS = 9
"""Answers in memory: the newest and eight steps of growth before it."""
HISTORY_BYTES = 1 << 20
"""How far before the newest answer older ones are looked for, and before a line the one that it goes on from."""
REWIND_BYTES = 16 << 20
"""The same for what may come after a rewind: a long branch may have been abandoned."""

_ID, _PARENT = b'"uuid"', b'"parentUuid"'
_HEAD = b'{"parentUuid":'
"""How the client begins each line of the tree."""
_BRANCHING = frozenset({"user", "assistant", "system", "attachment"})
"""Kinds of lines that may be a conversation's newest. Older clients also hang `progress` into the tree, loosely."""


class TreeNode(lenient.LenientRecord):
    """What places a line in the tree."""

    type: str = ""
    uuid: str = ""
    parentUuid: str | None = None
    isSidechain: bool | None = False


class Branch:
    """Followed from its newest line backwards, through one file."""

    def __init__(self, *, is_subagent: bool) -> None:
        self._is_subagent = is_subagent
        self.is_whole = False
        """Whether its first line has been found."""
        self._newest = b""
        self._is_clients_form = True
        self._prefix = b""
        """What stands before a line's id."""
        self.marker = _ID
        """What the line that is next on the branch holds."""

    @property
    def is_after_rewind(self) -> bool:
        """Whether the newest match may have come after a rewind: its parent may be anywhere.

        Any answer and any result goes on from a line of the same turn.
        """
        return b'"tool_result"' not in self._newest and b'"assistant"' not in self._newest

    def holds(self, data: bytes) -> bool:
        """Whether the line `data` is on the branch; to be asked of each line of the file, the last first."""
        if self.is_whole:
            return False
        if self.marker is _ID:
            # A line without an id is outside of the tree, or of a client that wrote no ids.
            return _ID not in data or self._begins_with(data)
        if self._is_clients_form and not data.startswith(_HEAD):
            return False
        if self.marker not in data:
            return False
        self._newest = data
        if data.startswith(b'"', len(_HEAD)) and self._is_clients_form:
            self.marker = self._prefix + data[len(_HEAD) + 1 : data.find(b'"', len(_HEAD) + 1)] + b'"'
        else:
            self._go_on_from(_node(data))
        return True

    def resume(self) -> None:
        """Go on with the next line of the file: the parent that is looked for isn't there."""
        self.marker = _ID

    def _begins_with(self, data: bytes) -> bool:
        node = _node(data)
        if node.uuid and (node.type not in _BRANCHING or (node.isSidechain and not self._is_subagent)):
            return False
        if node.uuid:
            self._newest = data
            self._is_clients_form = data.startswith(_HEAD)
            self._prefix = _ID + (b':"' if self._is_clients_form else b': "')
            self._go_on_from(node)
        return True

    def _go_on_from(self, node: TreeNode) -> None:
        if node.parentUuid:
            self.marker = self._prefix + node.parentUuid.encode() + b'"'
            return
        # Of lines that name no parent a prompt alone begins a tree; with another one the chain is only broken.
        self.is_whole = node.type == "user" and self.is_after_rewind and _PARENT in self._newest
        self.resume()


class BranchAnswers:
    """What is known of the branch so far. Lines are added from the file's last to its first."""

    def __init__(self, scope: Scope, tool_use_id: str, *, is_subagent: bool) -> None:
        """`scope` is narrowed to what is still missing; its last marker is the branch's."""
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
                result = _Line(offset, answer, compaction, holds_tool_use)
                if not is_on_branch:
                    self._add_aside(result)
                elif self._aside:
                    self._add_with_aside(result, follower)
                else:
                    self._take([result])
        self.is_complete = self.is_complete or self._branch.is_whole
        if line is not None or self._aside:
            self._scope.until = self._until()

    def finish(self) -> None:
        """Nothing is added any more: where the branch could not be followed, the file's order counts."""
        if not self._branch.is_whole and not (self.answers and self._branch.is_after_rewind):
            self._give_up_parent()

    def _add_with_aside(self, line: "_Line", follower: int) -> None:
        """Add a line of the branch after lines that were not on it; the next one on it begins at byte `follower`."""
        # Each of parallel calls is a line of the same answer, and perhaps only one of them is on the branch.
        # 2.1.197 may write an answer between a boundary and its summary (docs/client.md, "Compaction").
        aside, self._aside = self._aside, []
        self._take([one for one in aside if one.is_of(line.answer) or (line.compaction and one.offset < follower)])
        self._take([line])

    def _add_aside(self, line: "_Line") -> None:
        """Add a line that is on another branch, unless the tree is broken here."""
        if self._boundary is not None or (self.answers and line.is_of(self.answers[-1])):
            self._take([line])
            return
        self._aside.append(line)
        # No second answer can lie between two lines of the same turn, and no boundary that its window is not behind.
        is_broken = line.compaction is not None or len({one.answer.id for one in self._aside if one.answer}) > 1
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

    def _take(self, lines: "list[_Line]") -> None:
        for line in lines:
            if self.compaction is not None:
                if line.answer is not None and not self.is_complete:
                    self.compaction = msgspec.structs.replace(self.compaction, answered_at=line.answer.timestamp)
                    self.is_complete = True
            elif line.answer is not None:
                self._collect(line.answer)
                self.holds_tool_use = self.holds_tool_use or line.holds_tool_use
            else:
                self.compaction, self._boundary = line.compaction, line.offset

    def _collect(self, answer: Answer) -> None:
        """Take in one line of an answer: the last line's usage counts, and the tools add up."""
        answers = self.answers
        if answers and answer.is_of(answers[-1]):
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
        return answer is not None and self.answer is not None and self.answer.is_of(answer)


def _node(data: bytes) -> TreeNode:
    try:
        return lenient.record(data, TreeNode)
    except msgspec.MsgspecError:
        return TreeNode()
