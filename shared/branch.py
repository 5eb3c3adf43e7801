"""The branch of a transcript that the conversation is on.

A transcript is a tree: each line names the one that it goes on from (`parentUuid`). After a rewind the abandoned
branch stays in the file, and the next line names one from before it (client-facts.md).
"""

import msgspec

from shared import lenient

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
        self.marker = _ID
        """What the line that is next on the branch holds."""

    @property
    def is_after_rewind(self) -> bool:
        """Whether the line that was found last may have been said after a rewind: its parent may be anywhere.

        Any answer and any result goes on from a line of the same turn.
        """
        return b'"tool_result"' not in self._newest and b'"assistant"' not in self._newest

    def holds(self, data: bytes) -> bool:
        """Whether the line `data` is on the branch; to be asked of each line of the file, the last first."""
        if self.is_whole:
            return False
        if self.marker is _ID:
            return self._begins_with(data)
        if self._is_clients_form and not data.startswith(_HEAD):
            return False
        if self.marker not in data:
            return False
        self._newest = data
        if data.startswith(b'"', len(_HEAD)) and self._is_clients_form:
            self._look_for(data[len(_HEAD) + 1 : data.find(b'"', len(_HEAD) + 1)])
        else:
            self._go_on_from(_node(data))
        return True

    def resume(self) -> None:
        """Go on with the next line of the file: the parent that is looked for isn't there."""
        self.marker = _ID

    def _begins_with(self, data: bytes) -> bool:
        node = _node(data) if _ID in data else TreeNode()
        if node.uuid and (node.type not in _BRANCHING or (node.isSidechain and not self._is_subagent)):
            return False
        if node.uuid:  # else it is outside of the tree, or of a client that wrote no ids
            self._newest = data
            self._is_clients_form = data.startswith(_HEAD)
            self._go_on_from(node)
        return True

    def _go_on_from(self, node: TreeNode) -> None:
        if node.parentUuid:
            self._look_for(node.parentUuid.encode())
            return
        # Of lines that name no parent a prompt alone begins a tree; with another one the chain is only broken.
        self.is_whole = node.type == "user" and self.is_after_rewind and _PARENT in self._newest
        self.resume()

    def _look_for(self, uuid: bytes) -> None:
        self.marker = _ID + (b":" if self._is_clients_form else b": ") + b'"' + uuid + b'"'


def _node(data: bytes) -> TreeNode:
    try:
        return lenient.record(data, TreeNode)
    except msgspec.MsgspecError:
        return TreeNode()
