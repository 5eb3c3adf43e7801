"""Synthetic transcripts: a large part that shouldn't be read, and a tail as the client writes it."""

import json
import os
from typing import Any

MODEL = "claude-opus-4-6"
WINDOW = 200_000
GROWTH = 1_500
"""Tokens by which one turn fills the window."""
RESULT_BYTES = 5_000
SHAPE_BYTES = 80_000
"""Newer clients write a line of this size each time a request's shape changes (measured, 2.1.330)."""
TURNS = 40
_COMMON = {
    "userType": "external",
    "entrypoint": "cli",
    "cwd": "/home/dev/shop",
    "version": "2.1.330",
    "gitBranch": "main",
}
_STAMP = "2026-11-21T15:21:39.620Z"


def tool_use_id(turn: int) -> str:
    return f"toolu_{turn:08}"


def answer(turn: int, tokens: int) -> bytes:
    """The line of an answer that calls one tool, with `tokens` in the window."""
    usage = {
        "input_tokens": 3,
        "cache_creation_input_tokens": GROWTH,
        "cache_read_input_tokens": tokens - GROWTH - 3,
        "output_tokens": 180,
        "server_tool_use": {"web_search_requests": 0, "web_fetch_requests": 0},
        "service_tier": "standard",
        "cache_creation": {"ephemeral_1h_input_tokens": 0, "ephemeral_5m_input_tokens": GROWTH},
        "iterations": [],
        "speed": "standard",
    }
    call = {"type": "tool_use", "id": tool_use_id(turn), "name": "Read", "input": {"file_path": "src/app.py"}}
    message = {
        "id": f"msg_{turn:08}",
        "type": "message",
        "role": "assistant",
        "model": MODEL,
        "content": [call],
        "stop_reason": "tool_use",
        "stop_sequence": None,
        "usage": usage,
    }
    return _line({"isSidechain": False, "message": message, "type": "assistant", "timestamp": _STAMP} | _COMMON)


def result(turn: int) -> bytes:
    """The lines of a tool's result and of the request that carries it."""
    text = f"{turn}\t" + "value = compute(value)\n" * (RESULT_BYTES // 23)
    content = [{"tool_use_id": tool_use_id(turn), "type": "tool_result", "content": text}]
    user = {
        "isSidechain": False,
        "type": "user",
        "message": {"role": "user", "content": content},
        "timestamp": _STAMP,
    }
    params = {"model": MODEL, "betas": ["claude-code-20250219", "interleaved-thinking-2025-05-14"]}
    request = {
        "type": "api-request",
        "timestamp": _STAMP,
        "version": "2.1.330",
        "params": params,
        "base": "x" * 700,
    }
    return _line(user | _COMMON) + _line(request)


def tail(tokens: int) -> bytes:
    """The lines of the last turns; the newest answer has `tokens` and calls `tool_use_id(TURNS)`."""
    lines = []
    for turn in range(1, TURNS + 1):
        if turn == TURNS - 1:
            lines.append(_line({"type": "api-request-shape", "version": "2.1.330", "shape": "x" * SHAPE_BYTES}))
        lines.append(answer(turn, tokens - GROWTH * (TURNS - turn)))
        if turn < TURNS:
            lines.append(result(turn))
    return b"".join(lines)


def write(path: str, size: int, tokens: int) -> None:
    """Make a transcript of `size` bytes, more if its tail needs them: a hole in the file, then the tail."""
    end = tail(tokens)
    with open(path, "wb") as file:
        file.truncate(max(size, len(end) + 1))
        file.seek(-len(end) - 1, os.SEEK_END)
        file.write(b"\n" + end)


def append_long_line(path: str, size: int) -> None:
    """Add a tool result of `size` bytes, the longest kind of line."""
    with open(path, "ab") as file:
        file.write(b'{"type":"user","isSidechain":false,"message":{"role":"user","content":"')
        file.writelines(b"x" * (1 << 20) for _ in range(size >> 20))
        file.write(b'"}}\n')


def _line(record: dict[str, Any]) -> bytes:
    return json.dumps(record, separators=(",", ":")).encode() + b"\n"
