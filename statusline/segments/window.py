"""Segments on the context window: how full it is, how long it will do, and what came from the cache."""

from shared.gauge.window import Reading
from shared.text.quantities import counted, tokens_text
from statusline.measuring.measurement import usage_of
from statusline.measuring.status import Status
from statusline.segment import Form, Part, Segment

_CELLS = 10
FULL, EMPTY = "█", "░"
FORECAST_IMPORTANCE, FORECAST_URGENT = 60, 82
MOST_TOOL_USES = 30
"""Beyond this many nobody plans with them, and the columns say more with the cost or the distance to compaction."""


def context(status: Status) -> Segment | None:
    """How full the context window is: bar, percent used, level, tokens of the window."""
    reading = status.reading
    if reading is None:
        return (Form(98, (Part("context ?", "dim"),)),)
    used = reading.used
    if used is None:
        return (Form(98, (Part("context ?", "dim"), *_tokens(reading))),)
    level, role = status.level, status.role
    percent = Part(f"{used}%", role)
    word = (percent, Part(f" {level.name}", role)) if level else (percent,)
    meter = (*_bar(used, role), Part(" "), *word)
    return (
        Form(100, (percent, Part("!" * level, role))),
        Form(98, word),
        Form(94, meter),
        Form(86, (*meter, *_tokens(reading))),
    )


def forecast(status: Status) -> Segment | None:
    """How many tool uses are left until the window's limit, at the recent pace."""
    uses = status.verdict.tool_uses_left if status.verdict else None
    if uses is None or uses > MOST_TOOL_USES:
        return None
    noun = "tool use" if uses == 1 else "tool uses"
    role = "text" if status.level else "dim"
    importance = FORECAST_URGENT if status.level else FORECAST_IMPORTANCE
    return (
        Form(importance + 2, (Part(f"~{uses} {noun.removeprefix('tool ')} left", role),)),
        Form(importance, (Part(f"~{uses} {noun} left", role),)),
    )


def compaction(status: Status) -> Segment | None:
    """How far the limit is if it comes before the window's end, and how certain that is; the compactions so far."""
    ahead, so_far = _ahead(status), _so_far(status)
    if not ahead:
        return (Form(52, (Part(counted(so_far, "compaction"), "dim"),)),) if so_far else None
    limit = status.verdict.limit if status.verdict else None
    forms = [ahead, f"{ahead} ({limit.certainty})" if limit else ahead]
    forms += [f"{forms[-1]}, {so_far} so far"] if so_far else []
    return tuple(Form(56 - 2 * number, (Part(form, "dim"),)) for number, form in enumerate(forms))


def cache(status: Status) -> Segment | None:
    """The share of the input that came from the prompt cache."""
    ratio = _ratio(status)
    if ratio is None:
        return None
    prompt_cache = status.payload.prompt_cache
    is_cold = prompt_cache is not None and prompt_cache.warm is False
    parts = Part("cache ", "dim"), Part(f"{int(ratio * 100 + 0.5)}%"), Part(" cold" if is_cold else "", "dim")
    return (Form(36, parts),)


def _bar(used: int, role: str) -> tuple[Part, Part]:
    filled = used * _CELLS // 100
    return Part(FULL * filled, role), Part(EMPTY * (_CELLS - filled), "track")


def _tokens(reading: Reading) -> tuple[Part, ...]:
    if reading.tokens is None:
        return ()
    size = f"/{tokens_text(reading.window)}" if reading.window else ""
    return (Part(f" {tokens_text(reading.tokens)}{size}", "dim"),)


def _ahead(status: Status) -> str:
    """How far the limit is; nothing where it is the window's end, or isn't known."""
    verdict = status.verdict
    if verdict is None or verdict.limit is None or verdict.tokens_left is None:
        return ""
    if verdict.limit.tokens == verdict.reading.window:
        return ""
    if verdict.tokens_left == 0:
        return "compaction due" if verdict.goes_on else "at the end"
    distance = tokens_text(verdict.tokens_left)
    return f"~{distance} to compaction" if verdict.goes_on else f"~{distance} to the end"


def _so_far(status: Status) -> int:
    """Compactions of the session; 0 while they are still being counted."""
    count = status.samples.compactions
    return count.number if count.is_whole else 0


def _ratio(status: Status) -> float | None:
    """The session's, as newer clients count it, else the newest answer's."""
    if status.payload.prompt_cache is not None:
        return status.payload.prompt_cache.hit_ratio
    block = status.payload.context_window
    usage = usage_of(block.current_usage) if block else None
    return usage.cache_read / usage.tokens if usage else None
