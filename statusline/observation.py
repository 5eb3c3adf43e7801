"""What the line is drawn from: the payload, measured, with what the files beside it add."""

import os
import time
from collections.abc import Mapping

from shared import compaction, learned, transcript
from shared.config import Config
from shared.forecast import growth_per_tool_use
from shared.levels import level_of
from shared.window import base_model
from statusline.measurement import measure
from statusline.payload import Payload
from statusline.record import Record
from statusline.status import Status


def observe(payload: Payload, record: Record, config: Config, root: str, environ: Mapping[str, str]) -> Status:
    """The status of the session; its `troubles` are for the caller to add."""
    now, known = time.time(), learned.read(root)
    if payload.context_window is None:
        return Status(payload, now)
    model = (payload.model and payload.model.id) or ""
    reading = measure(
        payload.context_window,
        model,
        configured=config.window.size,
        learned=known.windows,
        environ=environ,
        now=now,
    )
    if reading is None:
        return Status(payload, now)
    compaction_at = None
    if reading.window is not None:
        client = os.path.dirname(os.path.abspath(root))
        compaction_at = compaction.expected_at(base_model(model), reading.window, known, environ, client)
    level = level_of(reading, config.levels, compaction_at)
    return Status(payload, now, reading, level, compaction_at, _growth(record, config))


def _growth(record: Record, config: Config) -> float | None:
    """Growth per tool use; not looked for when nothing shows it: it takes the transcript's tail."""
    names = {name for line in config.statusline.lines for name in line} - set(config.statusline.hide)
    if record.size <= 0 or "forecast" not in names:
        return None
    tail = transcript.read_tail(record.path)
    return growth_per_tool_use(tail.answers) if tail else None
