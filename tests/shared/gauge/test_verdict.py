from collections.abc import Sequence

import pytest

from shared.gauge.levels import Level, LevelRules
from shared.gauge.limit import Limit
from shared.gauge.verdict import Verdict, verdict_on
from shared.gauge.window import Reading, WindowSource, remaining_percentage
from shared.transcript.records import Answer
from tests.shared.gauge.test_verdict_forecast import answers

COMPACTED, ENDING = Limit(167_000, "learnt", is_compacted=True), Limit(177_000, "set", is_compacted=False)


def judge(
    tokens: int,
    limit: Limit | None = COMPACTED,
    size: int = 200_000,
    *,
    source: WindowSource = WindowSource.BRIDGE,
    result_bytes: int = 0,
    history: Sequence[Answer] = (),
) -> Verdict:
    reading = Reading(remaining_percentage(tokens, size), tokens, size, "transcript", source, 0)
    return verdict_on(reading, limit, LevelRules(), history, result_bytes)


def test_a_verdict_has_one_number() -> None:
    verdict = judge(143_000)
    assert (verdict.used, verdict.remaining, verdict.tokens_left) == (72, 28, 24_000)


@pytest.mark.parametrize("tokens", [20_000, 129_000, 152_000, 170_000])
def test_in_a_known_window_the_severity_is_the_level(tokens: int) -> None:
    verdict = judge(tokens)
    assert verdict.severity is verdict.level


def test_beyond_the_limit_no_tokens_are_left() -> None:
    assert judge(167_001).tokens_left == 0


@pytest.mark.parametrize(("limit", "continues"), [(COMPACTED, True), (ENDING, False), (None, True)])
def test_the_limit_decides_whether_the_work_continues(limit: Limit | None, continues: bool) -> None:
    assert judge(143_000, limit).continues is continues


@pytest.mark.parametrize(
    ("source", "limit", "is_certain"),
    [
        (WindowSource.BRIDGE, COMPACTED, True),
        (WindowSource.CATALOGUE, ENDING, True),
        (WindowSource.DEFAULT, COMPACTED, False),
        (WindowSource.TOKENS, COMPACTED, False),
        (WindowSource.BRIDGE, Limit(167_000, "assumed", is_compacted=True), False),
        (WindowSource.BRIDGE, None, True),
    ],
)
def test_a_verdict_is_certain_if_window_and_limit_are(
    source: WindowSource, limit: Limit | None, is_certain: bool
) -> None:
    assert judge(143_000, limit, source=source).is_certain is is_certain


def test_the_forecast_ends_at_the_limit_and_counts_what_is_pending() -> None:
    history = answers(100_000, 101_000, 102_000, 103_000, 104_000, 105_000)
    assert judge(105_000, history=history).tool_uses_left == 62
    assert judge(105_000, history=history, result_bytes=120_000).tool_uses_left == 32
    assert judge(105_000, history=history, result_bytes=360_000).tool_uses_left == 0
    assert judge(105_000).tool_uses_left is None


@pytest.mark.parametrize(
    ("tokens", "severity", "level"),
    [
        (129_999, Level.NORMAL, Level.NORMAL),
        (130_000, Level.WARNING, Level.WARNING),
        (169_999, Level.WARNING, Level.WARNING),
        (170_000, Level.CRITICAL, Level.WARNING),
    ],
)
def test_a_window_of_unknown_size_has_tokens_and_no_percentage(tokens: int, severity: Level, level: Level) -> None:
    verdict = verdict_on(Reading(None, tokens, None, "transcript", WindowSource.UNKNOWN, 0), None, LevelRules())
    assert (verdict.used, verdict.remaining, verdict.severity, verdict.level) == (None, None, severity, level)
    assert not verdict.is_certain


@pytest.mark.parametrize(
    ("size", "tokens", "level"),
    [
        (1_000_000, 850_000, Level.WARNING),
        (1_000_000, 900_000, Level.CRITICAL),
        (1_000_000, 940_000, Level.EXHAUSTED),
        (200_000, 149_000, Level.CRITICAL),
    ],
)
def test_in_a_large_window_the_late_levels_wait_for_their_tokens(size: int, tokens: int, level: Level) -> None:
    limit = Limit(size, "catalogue", is_compacted=True)
    assert judge(tokens - 1, limit, size).level < level
    assert judge(tokens, limit, size).level is level


@pytest.mark.parametrize(
    ("tokens", "level"), [(70_000, Level.WARNING), (80_000, Level.CRITICAL), (85_000, Level.EXHAUSTED)]
)
def test_each_level_begins_before_an_early_limit(tokens: int, level: Level) -> None:
    limit = Limit(90_000, "set", is_compacted=True)
    assert judge(tokens - 1, limit).level < level
    assert judge(tokens, limit).level is level


def test_a_conversations_unset_facts_are_false() -> None:
    reading = judge(105_000).reading
    history = answers(100_000, 101_000, 102_000, 103_000, 104_000, 105_000)
    verdict = verdict_on(reading, COMPACTED, LevelRules(), history)
    assert (verdict.is_subagent, verdict.is_padded_reminder, verdict.tool_uses_left) == (False, False, 62)
    assert not Verdict(reading, Level.NORMAL).is_padded_reminder
