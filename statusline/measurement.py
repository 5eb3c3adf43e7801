"""The reading that a payload holds: the client's own percentage, unless the window it is of is another one."""

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING

from shared import window
from shared.reading import Reading, Usage, remaining_percentage

if TYPE_CHECKING:
    from statusline.payload import ContextWindow, CurrentUsage

SOURCE = "statusline"


def measure(
    block: "ContextWindow",
    model: str,
    *,
    configured: int | None,
    learned: Mapping[str, int],
    environ: Mapping[str, str],
    now: float,
) -> Reading | None:
    """The reading in the payload's `context_window`; None while the client doesn't know it either.

    Before the first answer and after a compaction the client gives nulls, or zeros that mean the same.
    `configured` is the person's window size, `now` is in epoch seconds.
    """
    usage, given = usage_of(block.current_usage), _given(block)
    tokens = usage.tokens if usage else None
    if tokens is None:
        if given is None or given == 100:
            return None
        size, source = configured or block.context_window_size or None, window.BRIDGE
        return Reading(given, None, size, SOURCE, window.CONFIG if configured else source, now)
    size, source = window.resolve(
        tokens,
        model,
        configured=configured,
        reported=block.context_window_size,
        learned=learned,
        environ=environ,
    )
    is_the_clients = size == block.context_window_size or (source == window.DEFAULT and not block.context_window_size)
    if given is None or not is_the_clients:
        return Reading(remaining_percentage(tokens, size), tokens, size, SOURCE, source, now)
    return Reading(given, tokens, None if source == window.DEFAULT else size, SOURCE, source, now)


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
