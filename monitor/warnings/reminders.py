"""When a level is told: at once when it is reached or rises, then once in so many tool uses."""

import msgspec

from shared.level import Ladder, Level


class Memory(msgspec.Struct, frozen=True):
    """What a conversation has been told, and what of it was seen when."""

    level: Level = Level.NORMAL
    """At the last tool use."""
    silent: int = 0
    """Tool uses since the last message."""
    told_answer: str = ""
    """Id of the answer whose tool use was last told."""
    told_tool_use: str = ""
    compaction: str = ""
    """Id of the newest compaction that was seen."""
    offset: int = 0
    """Byte offset in the transcript of the newest answer that was seen."""


class ToolUse(msgspec.Struct, frozen=True):
    """One tool use, with the level that the conversation has at it."""

    id: str
    level: Level
    answer: str = ""
    """Id of the answer that called it; empty when the transcript doesn't tell."""
    compaction: str = ""
    offset: int = 0


def step(memory: Memory, use: ToolUse, ladder: Ladder) -> tuple[Memory, bool]:
    """The memory after `use`, and whether the level is to be told with it."""
    if use.compaction and use.compaction != memory.compaction:
        memory = Memory(compaction=use.compaction)
    rung = ladder.rung(use.level)
    if rung is None:
        return Memory(compaction=memory.compaction, offset=use.offset), False
    silent = memory.silent + 1
    is_due = use.level > memory.level or silent >= rung.every
    if not is_due or _is_told_already(memory, use):
        seen = msgspec.structs.replace(memory, level=use.level, silent=silent, offset=use.offset)
        return seen, False
    return Memory(use.level, 0, use.answer, use.id, memory.compaction, use.offset), True


def is_outdated(memory: Memory, use: ToolUse, transcript_size: int) -> bool:
    """Whether a hook that ran at the same time has already seen a newer answer than this one."""
    return use.offset < memory.offset <= transcript_size


def _is_told_already(memory: Memory, use: ToolUse) -> bool:
    """Whether another tool use of the same parallel batch carried the message."""
    return bool(use.answer) and use.answer == memory.told_answer and use.id != memory.told_tool_use
