"""Why a check failed, in a line of what it printed: read from the transcript each time, and stored nowhere."""

import os

from monitor.activity.checks.failures import Failure
from monitor.activity.checks.reason import LONGEST_REASON, reason_in
from shared.files import files
from shared.secrets.masking import masked
from shared.text.plain import one_line
from shared.transcript import jsonl
from shared.transcript.line import line_in

_MOST_BYTES = 200_000
"""Of an output, from its end."""


def reason_of(failure: Failure, transcript: str) -> str:
    """The failing tests and their messages, or the line that says most; empty where none can be read."""
    printed = _output(failure, transcript)[-_MOST_BYTES:]
    return one_line(masked(reason_in(masked(printed))), LONGEST_REASON)


def _output(failure: Failure, transcript: str) -> str:
    if failure.offset < 0 or not transcript or not os.path.isabs(transcript):
        return ""
    try:
        with open(files.open_regular(transcript), "rb") as file:
            file.seek(failure.offset)
            line = line_in(file.readline(jsonl.LONGEST))
    except (OSError, ValueError):
        return ""
    results = [block for block in line.message.blocks if block.type == "tool_result"] if line and line.message else []
    named = [block for block in results if block.tool_use_id == failure.tool_use_id] or results
    return named[0].result if named else (line.message.text if line and line.message else "")
