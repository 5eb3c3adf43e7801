"""The client's input for a made-up session at 71 % of its window, for the self-check."""

import json
import os
import time
from typing import Any

from shared.client.client import BASH, POST_TOOL_USE
from shared.project_files import CHECKPOINTS

# 142,000 of 200,000 tokens: 29 % remain, a WARNING.
_USAGE = {
    "input_tokens": 1_000,
    "cache_creation_input_tokens": 1_000,
    "cache_read_input_tokens": 140_000,
    "output_tokens": 500,
}
_TOKENS = 142_000
_WINDOW = 200_000
_TOOL_USE = "toolu_selfcheck"
MODEL = "claude-opus-4-6"  # known to have such a window, and to be compacted before it is full
CLIENT = "2.1.330"


def settings(run_directory: str) -> dict[str, str]:
    """Variables that confine what a made-up session leaves to these directories, whatever the configuration says."""
    return {
        "TIDEGAUGE_BRIDGE__DIRECTORY": run_directory,
        "TIDEGAUGE_CHECKPOINT__DIRECTORY": CHECKPOINTS,  # of the made-up project
        "TIDEGAUGE_HOOKS__DESKTOP_NOTIFICATION": "false",
        "TIDEGAUGE_HOOKS__PIVOT": "false",  # it would export the session
    }


def transcript(session: str) -> bytes:
    """The line of the answer that calls the tool of `hook`."""
    line = {
        "type": "assistant",
        "uuid": "00000000-0000-4000-8000-000000000000",
        "sessionId": session,
        "isSidechain": False,
        "timestamp": time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime()),
        "message": {
            "id": "msg_selfcheck",
            "type": "message",
            "role": "assistant",
            "model": MODEL,
            "content": [{"type": "tool_use", "id": _TOOL_USE, "name": BASH, "input": {"command": "true"}}],
            "stop_reason": "tool_use",
            "usage": _USAGE,
        },
    }
    return json.dumps(line, separators=(",", ":")).encode() + b"\n"


def status(session: str, transcript_path: str) -> bytes:
    directory = os.path.dirname(transcript_path)
    payload: dict[str, Any] = _common(session, transcript_path, "Status") | {
        "model": {"id": MODEL, "display_name": "Opus 4.6"},
        "workspace": {"current_dir": directory, "project_dir": directory, "added_dirs": []},
        "version": CLIENT,
        "output_style": {"name": "default"},
        "cost": {
            "total_cost_usd": 1.2,
            "total_duration_ms": 1_200_000,
            "total_api_duration_ms": 300_000,
            "total_lines_added": 120,
            "total_lines_removed": 30,
        },
        "context_window": {
            "total_input_tokens": _TOKENS,
            "total_output_tokens": _USAGE["output_tokens"],
            "context_window_size": _WINDOW,
            "used_percentage": 71,
            "remaining_percentage": 29,
            "current_usage": _USAGE,
        },
        "exceeds_200k_tokens": False,
    }
    return json.dumps(payload).encode()


def hook(session: str, transcript_path: str) -> bytes:
    payload = _common(session, transcript_path, POST_TOOL_USE) | {
        "permission_mode": "default",
        "tool_name": BASH,
        "tool_input": {"command": "true"},
        "tool_use_id": _TOOL_USE,
        "tool_response": {"stdout": "", "stderr": "", "interrupted": False},
    }
    return json.dumps(payload).encode()


def _common(session: str, transcript_path: str, event: str) -> dict[str, Any]:
    return {
        "session_id": session,
        "transcript_path": transcript_path,
        "cwd": os.path.dirname(transcript_path),
        "hook_event_name": event,
    }
