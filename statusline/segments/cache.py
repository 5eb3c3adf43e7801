"""The share of the input that came from the prompt cache."""

from shared.config import Config
from statusline.measurement import usage_of
from statusline.segment import Part, Segment, segment
from statusline.status import Status


def render(status: Status, config: Config) -> Segment | None:  # noqa: ARG001  every segment is called alike
    ratio = _ratio(status)
    if ratio is None:
        return None
    cache = status.payload.prompt_cache
    is_cold = cache is not None and cache.warm is False
    parts = Part("cache ", "dim"), Part(f"{int(ratio * 100 + 0.5)}%"), Part(" cold" if is_cold else "", "dim")
    return segment((36, parts))


def _ratio(status: Status) -> float | None:
    """The session's, as newer clients count it, else the newest answer's."""
    if status.payload.prompt_cache is not None:
        return status.payload.prompt_cache.hit_ratio
    block = status.payload.context_window
    usage = usage_of(block.current_usage) if block else None
    return usage.cache_read / usage.tokens if usage else None
