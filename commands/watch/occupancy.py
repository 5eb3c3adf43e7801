"""How full a window was at each of the newest answers, across compactions."""

from shared.transcript import jsonl
from shared.transcript.line import line_in
from shared.transcript.records import answer_in

_FARTHEST = 8 << 20
"""Bytes from the transcript's end in which answers are looked for."""


def occupancy(transcript: str, most: int) -> tuple[int, ...]:
    """Tokens in the window with each of the newest `most` answers, oldest first; none if it can't be read."""
    result: dict[str, int] = {}
    for offset, data in jsonl.newest_first(transcript, [b'"usage"'], _FARTHEST):
        line = line_in(data)
        answer = answer_in(line, offset, is_subagent=False) if line else None
        if answer is not None:
            result.setdefault(answer.id, answer.tokens)
        if len(result) == most:
            break
    return tuple(reversed(result.values()))
