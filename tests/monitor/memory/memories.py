"""Memories for tests: a notified session's, and one with every field set."""

import msgspec

from monitor.memory.memory import (
    LastPivot,
    Memory,
    NotifiedLimit,
    PivotState,
    PromptMemory,
    SavedLevel,
    SummaryFile,
)
from monitor.memory.reminder import Reminder
from shared.gauge.levels import Level
from shared.transcript.records import Answer, Compaction
from shared.transcript.tail import Tail

NOTIFIED = Memory(compaction="c1", offset=900, level=Reminder(Level.CRITICAL, 1, Level.CRITICAL, "msg_1", {"2": 1}))


FULL = Memory(
    compaction="c1",
    offset=900,
    has_outdated=True,
    pending_bytes=20_000,
    level=Reminder(Level.CRITICAL, 1, Level.CRITICAL, "msg_1", {"1": 3, "2": 1}, is_done=True),
    pivot=Reminder(3, 0, 3, "msg_1"),
    notification=Reminder(Level.CRITICAL, 0, Level.CRITICAL, "", {"2": 1}),
    ceiling=65,
    limits={"5h": NotifiedLimit(92, 1_795_272_100.0)},
    saved=SavedLevel(Level.CRITICAL, "/shop/cx-001-checkpoint.json", 1, 3.0),
    summary_file=SummaryFile("/shop/PROJECT-SUMMARY.md", 7, 9, 400),
    prompt=PromptMemory(800, 120_000, is_compacted=True, alerted_at=4.0, offered="cx-002", tagged=2, cost_tokens=9),
    pivot_state=PivotState("s", "2026-01-05T09:00:00Z", 3, 120_000, 0.6, "bridge", ("warning",), ("clash",),
                           LastPivot("export", "2026-01-05T09:00:00Z", "person", ("/x",)), 2),
    pivot_notice="\x01" * 8_000,
)  # fmt: skip


def copied(memory: Memory) -> Memory:
    return msgspec.structs.replace(memory)


def tail_at(offset: int, size: int, compaction: str = "", *, holds_tool_use: bool = False) -> Tail:
    """The tail of a transcript whose newest answer begins at byte `offset`, after the compaction with this id."""
    newest = Answer("msg_1@1000", "model", 1_000, 0, "", offset, ("toolu_1",))
    boundary = Compaction(compaction, "auto", 169_000, 3_200, "") if compaction else None
    return Tail(size, size, (newest,), boundary, None, holds_tool_use)
