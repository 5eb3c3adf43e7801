"""The branch of a transcript that the conversation is on, with its answers and its newest compaction.

It is collected backwards, from the file's end. A transcript is a tree: each line names its parent (`parentUuid`).
After a rewind the abandoned branch stays in the file, and the next line names a parent from before it
(docs/client.md, "Sessions").
"""

import msgspec

from shared.transcript.line import TranscriptLine, line_in
from shared.transcript.records import Answer, Compaction

ANSWERS = 9
"""Answers collected: the newest, and the eight before it, for eight steps of growth."""
HISTORY_BYTES = 1 << 20
"""Bytes searched before the newest answer for older ones, and before a line for its parent."""
REWIND_BYTES = 16 << 20
"""Bytes searched for the parent after a possible rewind: the abandoned branch may be long."""

_ID, _PARENT = b'"uuid"', b'"parentUuid"'
_HEAD, _BEFORE_ID = b'{"parentUuid":', b'"uuid":"'
"""How the client begins each line of the tree, and what precedes its id."""
_BRANCHING = frozenset({"user", "assistant", "system", "attachment"})
"""Types of lines that a conversation may end with. Older clients also put `progress` lines into the tree, loosely."""


class Branch:
    """One branch of a file, followed backwards from its newest line."""

    def __init__(self, *, is_subagent: bool) -> None:
        self._is_subagent = is_subagent
        self.is_whole = False
        """Whether the branch's first line has been found."""
        self._newest = b""
        self.marker = _ID
        """Bytes that the next line on the branch contains."""
        self.reached, self.follower = 0, 0
        """Byte offsets of the last line found on the branch, and of its child."""

    @property
    def is_after_rewind(self) -> bool:
        """Whether the last line may follow a rewind; answers and results don't: their parents are in the same turn."""
        return b'"tool_result"' not in self._newest and b'"assistant"' not in self._newest

    @property
    def until(self) -> int:
        """Byte offset at which the search for the next line on the branch ends."""
        return self.reached - (REWIND_BYTES if self.is_after_rewind else HISTORY_BYTES)

    def holds(self, offset: int, data: bytes) -> bool:
        """Whether the line `data` at byte `offset` is on the branch. Call it for each line, the last first."""
        if self.is_whole:
            return False
        if self.marker is _ID:
            # A line without an id is outside the tree, or from a client that wrote no ids.
            if _ID in data and not self._begins_with(data):
                return False
        elif not data.startswith(_HEAD) or self.marker not in data:
            return False
        else:
            self._newest = data
            if data.startswith(b'"', len(_HEAD)):
                self.marker = _BEFORE_ID + data[len(_HEAD) + 1 : data.find(b'"', len(_HEAD) + 1)] + b'"'
            else:
                self._go_on_from(line_in(data) or TranscriptLine())
        self.reached, self.follower = offset, self.reached
        return True

    def resume(self) -> None:
        """Continue with the next line of the file: the parent is missing."""
        self.marker = _ID

    def _begins_with(self, data: bytes) -> bool:
        node = line_in(data) or TranscriptLine()
        if node.uuid and (node.type not in _BRANCHING or (node.isSidechain and not self._is_subagent)):
            return False
        if node.uuid:
            self._newest = data
            self._go_on_from(node)
        return True

    def _go_on_from(self, node: TranscriptLine) -> None:
        if node.parentUuid:
            self.marker = _BEFORE_ID + node.parentUuid.encode() + b'"'
            return
        # Only a prompt begins a tree; any other line without a parent is a break in the chain.
        self.is_whole = node.type == "user" and self.is_after_rewind and _PARENT in self._newest
        self.resume()


class BranchAnswers:
    """A branch's answers and newest compaction, added from the file's last to its first."""

    def __init__(self, branch: Branch) -> None:
        """`branch` must have been asked about each line up to the added record's."""
        self._branch = branch
        self.answers: list[Answer] = []
        """Newest first."""
        self.compaction: Compaction | None = None
        self.aside: list[Answer | Compaction] = []
        """Records that were not on the branch, but may turn out to be."""
        self.until = 0
        """Byte offset at which the search ends, once something has been added."""
        self.is_complete = False

    def add(self, record: Answer | Compaction, *, is_on_branch: bool = True) -> None:
        """Add a boundary or one line of an answer, whose calls add up; `is_on_branch` is the branch's verdict on it."""
        if is_on_branch and self.aside:
            self._settle_aside(record)
        is_of_newest = bool(self.answers) and self.answers[-1].id == record.id
        if not (is_on_branch or is_of_newest or self.compaction is not None):
            self._add_aside(record)
        elif isinstance(record, Compaction):
            if self.compaction is None:
                self.compaction, self.until = record, record.offset - HISTORY_BYTES
        elif self.compaction is not None:
            if not self.is_complete:
                self.compaction = msgspec.structs.replace(self.compaction, answered_at=record.timestamp)
                self.is_complete = True
        elif is_of_newest:
            calls = record.calls + self.answers[-1].calls
            self.answers[-1] = msgspec.structs.replace(self.answers[-1], calls=calls, start=record.offset)
        elif len(self.answers) < ANSWERS:
            self.until = self.until or record.offset - HISTORY_BYTES
            self.answers.append(record)
        else:
            self.is_complete = True

    def finish(self) -> None:
        """End the collection: where the branch could not be followed, the file's order counts."""
        if not self._branch.is_whole and not (self.answers and self._branch.is_after_rewind):
            self._give_up_parent()

    def _settle_aside(self, record: Answer | Compaction) -> None:
        """Add the records set aside that belong to `record`, which is on the branch; drop the others."""
        # Each parallel call is a line of the same answer, and perhaps only one of them is on the branch.
        # 2.1.197 may write an answer between a boundary and its summary (docs/client.md, "Compaction").
        aside, self.aside = self.aside, []
        for one in aside:
            if one.offset < self._branch.follower if isinstance(record, Compaction) else one.id == record.id:
                self.add(one)

    def _add_aside(self, record: Answer | Compaction) -> None:
        """Set aside a record that is on another branch, unless the tree is broken here."""
        self.aside.append(record)
        if self._branch.is_after_rewind:
            return
        # Two lines of a turn have no second answer between them, and a boundary between them applies to this window.
        answers = {one.id for one in self.aside if isinstance(one, Answer)}
        if isinstance(record, Compaction) or len(answers) > 1:
            self._give_up_parent()

    def _give_up_parent(self) -> None:
        self._branch.resume()
        aside, self.aside = self.aside, []
        for one in aside:
            self.add(one)
