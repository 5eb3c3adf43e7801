"""The limit: where a window really ends, often before its full size, and what the client does there.

The rule is the client's own (docs/client.md, "The threshold's rule"). It depends on the settings (client_settings),
on what earlier sessions showed, and on the catalogue (models).
"""

from collections.abc import Mapping
from typing import Literal

import msgspec

from shared import paths
from shared.client import client, models
from shared.client.client_settings import CompactionSettings
from shared.files import files
from shared.files.lenient import epoch_of
from shared.gauge.window import WindowSize
from shared.transcript.records import TURN_TOKENS

SUMMARY_TOKENS = 20_000
"""Tokens reserved for the summary, or fewer where the model's output limit is lower."""
_BUFFER_TOKENS = 13_000
_REFUSAL_TOKENS = 23_000
"""Tokens before the window's end at which the client refuses to continue, where automatic compaction is off."""
IDLE_SECONDS = 180
"""A compaction takes 68 to 177 s. One that ends longer after the last answer is an idle session's, which may come at
any occupancy."""

_DISPROOF = 100
"""Tokens beyond a catalogued point by more than 1/100 of the window show that there is no such point."""

MOST_LEARNED = 200
"""The most entries of each kind that are saved."""

LimitCertainty = Literal["set", "learnt", "catalogue", "assumed"]


class Limit(msgspec.Struct, frozen=True):
    tokens: int
    """The window's size if nothing ends it earlier."""
    certainty: LimitCertainty
    """Set by the person, learned from a compaction, from the catalogue, or assumed."""
    is_compacted: bool
    """Whether the client compacts there by itself and continues; otherwise only a person can make room.

    At the window's own end it compacts when the API refuses.
    """


class Learned(msgspec.Struct, frozen=True):
    """The client's window sizes and automatic compactions, as observed in earlier sessions.

    Each holds only under the conditions stored with it. Only the monitor writes it; nothing is built in.
    """

    windows: dict[str, int] = {}
    """Tokens by `window_key`, from bridges."""
    compactions: dict[str, int] = {}
    """Smallest `preTokens` of an automatic compaction, by `compaction_key`."""


