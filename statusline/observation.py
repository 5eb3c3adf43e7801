"""What the line is drawn from: the payload, measured, with what the files beside it add."""

import os
import time
from collections.abc import Mapping

from shared import compaction_settings, learned, models
from shared.config import Config
from shared.forecast import growth_per_tool_use, tool_uses_left
from shared.levels import level_of
from shared.limit import Limit, LimitFacts, compaction_before_end, limit_of
from shared.reading import Reading
from shared.transcript import read_tail
from shared.window import WindowSize
from statusline.measurement import measure, usage_of
from statusline.payload import Payload
from statusline.status import Status
from statusline.transcript_stat import TranscriptStat


def observe(
    payload: Payload, transcript: TranscriptStat, config: Config, root: str, environ: Mapping[str, str]
) -> Status:
    """The status of the session; its `problems` are for the caller to add."""
    now, known = time.time(), learned.read(root)
    if payload.context_window is None:
        return Status(payload, now)
    model = (payload.model and payload.model.id) or ""
    reading = measure(
        payload.context_window,
        model,
        client=payload.version or "",
        settings=config.window,
        learned=known.windows,
        environ=environ,
        now=now,
    )
    if reading is None:
        return Status(payload, now)
    limit = _limit(payload, reading, known.compactions, root, environ)
    level = level_of(reading, config.levels, compaction_before_end(limit, reading.window))
    return Status(payload, now, reading, level, limit, _tool_uses_left(payload, reading, limit, transcript, config))


def _limit(
    payload: Payload, reading: Reading, learnt: Mapping[str, int], root: str, environ: Mapping[str, str]
) -> Limit | None:
    if reading.window is None:
        return None
    model, client = (payload.model and payload.model.id) or "", payload.version or ""
    directory = os.path.dirname(os.path.abspath(root))
    project = (payload.workspace and payload.workspace.project_dir) or ""
    facts = LimitFacts(
        model,
        WindowSize(reading.window, reading.window_source),
        environ,
        client=client,
        settings=compaction_settings.read(model, environ, directory, project),
        learnt=learnt.get(learned.compaction_key(models.base_model(model), client, reading.window, environ)),
        tokens=reading.tokens or 0,
    )
    return limit_of(facts)


def _tool_uses_left(
    payload: Payload, reading: Reading, limit: Limit | None, transcript: TranscriptStat, config: Config
) -> int | None:
    """To the limit, less what is pending: the newest answer's output; None where it isn't known.

    Not worked out when nothing shows it: it takes the transcript's tail.
    """
    end = limit.tokens if limit else reading.window
    names = {name for line in config.statusline.lines for name in line} - set(config.statusline.hide)
    if reading.tokens is None or end is None or transcript.size <= 0 or "forecast" not in names:
        return None
    tail = read_tail(transcript.path)
    growth = growth_per_tool_use(tail.answers) if tail else None
    usage = usage_of(payload.context_window.current_usage) if payload.context_window else None
    if growth is None:
        return None
    return tool_uses_left(end - reading.tokens - (usage.output if usage else 0), growth)
