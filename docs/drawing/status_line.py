"""The status line of a made-up session, as its process answers."""

import json
import os
import tempfile
import time
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from benchmarks import payload, transcript
from docs.scratch import LINE, empty_home, run

_SESSION = "picture"


class LineState(NamedTuple):
    """The state that a line is drawn from."""

    tokens: int | None
    """In a window of 200,000; None before the first answer."""
    columns: int = 58
    """Few enough to be read on a phone."""
    settings: Mapping[str, str] = MappingProxyType({})


def status_line(state: LineState) -> str:
    """The answer of the status line's process, with a terminal's colours."""
    with tempfile.TemporaryDirectory() as scratch:
        root, project = empty_home(scratch)
        record = os.path.join(scratch, f"{_SESSION}.jsonl")
        transcript.write(record, 0, state.tokens or transcript.GROWTH * transcript.TURNS)
        environ = {"COLUMNS": str(state.columns), "COLORTERM": "truecolor", "HOME": scratch, **state.settings}
        return run(LINE, root, project, environ, stdin=json.dumps(_status(state, record, project)).encode())


def _status(state: LineState, record: str, project: str) -> dict[str, Any]:
    status: dict[str, Any] = json.loads(payload.status(_SESSION, record, project, state.tokens or 0))
    now = int(time.time())
    # Half a minute more, so that the time left is the same however long the process takes to start.
    status["rate_limits"]["five_hour"]["resets_at"] = now + 2 * 3600 + 10 * 60 + 30
    status["rate_limits"]["seven_day"]["resets_at"] = now + 3 * 86_400 + 4 * 3600 + 30
    if state.tokens is None:
        status["context_window"] |= {"current_usage": None, "used_percentage": None, "remaining_percentage": None}
        del status["prompt_cache"], status["rate_limits"]
        status["cost"] = {}
    return status
