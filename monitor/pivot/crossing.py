"""When a level is told: once each time that it is reached from below. A fall, or a compaction, re-arms."""

import msgspec

from monitor.pivot.level import PivotLevel


class Crossing(msgspec.Struct, frozen=True):
    """What a session has been told."""

    level: PivotLevel = PivotLevel.NORMAL
    """At the last tool use."""
    told: PivotLevel = PivotLevel.NORMAL
    """The level that was last told."""
    answer: str = ""
    """Id of the answer with whose tool use it was told."""
    compaction: str = ""
    """Id of the newest compaction that was seen."""
    offset: int = 0
    """Byte offset in the transcript of the newest answer at which the level changed."""
    notice: str = ""
    """What the person is still to be told."""


class Sighting(msgspec.Struct, frozen=True):
    """A session's level at one tool use."""

    level: PivotLevel
    answer: str = ""
    """Id of the answer that called the tool; empty when the transcript doesn't tell."""
    compaction: str = ""
    offset: int = 0
    """Byte offset of the newest answer."""
    size: int = 0
    """Bytes of the transcript."""


def step(known: Crossing, seen: Sighting) -> tuple[Crossing, bool]:
    """What is known after `seen`, and whether a level was reached with it that is to be told."""
    if seen.offset < known.offset <= seen.size:
        return known, False  # a hook of the same time has seen a newer answer
    if seen.compaction and seen.compaction != known.compaction:
        known = Crossing(compaction=seen.compaction, notice=known.notice)
    if seen.level == known.level:
        return known, False
    changed = msgspec.structs.replace(known, level=seen.level, offset=seen.offset)
    if seen.level < known.level or (seen.answer and seen.answer == known.answer and seen.level <= known.told):
        return changed, False  # the second: another tool use of the same parallel batch has told it
    return msgspec.structs.replace(changed, told=seen.level, answer=seen.answer), True
