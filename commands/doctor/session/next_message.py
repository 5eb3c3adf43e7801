"""The message that the next tool use of a conversation will carry, or why there is none."""

import msgspec

from commands.doctor.finding import CheckFinding
from monitor.measuring.snapshot import Snapshot
from monitor.memory.memory import Memory
from monitor.memory.reminder import Reminder
from monitor.speakers.level import cadence, most_messages
from shared.gauge.levels import Level, LevelRule, LevelRules, begins_at
from shared.gauge.verdict import UNKNOWN_WINDOW_TOKENS
from shared.gauge.window import percent_text
from shared.settings.config import Config
from shared.text.quantities import counted


class NextMessage(msgspec.Struct, frozen=True):
    """A sentence, and the distance of the next message at the present level."""

    sentence: str
    away: int | None = None
    """Tool uses, 1 for the very next; None when no message is due as things stand."""


def next_message(
    config: Config, obstacles: list[CheckFinding], unmeasured: str, measurement: Snapshot | None, memory: Memory | None
) -> NextMessage:
    """The next message; `unmeasured` is the reason where there is no measurement."""
    if obstacles:
        after = next_message(config, [], unmeasured, measurement, memory)
        return NextMessage(f"No message is due because {obstacles[0].message}. Once that is fixed: {after.sentence}")
    if not config.hooks.context_warnings:
        return _silence("hooks.context_warnings is false")
    if measurement is None:
        return _silence(f"nothing is known: {unmeasured}")
    if measurement.verdict.used is None:
        bounds = " and at ".join(f"{bound:,}" for bound in UNKNOWN_WINDOW_TOKENS.values())
        return _silence(f"the window's size is unknown, which is reported once at {bounds} tokens")
    rule = config.levels.rule(measurement.level)
    if rule is None:
        return _silence(_room(measurement, config.levels))
    return _rhythm(measurement, rule, memory or Memory())


def _silence(reason: str) -> NextMessage:
    return NextMessage(f"No message is due because {reason}.")


def _room(measurement: Snapshot, ladder: LevelRules) -> str:
    reading = measurement.reading
    text = f"{measurement.verdict.remaining}% remain"
    if reading.tokens is None or reading.window is None:
        following, its_rule = ladder.above(Level.NORMAL)[0]
        return f"{text}, and {following.name} begins at {percent_text(its_rule.remaining)} %"
    first, level = min(
        (begins_at(rule, reading.window, measurement.limit_tokens), level) for level, rule in ladder.above(Level.NORMAL)
    )
    return f"{text}, and {level.name} begins at {first:,} tokens, {first - reading.tokens:,} from here"


def _rhythm(snapshot: Snapshot, rule: LevelRule, memory: Memory) -> NextMessage:
    tail, level, most = snapshot.tail, snapshot.level.name, most_messages(snapshot)
    is_new_cycle = tail.compaction is not None and tail.compaction.id != memory.compaction
    reminder = Reminder() if is_new_cycle else memory.level
    has_risen = snapshot.level > reminder.level and (most is None or reminder.count(snapshot.level) < most)
    quiet = 0 if has_risen else reminder.quiet_uses(cadence(snapshot), most)
    if quiet is None:
        return _silence(_settled(snapshot, reminder))
    if quiet:
        rhythm = f"{_since(reminder)}, and {level} is repeated every {rule.every} tool uses"
        sentence = f"The next tool use carries nothing because {rhythm}: the message comes in {quiet + 1}."
        return NextMessage(sentence, quiet + 1)
    reasons = f"{_reach(snapshot, rule)}, and {_turn(snapshot, reminder)}"
    return NextMessage(f"The next tool use will carry {level} because {reasons}.", 1)


def _settled(snapshot: Snapshot, reminder: Reminder) -> str:
    level = snapshot.level.name
    if reminder.is_done:
        return f"what {level} asked for has been done"
    if cadence(snapshot) is None:
        return f"{level} is reported once"
    return f"{level} was reported {counted(reminder.count(snapshot.level), 'time')} since the last compaction"


def _reach(measurement: Snapshot, rule: LevelRule) -> str:
    reading = measurement.reading
    if (measurement.verdict.remaining or 0) > rule.remaining and measurement.limit_tokens is not None:
        at = f"{measurement.limit_tokens:,} tokens, the limit"
        return f"{reading.tokens or 0:,} tokens are within {rule.compact_margin_tokens:,} of {at}"
    return f"{measurement.verdict.remaining}% remain, which is no more than {percent_text(rule.remaining)} %"


def _turn(measurement: Snapshot, before: Reminder) -> str:
    if before.level == Level.NORMAL:
        return "no level has been reported since the window was last at NORMAL"
    if measurement.level > before.level:
        return f"the level has risen from {Level(before.level).name}"
    return _since(before)


def _since(reminder: Reminder) -> str:
    if reminder.uses == 0:
        return "the last tool use carried a message"
    return f"the last message was {counted(reminder.uses, 'tool use')} ago"
