"""What the next tool use of a conversation will carry, and why."""

from itertools import count

import msgspec

from monitor.commands.diagnosis.finding import CheckFinding
from monitor.measuring.measurement import Measurement
from monitor.warnings.reminders import LevelObservation, ReminderMemory, step
from shared.config import Config
from shared.levels import Level, LevelRule, LevelRules, begins_at
from shared.quantities import counted
from shared.reading import percent_text
from shared.verdict import UNKNOWN_WINDOW_TOKENS


class NextMessage(msgspec.Struct, frozen=True):
    """In words, and how many tool uses away the next message is at the present level."""

    sentence: str
    away: int | None = None
    """1 for the very next tool use; None when nothing will be told as things stand."""


def next_message(
    config: Config,
    obstacles: list[CheckFinding],
    unmeasured: str,
    found: Measurement | None,
    memory: ReminderMemory | None,
) -> NextMessage:
    """`unmeasured` says why nothing is known, for when nothing is (`found` is None)."""
    if obstacles:
        otherwise = next_message(config, [], unmeasured, found, memory)
        return NextMessage(f"No message is due because {obstacles[0].said}. Once that is fixed: {otherwise.sentence}")
    if not config.hooks.context_warnings:
        return _silence("hooks.context_warnings is false")
    if found is None:
        return _silence(f"nothing is known: {unmeasured}")
    if found.verdict.used is None:
        bounds = " and at ".join(f"{bound:,}" for bound in UNKNOWN_WINDOW_TOKENS)
        return _silence(f"the window's size is unknown, which is told once at {bounds} tokens")
    rule = config.levels.rule(found.level)
    if rule is None:
        return _silence(_room(found, config.levels))
    return _told(found, rule, memory or ReminderMemory())


def _silence(reason: str) -> NextMessage:
    return NextMessage(f"No message is due because {reason}.")


def _room(found: Measurement, ladder: LevelRules) -> str:
    reading = found.reading
    if found.verdict.used is None:
        return "the size of the window is unknown"
    text = f"{found.verdict.remaining}% remain"
    if reading.tokens is None or reading.window is None:
        return f"{text}, and WARNING begins at {percent_text(ladder.warning.remaining)} %"
    first, level = min(
        (begins_at(rule, reading.window, found.limit_tokens), level)
        for level in Level
        if (rule := ladder.rule(level)) is not None
    )
    return f"{text}, and {level.name} begins at {first:,} tokens, {first - reading.tokens:,} from here"


def _told(found: Measurement, rule: LevelRule, memory: ReminderMemory) -> NextMessage:
    level = found.level.name
    away, before = _uses_until_due(found, memory, rule)
    if away > 1:
        rhythm = f"{_since(before)}, and {level} is repeated every {rule.every} tool uses"
        return NextMessage(f"The next tool use carries nothing because {rhythm}: the message comes in {away}.", away)
    return NextMessage(
        f"The next tool use will carry {level} because {_reach(found, rule)}, and {_turn(found, before)}.", 1
    )


def _uses_until_due(found: Measurement, memory: ReminderMemory, rule: LevelRule) -> tuple[int, ReminderMemory]:
    """Tool uses until one is due, were the level to stay; and the memory that the next one meets."""
    tail = found.tail
    compaction = tail.compaction.id if tail and tail.compaction else ""
    before = memory if not compaction or compaction == memory.compaction else ReminderMemory(compaction=compaction)
    for number in count(1):
        seen = LevelObservation(found.level, compaction=compaction, offset=memory.offset)
        memory, is_due = step(memory, seen, rule.every)
        if is_due:
            return number, before
    raise AssertionError  # count has no end, and every rule is told at some tool use


def _reach(found: Measurement, rule: LevelRule) -> str:
    reading = found.reading
    if (found.verdict.remaining or 0) > rule.remaining and found.limit_tokens is not None:
        at = f"{found.limit_tokens:,} tokens, the limit"
        return f"{reading.tokens or 0:,} tokens are within {rule.compact_margin_tokens:,} of {at}"
    return f"{found.verdict.remaining}% remain, which is no more than {percent_text(rule.remaining)} %"


def _turn(found: Measurement, before: ReminderMemory) -> str:
    if before.level == Level.NORMAL:
        return "no level has been reported since the window was last at NORMAL"
    if found.level > before.level:
        return f"the level has risen from {Level(before.level).name}"
    return _since(before)


def _since(memory: ReminderMemory) -> str:
    if memory.silent == 0:
        return "the last tool use carried a message"
    return f"the last message was {counted(memory.silent, 'tool use')} ago"
