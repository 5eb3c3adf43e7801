"""The context window: the reading of its occupancy, and the choice of the source of its size.

Pure: the caller brings the facts. The first valid source decides, and a size smaller than the tokens in use
is never valid.
"""

import enum
from collections.abc import Iterator, Mapping
from typing import Literal

import msgspec

from shared.client import client, models
from shared.client.models import LONG, STANDARD

LARGEST = 2_000_000
"""A larger reported size is taken for an error."""


class WindowSource(enum.StrEnum):
    """The source of a window's size, by its name in the bridge and the history."""

    CONFIG = "config"
    BRIDGE = "bridge"
    REQUEST = "api-request"
    COUNTDOWN = "countdown"
    MODEL = "env-1m-detection"
    VARIABLE = "client-variable"
    LEARNED = "learned"
    CATALOGUE = "catalogue"
    TOKENS = "tokens"
    DEFAULT = "default"
    UNKNOWN = "unknown"

    @property
    def certainty(self) -> Literal["known", "assumed", "unknown"]:
        """How reliable a size from this source is: nothing is ordered or blocked because of an assumed one."""
        if self is WindowSource.UNKNOWN:
            return "unknown"
        return "assumed" if self in ASSUMED else "known"


ASSUMED = frozenset({WindowSource.TOKENS, WindowSource.DEFAULT})
"""The sources that nothing has confirmed."""


class WindowSize(msgspec.Struct, frozen=True):
    """The size of a window, and its source."""

    tokens: int | None
    """None if unknown."""
    source: WindowSource


class WindowFacts(msgspec.Struct, frozen=True):
    """All facts that may show the size of a conversation's window. Unknown ones are left at their defaults."""

    tokens: int
    """Tokens in use."""
    model: str
    """The newest answer's model, without `[1m]`; empty before the first answer."""
    environ: Mapping[str, str]
    """The client's environment, which its hooks and its status line inherit."""
    client: str = ""
    """The client's version."""
    configured: int | None = None
    """The person's `window.size`."""
    configured_models: Mapping[str, int] = {}
    """The person's `[window.models]`."""
    reported: int | None = None
    """The size that the client reported in this run, which began with the session's last start or resumption."""
    reported_model: str = ""
    """The model id that came with `reported`."""
    is_switched: bool = False
    """Whether another model has been chosen since the newest answer, whose tokens its window may not hold."""
    asked_model: str = ""
    """The model that was requested in a main conversation, by id or alias; empty if unknown."""
    is_long: bool | None = None
    """Whether this run's newest request in the transcript asked for 1M; None without a record."""
    identity: str = ""
    """The model id as the client itself names it in this run, with its `[1m]`: in its status line, or in the newest
    attachment `model` of the transcript."""
    countdown: int | None = None
    """The first value of a `total_tokens_reminder` of the countdown kind in this run."""
    remembered: int | None = None
    """The learned size (shared.gauge.limit) for this model id, client version and environment."""

    @property
    def is_long_disabled(self) -> bool:
        """Whether the person limits the client to windows of 200,000 tokens."""
        return client.is_on(self.environ, client.DISABLE_LONG_VARIABLE)


class Reading(msgspec.Struct, frozen=True):
    """One measurement. The person and the agent see the same one."""

    remaining: float | None
    """Percent of the window left, 0 to 100, the client's own figure if it gave one. None if the size is unknown."""
    tokens: int | None
    """Tokens in the window; None if only a percentage is known."""
    window: int | None
    """Size of the window in tokens; None if it is unknown, or only a percentage is known."""
    source: str
    """The source of the tokens: statusline, bridge or transcript."""
    window_source: WindowSource
    sampled_at: float
    """Epoch seconds at which these numbers were first sampled."""

    @property
    def used(self) -> int | None:
        """Percent of the window in use, rounded halves up; None if the window's size is unknown."""
        return None if self.remaining is None else int(100 - self.remaining + 0.5)


