"""Made-up sessions that read, edit, fill up, get warnings and compact."""

import random

from history.store import store
from history.store.schema import PartKind, RebuildCause, WarningOutcome
from shared.gauge.levels import Level, LevelRules, begins_at
from tests.history.questions.stored import Conversation, Stored

WINDOW, LIMIT = 200_000, 167_000
HOUR = 60 * 60
_TOOLS = {"Read": 2_400, "Bash": 900, "Edit": 300, "Grep": 700, "mcp__tracker__issue": 1_800, "Task": 1_500}
"""Tokens of a result, as a rule."""
_FIRST = 18_000
_BOUNDS = [begins_at(rule, WINDOW, LIMIT) for level in Level if (rule := LevelRules().rule(level))]


def sessions(stored: Stored, number: int, answers: int, *, now: int) -> None:
    """Write `number` sessions of `answers` answers, one an hour up to two hours ago; the same each time."""
    chance = random.Random(1)  # noqa: S311  no secret
    with store.transaction(stored.rows):
        for session in range(number):
            project = f"/home/ada/project-{session % 5}"
            name, at = f"{session:08x}-0000-4000-8000-000000000000", now - (number - session + 1) * HOUR
            _session(stored.conversation(name, project=project, at=at), project, answers, chance)


def rate_limits(stored: Stored, days: int, *, now: int) -> None:
    """Write samples of the rate limits for each half hour."""
    with store.transaction(stored.rows):
        for half_hour in range((now - days * 24 * HOUR) // 1800, now // 1800):
            at = 1800 * half_hour
            stored.rate_limit("5h", at, half_hour % 10 * 9.5, at + HOUR)
            stored.rate_limit("7d", at, at // (24 * HOUR) % 7 * 14.0, at + 24 * HOUR)


def _session(conversation: Conversation, project: str, answers: int, chance: random.Random) -> None:
    result, growth = Level.NORMAL, _FIRST
    for _ in range(answers):
        tool = chance.choice(list(_TOOLS))
        if conversation.step:
            growth = max(20, round(chance.gauss(_TOOLS[tool], _TOOLS[tool] / 3)))
        if conversation.fill + growth > LIMIT:
            summary = max(800, round(chance.gauss(5_500, 2_500)))
            conversation.compaction(summary=summary)
            result, growth = Level.NORMAL, _FIRST + 4_000
        path = f"{project}/source/part-{chance.randrange(6)}/file-{chance.randrange(40)}.py"
        parts = [conversation.part(PartKind.OUTPUT, growth // 5), conversation.tool(growth - growth // 5, tool, path)]
        level = level_of(conversation.fill + growth)
        rebuild = {"rebuild": chance.choice(list(RebuildCause)), "rebuilt": growth} if chance.random() < 0.02 else {}
        conversation.call(
            *(parts if conversation.step else [conversation.part(PartKind.START, growth)]),
            pause=chance.randint(5, 45),
            level=level.name,
            **rebuild,
        )
        if level > result:
            conversation.warning(level, chance.choice(list(WarningOutcome)))
            result = level


def level_of(fill: int) -> Level:
    return Level(sum(fill >= bound for bound in _BOUNDS))
