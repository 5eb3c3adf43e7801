"""The message that the next tool use of a conversation will carry, or why there is none."""

from commands.doctor.finding import CheckFinding
from monitor.measuring.snapshot import Snapshot
from monitor.memory.memory import Memory
from monitor.memory.reminder import Reminder
from monitor.speakers import summary_file
from monitor.speakers.level import cadence, most_messages
from shared import gate
from shared.gauge.levels import LevelRule
from shared.gauge.verdict import UNKNOWN_WINDOW_TOKENS
from shared.settings.config import Config
from shared.text.quantities import counted


def next_message(
    config: Config, obstacles: list[CheckFinding], unmeasured: str, measurement: Snapshot | None, memory: Memory
) -> str:
    """Return a sentence about the next message; `unmeasured` says why there is no measurement."""
    if obstacles:
        after = next_message(config, [], unmeasured, measurement, memory)
        return f"No message is due because {obstacles[0].message}. Once that is fixed: {after}"
    if not config.hooks.context_warnings:
        return _silence("hooks.context_warnings is false")
    if measurement is None:
        return _silence(f"nothing is known: {unmeasured}")
    if measurement.verdict.used is None:
        bounds = " and at ".join(f"{bound:,}" for bound in UNKNOWN_WINDOW_TOKENS.values())
        return _silence(f"the window's size is unknown, which is reported once at {bounds} tokens")
    rule = config.levels.rule(measurement.level)
    if rule is None:
        return _silence(f"{measurement.verdict.remaining}% is left")
    return _rhythm(measurement, rule, memory)


def _silence(reason: str) -> str:
    return f"No message is due because {reason}."


def _rhythm(snapshot: Snapshot, rule: LevelRule, memory: Memory) -> str:
    tail, level, most = snapshot.tail, snapshot.level.name, most_messages(snapshot)
    is_new_cycle = tail.compaction is not None and tail.compaction.id != memory.compaction
    reminder = Reminder() if is_new_cycle else memory.level
    has_risen = snapshot.level > reminder.level and (most is None or reminder.count(snapshot.level) < most)
    if not has_risen:
        if reminder.is_done or summary_file.is_settled(snapshot, memory.summary_file):
            return _silence(f"what {level} asked for has been done")
        every = cadence(snapshot, is_planning=False)
        if every is None:
            where = "to a subagent" if snapshot.conversation.is_subagent else "in a window whose size is assumed"
            return _silence(f"{level} has been reported, and {where} that is done once")
        quiet = reminder.quiet_uses(every, most)
        if quiet is None:
            times = counted(reminder.count(snapshot.level), "time")
            return _silence(
                f"{level} has been reported {times} since the window was last empty, and won't be reported again"
            )
        # The launcher has let these uses pass, and no monitor has counted them yet.
        quiet -= gate.notes(snapshot.session.root, snapshot.conversation.id)[0] - 1
        if quiet > 0:
            often = counted(rule.every, "tool use")
            return f"The next message comes in {counted(quiet + 1, 'tool use')}: {level} is repeated every {often}."
    return f"The next tool use will carry {level}."
