"""The verdict: the one judgement of a conversation. Everything that speaks of it takes its level and numbers from here.

The line, the messages, the prompt's tag, the notices, the reports, the guards and the alert differ in what they
say (shared.wording has the words they share); none of them judges for itself, so no two of them can disagree.
"""

from collections.abc import Sequence

import msgspec

from shared.forecast import growth_per_tool_use, tool_uses_left
from shared.levels import Level, LevelRules, level_of
from shared.limit import Limit
from shared.reading import Reading
from shared.transcript_records import Answer
from shared.window import certainty_of

UNKNOWN_WINDOW_TOKENS = (130_000, 170_000)
"""Tokens in use at which a conversation whose window's size is unknown is told so, once each: where a window of
200,000 tokens would be at WARNING, and just past where the client would compact it."""


class Verdict(msgspec.Struct, frozen=True):
    """How full one conversation's window is, and what follows from it."""

    reading: Reading
    level: Level
    limit: Limit | None = None
    """Where the window really ends; None while its size is unknown."""
    tool_uses_left: int | None = None
    """Tool uses until the limit at the recent pace, less what is pending; None with too few samples."""
    is_subagent: bool = False
    is_padded_reminder: bool = False
    """Whether the client's own `<total_tokens>` counts a budget that is no window's (client-facts.md)."""

    @property
    def used(self) -> int | None:
        """Percent of the window in use, the client's own integer; None while the window's size is unknown."""
        return self.reading.used

    @property
    def remaining(self) -> int | None:
        """100 less the percentage in use."""
        return None if self.used is None else 100 - self.used

    @property
    def tokens_left(self) -> int | None:
        """Tokens until the limit."""
        if self.limit is None or self.reading.tokens is None:
            return None
        return max(0, self.limit.tokens - self.reading.tokens)

    @property
    def goes_on(self) -> bool:
        """Whether the client compacts at the limit and the work goes on; else the session ends there."""
        return self.limit is None or self.limit.is_compacted

    @property
    def is_certain(self) -> bool:
        """Whether the window's size and its limit are facts. Where not, nothing is ordered and nothing is blocked."""
        if self.limit is not None and self.limit.certainty == "assumed":
            return False
        return certainty_of(self.reading.window_source) == "known"

    @property
    def rank(self) -> int:
        """The level's place; in a window of unknown size, how many of UNKNOWN_WINDOW_TOKENS were reached."""
        if self.used is not None or self.reading.tokens is None:
            return self.level
        return sum(self.reading.tokens >= bound for bound in UNKNOWN_WINDOW_TOKENS)


def judge(
    reading: Reading,
    limit: Limit | None,
    rules: LevelRules,
    *,
    answers: Sequence[Answer] = (),
    pending: int = 0,
    is_subagent: bool = False,
    is_padded_reminder: bool = False,
) -> Verdict:
    """The verdict on `reading`.

    `answers`, newest first, are what the forecast rests on; `pending` is how many tokens are on their way into
    the window: the newest answer's output and the tool results that no answer has counted yet.
    """
    found = Verdict(reading, Level.NORMAL, limit, is_subagent=is_subagent, is_padded_reminder=is_padded_reminder)
    if found.used is None:
        level = Level.WARNING if found.rank else Level.NORMAL
        return msgspec.structs.replace(found, level=level)
    level = level_of(reading, rules, limit.tokens if limit else None)
    growth, room = growth_per_tool_use(answers), found.tokens_left
    left = tool_uses_left(room - pending, growth) if growth and room is not None else None
    return msgspec.structs.replace(found, level=level, tool_uses_left=left)
