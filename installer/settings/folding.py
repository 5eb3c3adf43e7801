"""A settings text with what no edit of ours looks at folded away, so that megabytes of it cost an edit nothing."""

import itertools
from collections.abc import Iterator
from typing import NamedTuple

from installer.settings import hooks
from installer.settings.offers import reminder
from installer.settings.text import document
from installer.settings.text.document import Node

_EDITED = ("hooks", "statusLine", reminder.NAME)
_FOLD = '"\ue000"'  # a character for private use, which no settings file has: one that does isn't folded
_SHORT = 64  # characters; folding less gains nothing


class Folded(NamedTuple):
    """The text to edit, and the passages that are folded in it, in their order."""

    text: str
    passages: tuple[str, ...] = ()

    def unfold(self, edited: str) -> str:
        if not self.passages:
            return edited
        pieces = edited.split(_FOLD)
        return "".join(itertools.chain(*zip(pieces, [*self.passages[: len(pieces) - 1], ""], strict=True)))

    def offset(self, folded: int) -> int:
        """Where in the whole text this offset of `text` is."""
        return len(self.unfold(self.text[:folded]))


def fold(text: str) -> Folded:
    """A text in which the groups that no edit touches are folded. Raises Malformed."""
    if not text.strip() or _FOLD[1] in text:
        return Folded(text)
    root = document.parse(text)
    passages, pieces, end = [], [], 0
    for start, stop in _foldable(text, root) if root.kind == "object" else ():
        if stop - start > _SHORT:
            pieces.append(text[end:start])
            passages.append(text[start:stop])
            end = stop
    return Folded(_FOLD.join([*pieces, text[end:]]), tuple(passages))


def _foldable(text: str, root: Node) -> Iterator[tuple[int, int]]:
    hooks_part = root.find("hooks")
    for part in root.parts:
        if part.name not in _EDITED:
            yield part.node.start, part.node.end
        elif part is hooks_part:
            for event in part.node.parts:
                yield from _foreign_groups(text, event.node)


def _foreign_groups(text: str, event: Node) -> Iterator[tuple[int, int]]:
    """Yield each run of groups that no edit touches; not the first nor the last two: a new one follows their layout."""
    between = event.parts[1:-2] if event.kind == "array" else ()
    for is_edited, run in itertools.groupby(between, lambda part: hooks.may_be_edited(text, part)):
        if not is_edited:
            groups = list(run)
            yield groups[0].start, groups[-1].node.end
