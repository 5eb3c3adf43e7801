"""The client's payloads for a status line and for hooks."""

import json
from typing import Any

from benchmarks.transcript import MODEL, WINDOW


def status(session: str, transcript: str, project: str, tokens: int) -> bytes:
    """A status line's stdin with `tokens` in the window."""
    used = round(tokens * 100 / WINDOW)
    return _written(
        {
            "session_id": session,
            "transcript_path": transcript,
            "cwd": project,
            "effort": {"level": "high"},
            "model": {"id": MODEL, "display_name": "Opus 4.6"},
            "workspace": {"current_dir": project, "project_dir": project, "added_dirs": []},
            "version": "2.1.330",
            "output_style": {"name": "default"},
            "cost": {
                "total_cost_usd": 1.27,
                "total_duration_ms": 1_845_000,
                "total_api_duration_ms": 612_000,
                "total_lines_added": 156,
                "total_lines_removed": 23,
            },
            "context_window": {
                "total_input_tokens": tokens,
                "total_output_tokens": 180,
                "context_window_size": WINDOW,
                "current_usage": {
                    "input_tokens": 3,
                    "output_tokens": 180,
                    "cache_creation_input_tokens": 2_000,
                    "cache_read_input_tokens": tokens - 2_003,
                },
                "used_percentage": used,
                "remaining_percentage": 100 - used,
            },
            "exceeds_200k_tokens": False,
            "prompt_cache": {"warm": True, "ttl": "5m", "requests": 40, "misses": 0, "hit_ratio": 0.97},
            "rate_limits": {
                "five_hour": {"used_percentage": 23.5, "resets_at": 4_102_444_800},
                "seven_day": {"used_percentage": 41.2, "resets_at": 4_102_444_800},
            },
            "fast_mode": False,
            "thinking": {"enabled": True},
        }
    )


def tool_use(session: str, transcript: str, project: str, tool_use_id: str) -> bytes:
    """The stdin of a hook after a tool that returned a page of text."""
    content = "value = compute(value)\n" * 200
    return _written(
        {
            "session_id": session,
            "transcript_path": transcript,
            "cwd": project,
            "prompt_id": "66480db8-392c-4757-9efc-ff944f60bb29",
            "permission_mode": "default",
            "effort": {"level": "high"},
            "hook_event_name": "PostToolUse",
            "tool_name": "Read",
            "tool_input": {"file_path": "src/app.py"},
            "tool_response": {
                "type": "text",
                "file": {"filePath": "src/app.py", "content": content, "numLines": 200},
            },
            "tool_use_id": tool_use_id,
            "duration_ms": 25,
        }
    )


def event(name: str, session: str, transcript: str, project: str, **fields: Any) -> bytes:
    """The stdin of any other hook; `fields` are the event's own."""
    common = {
        "session_id": session,
        "transcript_path": transcript,
        "cwd": project,
        "prompt_id": "66480db8-392c-4757-9efc-ff944f60bb29",
        "permission_mode": "default",
        "hook_event_name": name,
    }
    return _written(common | fields)


def _written(fields: dict[str, Any]) -> bytes:
    """The payload as the client writes it: without spaces. The launchers search for a field in exactly that form."""
    return json.dumps(fields, separators=(",", ":")).encode()
