"""When a level is told: at once when it is reached or rises, then once in so many tool uses; and what was told already.

Each conversation has a memory, in a file that parallel hooks take in turns.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated, TypeVar

import msgspec

from monitor import locked_file
from shared import files, lenient, paths
from shared.transcript import Tail

Rank = Annotated[int, msgspec.Meta(ge=0, le=4)]
"""A level's place in its scale."""


class ReminderMemory(msgspec.Struct, frozen=True):
    """What a conversation has been told of one scale's levels, and what of it was seen when."""

    level: Rank = 0
    """At the last tool use; 0 where nothing is told."""
    silent: int = 0
    """Tool uses since the last message."""
    told_level: Rank = 0
    """Of the last message in this filling; no higher than the level has been since."""
    told_answer: str = ""
    """Id of the answer whose tool use was last told."""
    compaction: str = ""
    """Id of the newest compaction that was seen."""
    offset: int = 0
    """Byte offset in the transcript of the newest answer that was seen."""
    has_outdated: bool = False
    """Whether a message stands in the conversation whose figures no longer hold, which the next text says."""

    @property
    def is_at_rest(self) -> bool:
        """Whether nothing has to be forgotten at the next tool use."""
        return self.level == 0


class LevelObservation(msgspec.Struct, frozen=True):
    """The level that a conversation has at one tool use."""

    level: int
    answer: str = ""
    """Id of the answer that called it; empty when the transcript doesn't tell."""
    compaction: str = ""
    offset: int = 0
    """Byte offset of the newest answer."""
    size: int = 0
    """Bytes of the transcript."""


Memory = TypeVar("Memory", bound=ReminderMemory)


def observed(level: int, tail: Tail | None) -> LevelObservation:
    """`level` at the tool use that `tail`, the end of the transcript, was read for."""
    if tail is None:
        return LevelObservation(level)
    newest = tail.answers[0] if tail.answers else None
    return LevelObservation(
        level,
        answer=newest.id if newest and tail.holds_tool_use else "",
        compaction=tail.compaction.id if tail.compaction else "",
        offset=newest.offset if newest else 0,
        size=tail.size,
    )


def step(memory: Memory, seen: LevelObservation, every: int | None) -> tuple[Memory, bool]:
    """The memory after `seen`, and whether its level is to be told with it.

    `every` is after how many tool uses at one level it is told again; None: once each time that it is reached.
    """
    if is_outdated(memory, seen):
        return memory, False
    memory = aged(memory, seen)
    if seen.level == 0:
        return msgspec.structs.replace(memory, level=0, silent=0, offset=seen.offset), False
    silent = memory.silent + 1 if every is not None else 0
    is_due = seen.level > memory.level or (every is not None and silent >= every)
    if not is_due or _is_told_already(memory, seen):
        return msgspec.structs.replace(memory, level=seen.level, silent=silent, offset=seen.offset), False
    told = msgspec.structs.replace(
        memory,
        level=seen.level,
        silent=0,
        told_level=seen.level,
        has_outdated=False,
        told_answer=seen.answer,
        offset=seen.offset,
    )
    return told, True


def aged(memory: Memory, seen: LevelObservation) -> Memory:
    """`memory` after a compaction, or with the window less full than was told: by a rewind, or in a larger window."""
    if seen.compaction and seen.compaction != memory.compaction:
        memory = _forgotten(msgspec.structs.replace(memory, compaction=seen.compaction, offset=0))
    is_of_told_batch = bool(seen.answer) and seen.answer == memory.told_answer
    if seen.level >= memory.told_level or is_of_told_batch:
        return memory
    return msgspec.structs.replace(memory, told_level=seen.level, has_outdated=True)


def is_outdated(memory: ReminderMemory, seen: LevelObservation) -> bool:
    """Whether a hook that ran at the same time has already seen a newer answer than this one."""
    return seen.offset < memory.offset <= seen.size


class LockedMemory(msgspec.Struct):
    """A conversation's memory while this process alone may change it: set `memory` to do so."""

    memory: ReminderMemory


@contextmanager
def hold(root: str, conversation: str) -> Iterator[LockedMemory]:
    """Hold the memory of `conversation`; a damaged one counts as the first. Raises OSError or TimeoutError."""
    with locked_file.hold(paths.memory(root, conversation)) as file:
        held = LockedMemory(lenient.decode_or(file.content, ReminderMemory, ReminderMemory()))
        yield held
        file.content = msgspec.json.encode(held.memory)


def take_back(root: str, conversation: str, seen: LevelObservation | None = None) -> bool:
    """Whether a text that comes now has to take back what was told: noted as done. Raises OSError, TimeoutError.

    `seen` is None right after a compaction, of which the client tells before it writes it down.
    """
    if not exists(root, conversation):
        return False
    with hold(root, conversation) as held:
        memory = aged(held.memory, seen) if seen is not None else _forgotten(held.memory)
        held.memory = msgspec.structs.replace(memory, has_outdated=False)
    return memory.has_outdated


def read(root: str, conversation: str) -> ReminderMemory | None:
    """The memory as it stands, for who only looks; None when there is none, or it is damaged."""
    return files.load(paths.memory(root, conversation), ReminderMemory, None, locked_file.LIMIT)


def was_told(root: str, conversation: str, seen: LevelObservation) -> bool:
    """Whether another tool use of the same parallel batch carried the message of what this one has seen."""
    memory = read(root, conversation)
    return memory is not None and _is_told_already(memory, seen)


def exists(root: str, conversation: str) -> bool:
    return os.path.exists(paths.memory(root, conversation))


def _forgotten(memory: Memory) -> Memory:
    """The memory as at the beginning of a filling."""
    has_outdated = memory.has_outdated or memory.told_level > 0
    return msgspec.structs.replace(memory, level=0, silent=0, told_level=0, told_answer="", has_outdated=has_outdated)


def _is_told_already(memory: ReminderMemory, seen: LevelObservation) -> bool:
    """Whether another tool use of the same parallel batch carried the message."""
    return bool(seen.answer) and seen.answer == memory.told_answer and seen.level <= memory.told_level