def limit_of(
    model: str,
    window: WindowSize,
    environ: Mapping[str, str],
    version: str,
    settings: CompactionSettings | None = None,
    *,
    learnt: int | None = None,
    tokens: int = 0,
    passed: int = 0,
) -> Limit | None:
    """The limit of a conversation, main or a subagent's; None if the window's size is unknown.

    `model` has `[1m]` if that is known; `environ` and `version` are the client's. `learnt` is the token count before an
    automatic compaction under these conditions (Learned). A compaction point is disproved if the client has continued
    beyond it: it made another request at `passed` tokens, and `tokens` are in use now.
    """
    size, settings = window.tokens, settings or CompactionSettings()
    if size is None:
        return None
    family = models.family_of(model, version) or models.uncatalogued(model, version)
    at = _threshold(size, family.compact_window(size), environ) or size
    is_beyond = passed > at and tokens > at + size // _DISPROOF
    # Where the next turn could fill the window, the API may have refused, which the client doesn't record.
    point = min(at, size - TURN_TOKENS) if family.is_certain else at
    percent = client.number(environ.get(client.COMPACT_PERCENT_VARIABLE, ""))
    set_at = _threshold(
        size, settings.window or (family.compact_window(size) if percent and percent <= 100 else None), environ
    )
    if not settings.is_on:
        result = Limit(max(0, size - _REFUSAL_TOKENS), "set", is_compacted=False)
    elif set_at and not (passed > set_at and tokens > set_at + size // _DISPROOF):
        # If the client is beyond it, it was set after the start: a running client keeps its compact window.
        result = Limit(set_at, "set", is_compacted=True)
    elif learnt is not None and passed <= learnt <= size and (is_beyond or learnt <= point):
        # A compaction only shows that the point is at or before it: one large result can carry a window far beyond.
        result = Limit(learnt, "learnt", is_compacted=True)
    elif (
        is_beyond
        and window.source.certainty == "known"  # otherwise a larger window explains it better
        and size - SUMMARY_TOKENS - _BUFFER_TOKENS <= at
        and passed <= size - _REFUSAL_TOKENS
    ):
        # Compaction is off by a setting that no hook sees, or blocked by the person's hook: nothing will make room.
        result = Limit(size - _REFUSAL_TOKENS, "assumed", is_compacted=False)
    elif is_beyond:
        result = Limit(size, "assumed", is_compacted=True)
    else:
        result = Limit(at, "catalogue" if family.is_certain else "assumed", is_compacted=True)
    if window.source.certainty != "known":
        return msgspec.structs.replace(result, certainty="assumed")
    return result


def compaction_before_end(limit: Limit | None, size: int | None) -> int | None:
    """Tokens at which the client compacts by itself before a window of `size` tokens ends; None if it doesn't."""
    return None if limit is None or not limit.is_compacted or limit.tokens == size else limit.tokens


def disproofs(limit: Limit | None, size: int) -> tuple[int, ...]:
    """Tokens from which a reading shows that the window is larger than `size`, or not compacted at `limit`."""
    at = compaction_before_end(limit, size)
    if limit is None or at is None:
        is_end_assumed = limit is not None and limit.certainty == "assumed" and limit.tokens < size
        return (limit.tokens + 1, size + 1) if limit and is_end_assumed else (size + 1,)
    learnt, catalogued = at + 1, at + size // _DISPROOF + 1
    return {
        "set": (catalogued, size + 1),
        "learnt": (learnt, size + 1),
        "catalogue": (catalogued, size + 1),
        "assumed": (learnt, catalogued, size + 1),
    }[limit.certainty]


def window_key(model: str, version: str, environ: Mapping[str, str]) -> str:
    """The key of a remembered window size: model id, client version, whether 1M is disabled."""
    return "|".join((model, version, environ.get(client.DISABLE_LONG_VARIABLE, "")))


def compaction_key(model: str, version: str, window: int, environ: Mapping[str, str]) -> str:
    """The key of a remembered compaction in a window of `window` tokens."""
    names = client.COMPACT_WINDOW_VARIABLE, client.COMPACT_PERCENT_VARIABLE, client.MOST_OUTPUT_VARIABLE
    return "|".join((model, version, str(window), *(environ.get(name, "") for name in names)))


def read_learned(root: str) -> Learned:
    """Read the learned facts; none if the file is missing or damaged."""
    return files.load(paths.learned(root), Learned, Learned())


def write_learned(root: str, learned: Learned) -> None:
    """Replace the learned facts by the newest entries of `learned`. Raises OSError."""
    windows, compactions = (list(kind.items())[-MOST_LEARNED:] for kind in (learned.windows, learned.compactions))
    files.write_atomic(paths.learned(root), msgspec.json.encode(Learned(dict(windows), dict(compactions))))


def shows_limit(trigger: str, compacted_at: str, answered_at: str) -> bool:
    """Whether a compaction shows the client's limit: automatic, in a session at work. Both times are ISO 8601."""
    if trigger != "auto":
        return False
    compacted, answered = epoch_of(compacted_at), epoch_of(answered_at)
    return compacted is not None and answered is not None and 0 <= compacted - answered <= IDLE_SECONDS


def _threshold(size: int, compact_window: int | None, environ: Mapping[str, str]) -> int | None:
    """Tokens at which the client compacts for `compact_window`; None if that is None or too small."""
    if compact_window is None:
        return None
    within = min(size, compact_window)
    summary = int(min(client.number(environ.get(client.MOST_OUTPUT_VARIABLE, "")) or SUMMARY_TOKENS, SUMMARY_TOKENS))
    at, percent = within - summary - _BUFFER_TOKENS, client.number(environ.get(client.COMPACT_PERCENT_VARIABLE, ""))
    if percent is not None and percent <= 100:
        at = min(at, int((within - summary) * percent / 100))
    return at if at > 0 else None
