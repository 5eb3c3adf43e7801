"""Segments on the context window: how full it is, how long it will last, and the share from the cache."""

from shared.gauge.window import Reading
from shared.text.quantities import counted, tokens_text
from statusline.measuring.measurement import usage_of
from statusline.measuring.status import Status
from statusline.segment import Form, Part, Segment

_CELLS = 10
FULL, EMPTY = "█", "░"
FORECAST_IMPORTANCE, FORECAST_URGENT = 60, 82
_CERTAINTIES = {"set": "set", "learnt": "seen before", "catalogue": "known", "assumed": "assumed"}
"""Shorter words than the messages use (shared.gauge.wording.LIMIT_SOURCES)."""
MOST_TOOL_USES = 30
"""A larger forecast helps nobody plan, and its columns are better used for the cost or the distance to compaction."""


def context(status: Status) -> Segment | None:
    """How full the context window is: bar, percent used, level, tokens of the window."""
    reading = status.reading
    tokens = _tokens(reading) if reading else ()
    if reading is None or reading.used is None:
        return (Form(98, (Part("context ?", "dim"), *tokens)),)
    level = status.level
    role, filled = level.name.lower(), reading.used * _CELLS // 100
    percent = Part(f"{reading.used}%", role)
    word = (percent, Part(f" {level.name}", role)) if level else (percent,)
    meter = Part(FULL * filled, role), Part(EMPTY * (_CELLS - filled), "track"), Part(" "), *word
    return (Form(100, (percent, Part("!" * level, role))), Form(98, word), Form(94, meter), Form(86, (*meter, *tokens)))


def forecast(status: Status) -> Segment | None:
    """How many tool uses are left until the window's limit, at the recent pace."""
    uses = status.verdict.tool_uses_left if status.verdict else None
    if uses is None or uses > MOST_TOOL_USES:
        return None
    noun = "use" if uses == 1 else "uses"
    role = "text" if status.level else "dim"
    importance = FORECAST_URGENT if status.level else FORECAST_IMPORTANCE
    return (
        Form(importance + 2, (Part(f"~{uses} {noun} left", role),)),
        Form(importance, (Part(f"~{uses} tool {noun} left", role),)),
    )


def compaction(status: Status) -> Segment | None:
    """How far the limit is if it comes before the window's end, and how certain that is; the compactions so far."""
    ahead, count = _ahead(status), status.samples.compactions
    so_far = count.number if count.is_whole else 0  # an unfinished count isn't shown
    if not ahead:
        return (Form(52, (Part(counted(so_far, "compaction"), "dim"),)),) if so_far else None
    limit = status.verdict.limit if status.verdict else None
    forms = [ahead, f"{ahead} ({_CERTAINTIES[limit.certainty]})" if limit else ahead]
    forms += [f"{forms[-1]}, {so_far} so far"] if so_far else []
    return tuple(Form(56 - 2 * number, (Part(form, "dim"),)) for number, form in enumerate(forms))


def cache(status: Status) -> Segment | None:
    """The share of the input that came from the prompt cache."""
    prompt_cache = status.payload.prompt_cache
    if prompt_cache is not None:  # newer clients count the session's, not only the newest answer's
        ratio = prompt_cache.hit_ratio
    else:
        usage = usage_of(status.payload.context_window)
        ratio = usage.cache_read / usage.tokens if usage else None
    if ratio is None:
        return None
    is_cold = prompt_cache is not None and prompt_cache.warm is False
    parts = Part("cache ", "dim"), Part(f"{int(ratio * 100 + 0.5)}%"), Part(" cold" if is_cold else "", "dim")
    return (Form(36, parts),)


def _tokens(reading: Reading) -> tuple[Part, ...]:
    if reading.tokens is None:
        return ()
    size = f"/{tokens_text(reading.window)}" if reading.window else ""
    return (Part(f" {tokens_text(reading.tokens)}{size}", "dim"),)


def _ahead(status: Status) -> str:
    """The distance to the limit; empty if that is the window's end, or unknown."""
    verdict = status.verdict
    if verdict is None or verdict.limit is None or verdict.tokens_left is None:
        return ""
    if verdict.limit.tokens == verdict.reading.window:
        return ""
    if verdict.tokens_left == 0:
        return "compaction due" if verdict.continues else "at the end"
    distance = tokens_text(verdict.tokens_left)
    return f"~{distance} to compaction" if verdict.continues else f"~{distance} to the end"