def reading_of_tokens(facts: WindowFacts, source: str, sampled_at: float, remaining: float | None = None) -> Reading:
    """The reading of `facts.tokens` in the window that the facts describe.

    `remaining` is the percentage that came with the tokens, of a window of `facts.reported` tokens. It is used
    if that is the window's size. `sampled_at` is in epoch seconds.
    """
    size = resolve(facts)
    if remaining is not None and not facts.reported and size.source.certainty != "known":
        return Reading(remaining, facts.tokens, None, source, size.source, sampled_at)
    if size.tokens is None:
        return Reading(None, facts.tokens, None, source, size.source, sampled_at)
    if remaining is None or size.tokens != facts.reported:
        remaining = remaining_percentage(facts.tokens, size.tokens)
    return Reading(remaining, facts.tokens, size.tokens, source, size.source, sampled_at)


def resolve(facts: WindowFacts) -> WindowSize:
    """The size of the window that `facts` describe, by the first valid source."""
    for size, source in _sizes(facts):
        if size and (facts.tokens <= size or facts.is_switched) and size <= LARGEST:
            return WindowSize(size, source)
    return WindowSize(None, WindowSource.UNKNOWN)


def _sizes(facts: WindowFacts) -> Iterator[tuple[int | None, WindowSource]]:
    """Yield each source's size, the most trusted source first."""
    # The person's setting for the model goes before the one for all models.
    configured = models.size_for(facts.identity or facts.model, facts.configured_models) or facts.configured
    yield configured, WindowSource.CONFIG
    # A size reported for another model says nothing: a resumed session may have switched models.
    if not (facts.model and facts.reported_model) or models.is_same(facts.reported_model, facts.model):
        yield facts.reported, WindowSource.BRIDGE
    yield _recorded_size(facts)
    is_asked = models.is_marked_long(facts.asked_model) and models.names(facts.asked_model, facts.model)
    if is_asked and not facts.is_long_disabled and not _has_records(facts):
        yield LONG, WindowSource.MODEL
    # The client reads this variable only for models that aren't Anthropic's.
    if facts.model and not models.bare_id(facts.model).startswith("claude"):
        yield int(client.number(facts.environ.get(client.MOST_TOKENS_VARIABLE, "")) or 0) or None, WindowSource.VARIABLE
    is_unsure = facts.remembered == STANDARD and not facts.is_long_disabled and not _has_records(facts)
    yield facts.remembered, WindowSource.DEFAULT if is_unsure else WindowSource.LEARNED
    yield _catalogued_size(facts)
    if facts.tokens > STANDARD:
        yield LONG, WindowSource.TOKENS


def remaining_percentage(tokens: int, window: int) -> int:
    """The client's own integer: 100 minus the used percentage, which is rounded halves up, within 0 to 100."""
    return 100 - max(0, min(100, (200 * tokens + window) // (2 * window)))


def percent_text(percentage: float) -> str:
    """A percentage without insignificant digits: `28` or `28.5`."""
    return f"{percentage:.4g}"


def _recorded_size(facts: WindowFacts) -> tuple[int | None, WindowSource]:
    if facts.is_long:
        return LONG, WindowSource.REQUEST
    if models.is_marked_long(facts.identity) and not facts.is_long_disabled:  # a disabled one keeps its `[1m]`
        return LONG, WindowSource.MODEL
    return facts.countdown, WindowSource.COUNTDOWN


def _catalogued_size(facts: WindowFacts) -> tuple[int | None, WindowSource]:
    if facts.is_long_disabled:
        return STANDARD, WindowSource.VARIABLE
    family = models.family_of(facts.model, facts.client)
    if family is None:
        return None, WindowSource.UNKNOWN
    if family.is_by_address and not client.is_first_party(facts.environ):
        return STANDARD, WindowSource.CATALOGUE if _has_records(facts) else WindowSource.DEFAULT
    is_known = family.is_certain and (family.window > STANDARD or _has_records(facts))
    return family.window, WindowSource.CATALOGUE if is_known else WindowSource.DEFAULT


def _has_records(facts: WindowFacts) -> bool:
    """Whether this run's records would show a request for 1M: older clients record neither requests nor their model.

    On Bedrock the requests name no beta (docs/client.md, "What names the window").
    """
    is_requested = facts.is_long is not None and not client.is_on(facts.environ, client.BEDROCK_VARIABLE)
    return is_requested or bool(facts.identity)
