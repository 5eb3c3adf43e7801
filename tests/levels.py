"""What tests take from the table of levels, so that a further level changes none that is about something else."""

from monitor.speakers.level import MOST_MESSAGES
from shared.gauge.levels import Level, LevelRule, LevelRules, begins_at, level_of
from shared.gauge.window import Reading, WindowSource, remaining_percentage

SPEAKING = [level for level in Level if level is not Level.NORMAL]
FIRST, FIRST_RULE = LevelRules().above(Level.NORMAL)[0]
"""The first level that speaks: it may begin ever so early without being out of order."""
FIRST_TOKENS = begins_at(FIRST_RULE, 200_000, 167_000)
"""Tokens at which it begins in a window of 200,000 that is compacted at 167,000."""
FIRST_REMAINING = f"levels.{FIRST.name.lower()}.remaining"
"""The setting that says when the first level begins."""


def uses_of(level: Level) -> list[int]:
    """The tool uses, counted from 1, that bring its message while what that asks for is undone."""
    rule = LevelRules().rule(level)
    return [1 + number * rule.every for number in range(MOST_MESSAGES)] if rule else []


def level_at(tokens: int, limit: int | None = 167_000) -> Level:
    """The level at `tokens` of 200,000: for a test of what is said at some number, whichever level that is."""
    return level_of(Reading(None, tokens, 200_000, "transcript", WindowSource.BRIDGE, 0), LevelRules(), limit)


def head_at(tokens: int, limit: int | None = 167_000) -> str:
    """How a message at `tokens` of 200,000 begins, such as `WARNING 35%`."""
    return f"{level_at(tokens, limit).name} {remaining_percentage(tokens, 200_000)}%"


def uniform(rule: LevelRule) -> LevelRules:
    """Rules in which every level begins where `rule` says, and so the last one counts."""
    return LevelRules(**dict.fromkeys(LevelRules.__struct_fields__, rule))
