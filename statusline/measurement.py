"""The reading that a payload holds: the client's own percentage, unless the window it is of is another one."""

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING

from shared import models, window
from shared.learned import window_key
from shared.reading import Reading, Usage, remaining_percentage
from shared.window import WindowFacts

if TYPE_CHECKING:
    from shared.config import Window
    from statusline.payload import ContextWindow, CurrentUsage

SOURCE = "statusline"


def measure(
    block: "ContextWindow",
    model: str,
    *,
    client: str,
    settings: "Window",
    learned: Mapping[str, int],
    environ: Mapping[str, str],
    now: float,
) -> Reading | None:
    """The reading in the payload's `context_window`; None while the client doesn't know it either.

    Before the first answer and after a compaction the client gives nulls, or zeros that mean the same.
    `client` is the client's version, `settings` the person's windows, `now` is in epoch seconds.
    """
    usage, given = usage_of(block.current_usage), _given(block)
    tokens = usage.tokens if usage else None
    if tokens is None:
        if given is None or given == 100:
            return None
        configured = models.named_for(model, settings.models) or settings.size
        size, source = configured or block.context_window_size or None, window.BRIDGE
        return Reading(given, None, size, SOURCE, window.CONFIG if configured else source, now)
    facts = WindowFacts(
        tokens,
        models.base_model(model),
        environ,
        client=client,
        configured=settings.size,
        configured_models=settings.models,
        reported=block.context_window_size,
        identity=model,
        remembered=learned.get(window_key(model, client, environ)),
    )
    found = window.resolve(facts)
    if found.certainty != "known" and given is not None and not block.context_window_size:
        return Reading(given, tokens, None, SOURCE, found.source, now)
    if found.tokens is None:
        return Reading(None, tokens, None, SOURCE, found.source, now)
    if given is None or found.tokens != block.context_window_size:
        given = remaining_percentage(tokens, found.tokens)
    return Reading(given, tokens, found.tokens, SOURCE, found.source, now)


def usage_of(block: "CurrentUsage | None") -> Usage | None:
    """The newest answer's tokens; None for a block that holds none."""
    if block is None:
        return None
    usage = Usage(
        block.input_tokens or 0,
        block.cache_creation_input_tokens or 0,
        block.cache_read_input_tokens or 0,
        block.output_tokens or 0,
    )
    return usage if usage.tokens else None


def _given(block: "ContextWindow") -> float | int | None:
    """The client's remaining percentage, within 0 to 100; None when it gave neither percentage."""
    remaining, used = block.remaining_percentage, block.used_percentage
    if remaining is None and used is not None:
        remaining = 100 - used
    if remaining is None or not math.isfinite(remaining):
        return None
    return min(100, max(0, remaining))
