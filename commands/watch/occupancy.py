"""How full a window was at each of the newest answers, across compactions."""

import os

from shared.files import files
from shared.transcript import jsonl
from shared.transcript.line import line_in
from shared.transcript.records import answer_in

_MARKER = b'"usage"'
_FARTHEST = 8 << 20
"""Bytes from the transcript's end in which answers are looked for."""


def occupancy(transcript: str, most: int) -> tuple[int, ...]:
    """Tokens in the window with each of the newest `most` answers, oldest first; none if it can't be read."""
    result: dict[str, int] = {}
    try:
        with open(files.open_regular(transcript), "rb", buffering=0) as file:
            size = file.seek(0, os.SEEK_END)
            scope = jsonl.Scope([_MARKER], max(0, size - _FARTHEST))
            for offset, data in jsonl.backwards(file, size, scope):
                line = line_in(data) if _MARKER in data else None
                answer = answer_in(line, offset, is_subagent=False) if line else None
                if answer is not None:
                    result.setdefault(answer.id, answer.usage.tokens)
                if len(result) == most:
                    break
    except (OSError, ValueError):
        pass
    return tuple(reversed(result.values()))
