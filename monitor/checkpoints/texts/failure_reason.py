"""Why a command failed, in a line of what it printed: read from the transcript each time, and stored nowhere."""

from monitor.activity.checks.attempts import FailedAttempt
from monitor.activity.checks.failures import Failure
from monitor.activity.checks.reason import LONGEST_REASON, reason_in
from shared.secrets.masking import masked
from shared.text.plain import one_line
from shared.transcript import jsonl
from shared.transcript.line import line_in

_MOST_BYTES = 200_000
"""Of an output, from its end."""


def reason_of(failure: Failure | FailedAttempt, transcript: str) -> str:
    """The failing tests and their messages, or the line that says most; empty where none can be read."""
    printed = _output(failure, transcript)[-_MOST_BYTES:]
    return one_line(masked(reason_in(masked(printed))), LONGEST_REASON)


def _output(failure: Failure | FailedAttempt, transcript: str) -> str:
    line = line_in(jsonl.line_at(transcript, failure.offset))
    if line is None or line.message is None:
        return ""
    results = [block for block in line.message.blocks if block.type == "tool_result"]
    named = [block for block in results if block.tool_use_id == failure.tool_use_id] or results
    return named[0].result if named else line.message.text
