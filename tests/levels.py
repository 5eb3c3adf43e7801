"""Facts that tests take from the table of levels, so that a new level breaks no unrelated test."""

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
    """The tool uses, counted from 1, that bring a level's message while its request stays undone."""
    rule = LevelRules().rule(level)
    return [1 + number * rule.every for number in range(MOST_MESSAGES)] if rule else []


def level_at(tokens: int, limit: int | None = 167_000) -> Level:
    """The level at `tokens` of 200,000, for tests of a number's message at whichever level that is."""
    return level_of(Reading(None, tokens, 200_000, "transcript", WindowSource.BRIDGE, 0), LevelRules(), limit)


def head_at(tokens: int, limit: int | None = 167_000) -> str:
    """The beginning of a message at `tokens` of 200,000, such as `WARNING 35%`."""
    return f"{level_at(tokens, limit).name} {remaining_percentage(tokens, 200_000)}%"


def uniform(rule: LevelRule) -> LevelRules:
    """Rules in which every level begins where `rule` says, so the last level applies."""
    return LevelRules(**dict.fromkeys(LevelRules.__struct_fields__, rule))
