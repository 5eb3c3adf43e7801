"""What the line is drawn from: the payload, measured, with what the files beside it add."""

import os
import time
from collections.abc import Mapping

from shared import compaction_settings, learned, models
from shared.config import Config
from shared.forecast import pending_tokens
from shared.limit import Limit, LimitFacts, limit_of
from shared.reading import Reading
from shared.transcript import Answer, read_tail
from shared.verdict import judge
from shared.window import WindowSize
from statusline.measurement import measure
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
    answers = _answers(transcript, config)
    return Status(payload, now, judge(reading, limit, config.levels, answers=answers, pending=pending_tokens(answers)))


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


def _answers(transcript: TranscriptStat, config: Config) -> tuple[Answer, ...]:
    """The newest answers, for the forecast; not looked for when nothing shows it: it takes the transcript's tail."""
    names = {name for line in config.statusline.lines for name in line} - set(config.statusline.hide)
    if transcript.size <= 0 or "forecast" not in names:
        return ()
    tail = read_tail(transcript.path)
    return tail.answers if tail else ()
