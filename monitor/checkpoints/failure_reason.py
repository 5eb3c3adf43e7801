"""Why a command failed, in a line of what it printed: read from the transcript when it is told, and kept nowhere."""

import os
import re

from monitor.activity.activity import Failure
from shared import files, lines
from shared.plain import one_line
from shared.secrets.masking import masked
from shared.transcript_line import line_in

LONGEST = 160
_MOST_BYTES = 8_000
"""Of the output, from its end: programs say there what came of it."""
_TELLING = re.compile(
    r"error|exception|traceback|fail|assert|panic|fatal|cannot|can't|not found|denied|undefined|expected|refused"
    r"|no such|missing|invalid|unable",
    re.IGNORECASE,
)
_EXIT_CODE = re.compile(r"Exit code \d+")


def reason_of(failure: Failure, transcript: str) -> str:
    """The telling line that is the last but for sums and rules; empty where none can be read."""
    output = _output(failure, transcript)
    said = [line.strip() for line in masked(output[-_MOST_BYTES:]).splitlines()]
    said = [line for line in said if any(map(str.isalpha, line)) and not _EXIT_CODE.fullmatch(line)]
    telling = [line for line in said if _TELLING.search(line)]
    return one_line((telling or said or [""])[-1], LONGEST)


def _output(failure: Failure, transcript: str) -> str:
    if failure.offset < 0 or not transcript or not os.path.isabs(transcript):
        return ""
    try:
        with open(files.open_regular(transcript), "rb") as file:
            file.seek(failure.offset)
            line = line_in(file.readline(lines.LONGEST))
    except (OSError, ValueError):
        return ""
    blocks = line.message.blocks if line and line.message else []
    return next((block.result for block in blocks if block.type == "tool_result" and block.is_error), "")
