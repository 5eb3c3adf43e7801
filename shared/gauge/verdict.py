"""The verdict: the one judgement of a conversation, from which every text takes its level and numbers.

The line, the messages, the prompt's tag, the notices, the reports, the guards and the alert differ in what they
say (shared.gauge.wording has the words they share), but none judges for itself, so no two can disagree.
"""

from collections.abc import Mapping, Sequence
from itertools import pairwise

import msgspec

from shared.client import client_settings, models
from shared.client.client_settings import ClientSettings
from shared.gauge.levels import Level, LevelRules, PivotLevel, level_of
from shared.gauge.limit import Learned, Limit, compaction_key, limit_of
from shared.gauge.window import Reading, WindowSize
from shared.transcript.records import BYTES_PER_TOKEN, Answer

_FEWEST_STEPS = 4
"""Steps of growth needed for a forecast."""
_FEWEST_TURNS = 3
"""Turns needed for a forecast of the next one."""
UNKNOWN_WINDOW_TOKENS = {Level.WARNING: 130_000, Level.CRITICAL: 170_000}
"""Tokens at which a window of unknown size counts as being at a level, which is reported once. One of 200,000 tokens
would be at WARNING at the first, and the client would compact it just before the second."""


class Verdict(msgspec.Struct, frozen=True):
    """How full one conversation's window is, and what follows from it."""

    reading: Reading
    level: Level
    limit: Limit | None = None
    """Where the window really ends; None while its size is unknown."""
    tool_uses_left: int | None = None
    """Tool uses until the limit at the recent pace, minus what is pending; None with too few samples."""
    is_subagent: bool = False
    is_padded_reminder: bool = False
    """Whether the client's own `<total_tokens>` counts a budget instead of the window.

    docs/client.md, "What models are told of tokens".
    """

    @property
    def used(self) -> int | None:
        """Percent of the window in use, the client's own integer; None while the window's size is unknown."""
        return self.reading.used

    @property
    def remaining(self) -> int | None:
        return None if self.used is None else 100 - self.used

    @property
    def tokens_left(self) -> int | None:
        if self.limit is None or self.reading.tokens is None:
            return None
        return max(0, self.limit.tokens - self.reading.tokens)

    @property
    def continues(self) -> bool:
        """Whether the client compacts at the limit and the work continues; otherwise only a person can make room."""
        return self.limit is None or self.limit.is_compacted

    @property
    def is_certain(self) -> bool:
        """Whether the window's size and its limit are facts. If not, nothing is ordered or blocked."""
        if self.limit is not None and self.limit.certainty == "assumed":
            return False
        return self.reading.window_source.certainty == "known"

    @property
    def pivots_from(self) -> PivotLevel:
        """The pivot's first level that acts at a tool use; lower ones are for the person, and wait for a prompt."""
        return PivotLevel.EMERGENCY if self.continues else PivotLevel.CRITICAL

    @property
    def severity(self) -> Level:
        """The level; in a window of unknown size, the one by UNKNOWN_WINDOW_TOKENS."""
        tokens = self.reading.tokens
        if self.used is not None or tokens is None:
            return self.level
        return max((level for level, bound in UNKNOWN_WINDOW_TOKENS.items() if tokens >= bound), default=Level.NORMAL)


class Conditions(msgspec.Struct, frozen=True):
    """The facts, besides a reading's own numbers, that decide where its window ends."""

    environ: Mapping[str, str]
    """The client's environment, which its hooks and its status line inherit."""
    learned: Learned
    client_directory: str
    settings: Sequence[ClientSettings]
    """The client's settings files; the first wins."""
    model: str
    """The conversation's model id, with `[1m]` if that is known."""
    client: str
    """The client's version; empty if unknown."""


def limit_under(conditions: Conditions, reading: Reading, answers: Sequence[Answer] = ()) -> Limit | None:
    """Where the window of `reading` ends; None while its size is unknown. `answers` are newest first."""
    if reading.window is None:
        return None
    # One large result may carry the window past the point, and the client compacts before the next request. Only an
    # answer that another has followed shows that there is no such point.
    is_newest = bool(answers) and answers[0].tokens == reading.tokens
    older = answers[is_newest].tokens if len(answers) > is_newest else 0
    model, environ, version = conditions.model, conditions.environ, conditions.client
    named = answers[0].model if older else model
    if named not in model and models.is_another(model, named, version):
        older = 0  # in another model's window
    key = compaction_key(models.base_model(model), version, reading.window, environ)
    return limit_of(
        model,
        WindowSize(reading.window, reading.window_source),
        environ,
        version,
        client_settings.read(model, version, environ, conditions.client_directory, conditions.settings),
        learnt=conditions.learned.compactions.get(key),
        tokens=reading.tokens or 0,
        passed=older,
    )


def verdict_on(
    reading: Reading,
    limit: Limit | None,
    rules: LevelRules,
    answers: Sequence[Answer] = (),
    result_bytes: int = 0,
    *,
    is_subagent: bool = False,
    is_padded_reminder: bool = False,
) -> Verdict:
    """The verdict on `reading` with the window's `limit`; the flags are as in Verdict.

    The forecast is based on `answers`, newest first. The newest answer's output and the current tool result, of
    `result_bytes`, are about to enter the window and no answer has counted them yet.
    """
    verdict = Verdict(reading, Level.NORMAL, limit, is_subagent=is_subagent, is_padded_reminder=is_padded_reminder)
    if reading.remaining is None:
        return msgspec.structs.replace(verdict, level=Level.WARNING if verdict.severity else Level.NORMAL)
    level = level_of(reading, rules, limit.tokens if limit else None)
    growth, room, uses = growth_per_tool_use(answers), verdict.tokens_left, None
    if growth and room:  # no forecast past the limit
        pending = answers[0].output + result_bytes // BYTES_PER_TOKEN
        uses = max(0, int((room - pending) / growth))
    return msgspec.structs.replace(verdict, level=level, tool_uses_left=uses)


def growth_per_tool_use(answers: Sequence[Answer]) -> float | None:
    """Tokens that a tool use adds: the median of recent steps, so that no huge result counts; None with too few."""
    tokens = [answer.tokens for answer in answers]
    growths = zip(tokens, tokens[1:], answers[1:], strict=False)
    steps = sorted([(new - old) / max(1, len(answer.calls)) for new, old, answer in growths if new > old])
    if len(steps) < _FEWEST_STEPS:
        return None
    middle = len(steps) // 2
    return steps[middle] if len(steps) % 2 else (steps[middle - 1] + steps[middle]) / 2


def usual_turn(answers: Sequence[Answer]) -> int | None:
    """Tokens that one more turn usually adds: the second largest recent step, as one may be huge; None with too few."""
    steps = _steps(answers)
    return steps[-2] if len(steps) >= _FEWEST_TURNS else None


def largest_turn(answers: Sequence[Answer]) -> int | None:
    """Tokens that the largest of the recent turns added; None with too few turns."""
    steps = _steps(answers)
    return max(0, steps[-1]) if len(steps) >= _FEWEST_TURNS else None


def _steps(answers: Sequence[Answer]) -> list[int]:
    """The tokens that each recent turn added, in ascending order."""
    return sorted([new - old for new, old in pairwise(answer.tokens for answer in answers)])
