"""The measurement for the line: the payload's reading, completed by our files and the transcript."""

import math
import os
import time
from collections.abc import Mapping, Sequence

from shared import paths
from shared.client import client_settings, models
from shared.client.client_settings import Run, read_run
from shared.gauge.limit import read_learned, window_key
from shared.gauge.verdict import Conditions, limit_under, verdict_on
from shared.gauge.window import Reading, WindowFacts, WindowSource, reading_of_tokens
from shared.settings.config import Config, Window
from shared.transcript.records import Answer, Usage
from shared.transcript.tail import read_tail
from statusline.measuring.status import Status
from statusline.payload import ContextWindow, Payload

SOURCE = "statusline"


def observe(payload: Payload, transcript_size: int, config: Config, root: str, environ: Mapping[str, str]) -> Status:
    """The status of the session; the caller adds its `problems` and `samples`."""
    now = time.time()
    if payload.context_window is None:
        return Status(payload, now)
    directory = os.path.dirname(os.path.abspath(root))
    project = (payload.workspace and payload.workspace.project_dir) or ""
    names = {name for line in config.statusline.lines for name in line} - set(config.statusline.hide)
    # The transcript is read only for the forecast, and if the tokens exceed the window.
    is_read = transcript_size > 0 and ("forecast" in names or _is_overfull(payload.context_window))
    tail = read_tail(payload.transcript_path or "") if is_read else None
    answers = tail.answers if tail else ()
    session = payload.session_id or ""
    run = read_run(paths.session_run(root, session)) if paths.is_id(session) else Run()
    conditions = Conditions(
        environ=environ,
        learned=read_learned(root),
        client_directory=directory,
        settings=client_settings.read_layers(directory, project, run),
        model=(payload.model and payload.model.id) or "",
        client=payload.version or "",
    )
    reading = reading_of(payload.context_window, config.window, conditions, now, answers)
    limit = limit_under(conditions, reading, answers) if reading else None
    return Status(payload, now, verdict_on(reading, limit, config.levels, answers) if reading else None)


def reading_of(
    block: ContextWindow, settings: Window, conditions: Conditions, now: float, answers: Sequence[Answer] = ()
) -> Reading | None:
    """The reading in the payload's `context_window`; None while the client doesn't know it either.

    Before the first answer and after a compaction the client gives nulls, or zeros with the same meaning. `settings`
    are the person's windows; `now` is in epoch seconds; `answers` are the transcript's, newest first.
    """
    usage, remaining, model = usage_of(block), _remaining(block), conditions.model
    if usage is not None and answers and usage.tokens == answers[0].billed_tokens:
        # 2.1.197 adds up the requests of an answer with server tools.
        usage, remaining = Usage(answers[0].tokens, 0, 0), None
    is_newest = usage is not None and bool(answers) and usage.tokens == answers[0].tokens
    if usage is None:
        if remaining is None or remaining == 100:
            return None
        configured = models.size_for(model, settings.models) or settings.size
        source = WindowSource.CONFIG if configured else WindowSource.BRIDGE
        return Reading(remaining, None, configured or block.context_window_size or None, SOURCE, source, now)
    facts = WindowFacts(
        usage.tokens,
        models.base_model(model),
        conditions.environ,
        client=conditions.client,
        configured=settings.size,
        configured_models=settings.models,
        reported=block.context_window_size,
        is_switched=is_newest
        and answers[0].model not in model
        and models.is_another(model, answers[0].model, conditions.client),
        identity=model,
        remembered=conditions.learned.windows.get(window_key(model, conditions.client, conditions.environ)),
    )
    return reading_of_tokens(facts, SOURCE, now, remaining)


def usage_of(block: ContextWindow | None) -> Usage | None:
    """The newest answer's tokens; None if the block has none."""
    if block is None or block.current_usage is None:
        return None
    own = block.current_usage
    created, read = own.cache_creation_input_tokens, own.cache_read_input_tokens
    usage = Usage(own.input_tokens or 0, created or 0, read or 0, own.output_tokens or 0)
    return usage if usage.tokens else None


def _is_overfull(block: ContextWindow) -> bool:
    usage = usage_of(block)
    return usage is not None and usage.tokens > (block.context_window_size or 0) > 0


def _remaining(block: ContextWindow) -> float | int | None:
    """The client's remaining percentage, clamped to 0 to 100; None if it gave no valid percentage."""
    remaining, used = block.remaining_percentage, block.used_percentage
    if remaining is None and used is not None:
        remaining = 100 - used
    return None if remaining is None or not math.isfinite(remaining) else min(100, max(0, remaining))
