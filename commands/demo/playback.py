"""A made-up session that grows by one tool use at a time: its transcript, and what the client would send."""

import time
from collections.abc import Iterator
from typing import Any

import msgspec

from installer.checking import samples
from shared.client import client
from shared.gauge.window import remaining_percentage

SESSION = "tidegauge-demo"
_TOOLS = (client.READ, client.GREP, client.EDIT, client.BASH)
_START = 0.04
"""Share of the window that the client's own instructions fill before the first prompt."""
_WEIGHTS = (6, 14, 8, 12, 10)
"""Relative sizes of tool results; they repeat every five steps, so growth is even over five."""


class PlaybackStep(msgspec.Struct, frozen=True):
    number: int
    tool: str
    tokens: int

    @property
    def id(self) -> str:
        return f"toolu_demo_{self.number}"

    @property
    def usage(self) -> dict[str, int]:
        fresh = min(self.tokens, 1_200)
        return {
            "input_tokens": fresh // 4,
            "cache_creation_input_tokens": fresh - fresh // 4,
            "cache_read_input_tokens": self.tokens - fresh,
            "output_tokens": 300,
        }


def steps(count: int, window: int, limit: int) -> Iterator[PlaybackStep]:
    """Yield `count` tool uses, the last of which reaches `limit`, where another window cycle would begin."""
    weights = [_WEIGHTS[number % len(_WEIGHTS)] for number in range(count)]
    room, grown = limit - window * _START, 0
    for number, weight in enumerate(weights, 1):
        grown += weight
        yield PlaybackStep(number, _TOOLS[number % len(_TOOLS)], limit - int(room * (1 - grown / sum(weights))))


def transcript_line(step: PlaybackStep) -> bytes:
    """The answer that calls the tool, as the client writes it."""
    moment = time.time()
    stamp = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(moment)) + f".{int(moment % 1 * 1000):03}Z"
    line: dict[str, Any] = msgspec.json.decode(samples.transcript(SESSION))
    del line["uuid"]  # each line would need one of its own, and its parent's
    call = {"type": "tool_use", "id": step.id, "name": step.tool, "input": {}}
    message = line["message"] | {"id": f"msg_demo_{step.number}", "content": [call], "usage": step.usage}
    return msgspec.json.encode(line | {"version": samples.CLIENT, "timestamp": stamp, "message": message}) + b"\n"


def hook_payload(step: PlaybackStep, transcript: str) -> bytes:
    sample: dict[str, Any] = msgspec.json.decode(samples.hook(SESSION, transcript))
    return msgspec.json.encode(sample | {"tool_name": step.tool, "tool_input": {}, "tool_use_id": step.id})


def status_payload(step: PlaybackStep | None, window: int, transcript: str) -> bytes:
    """The status line's stdin; without a step, as before the first answer."""
    number = step.number if step else 0
    remaining = remaining_percentage(step.tokens, window) if step else None
    sample: dict[str, Any] = msgspec.json.decode(samples.status(SESSION, transcript))
    return msgspec.json.encode(
        sample
        | {
            "cost": {
                "total_cost_usd": round(0.06 * number, 2),
                "total_duration_ms": 45_000 * number,
                "total_lines_added": 9 * number,
                "total_lines_removed": 2 * number,
            },
            "context_window": {
                "context_window_size": window,
                "used_percentage": None if remaining is None else 100 - remaining,
                "remaining_percentage": remaining,
                "current_usage": step.usage if step else None,
            },
        }
    )
