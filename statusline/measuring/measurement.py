"""What the line is drawn from: the payload's reading, with what the files next to it add."""

import math
import os
import time
from collections.abc import Mapping, Sequence

from shared.client import compaction_settings, models
from shared.gauge import window
from shared.gauge.limit import read_learned, window_key
from shared.gauge.verdict import Conditions, verdict_on
from shared.gauge.window import Reading, WindowFacts, reading_of_tokens
from shared.settings.config import Config, Window
from shared.transcript.records import Answer, Usage
from shared.transcript.tail import read_tail
from statusline.measuring.status import Status
from statusline.payload import ContextWindow, CurrentUsage, Payload, TranscriptStat

SOURCE = "statusline"


def observe(
    payload: Payload, transcript: TranscriptStat, config: Config, root: str, environ: Mapping[str, str]
) -> Status:
    """The status of the session; its `problems` are for the caller to add."""
    now = time.time()
    if payload.context_window is None:
        return Status(payload, now)
    directory = os.path.dirname(os.path.abspath(root))
    project = (payload.workspace and payload.workspace.project_dir) or ""
    conditions = Conditions(
        environ,
        config.levels,
        read_learned(root),
        directory,
        compaction_settings.read_layers(directory, project),
        (payload.model and payload.model.id) or "",
        payload.version or "",
    )
    answers = _answers(transcript, config)
    reading = reading_of(payload.context_window, config.window, conditions, now, answers)
    return Status(payload, now, verdict_on(reading, conditions, answers) if reading else None)


def reading_of(
    block: ContextWindow, settings: Window, conditions: Conditions, now: float, answers: Sequence[Answer] = ()
) -> Reading | None:
    """The reading in the payload's `context_window`; None while the client doesn't know it either.

    Before the first answer and after a compaction the client gives nulls, or zeros that mean the same. `settings` are
    the person's windows, `now` is in epoch seconds; `answers` are the transcript's, newest first.
    """
    usage, remaining, model = usage_of(block.current_usage), _remaining(block), conditions.model
    if usage is not None and answers and usage.tokens == answers[0].billed_tokens:
        usage, remaining = (
            Usage(answers[0].tokens, 0, 0),
            None,
        )  # 2.1.197 adds up the requests of an answer with server tools
    if usage is None:
        if remaining is None or remaining == 100:
            return None
        configured = models.size_for(model, settings.models) or settings.size
        source = window.CONFIG if configured else window.BRIDGE
        return Reading(remaining, None, configured or block.context_window_size or None, SOURCE, source, now)
    facts = WindowFacts(
        usage.tokens,
        models.base_model(model),
        conditions.environ,
        client=conditions.client,
        configured=settings.size,
        configured_models=settings.models,
        reported=block.context_window_size,
        identity=model,
        remembered=conditions.learned.windows.get(window_key(model, conditions.client, conditions.environ)),
    )
    return reading_of_tokens(facts, SOURCE, now, remaining)


def _answers(transcript: TranscriptStat, config: Config) -> tuple[Answer, ...]:
    """The newest answers, for the forecast; not looked for when nothing shows it: it takes the transcript's tail."""
    names = {name for line in config.statusline.lines for name in line} - set(config.statusline.hide)
    if transcript.size <= 0 or "forecast" not in names:
        return ()
    tail = read_tail(transcript.path)
    return tail.answers if tail else ()


def usage_of(block: CurrentUsage | None) -> Usage | None:
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


def _remaining(block: ContextWindow) -> float | int | None:
    """The client's remaining percentage, within 0 to 100; None when it gave neither percentage."""
    remaining, used = block.remaining_percentage, block.used_percentage
    if remaining is None and used is not None:
        remaining = 100 - used
    if remaining is None or not math.isfinite(remaining):
        return None
    return min(100, max(0, remaining))
