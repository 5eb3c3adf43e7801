"""A scratch installation that runs its guards on tool calls."""

import json
import subprocess
from pathlib import Path
from typing import Any

from tests import scratch, transcripts

Done = subprocess.CompletedProcess[bytes]


class Rig:
    def __init__(self, home: Path) -> None:
        self.root = scratch.install(home)
        self.transcript = home / "s.jsonl"

    def fill(self, tokens: int) -> None:
        self.transcript.unlink(missing_ok=True)
        transcripts.Transcript(self.transcript).answer(tokens)

    def call(self, tool: str, arguments: dict[str, Any], environ: dict[str, str] | None = None, **more: str) -> Done:
        payload = {
            "session_id": "s",
            "transcript_path": str(self.transcript),
            "cwd": str(self.transcript.parent),
            "hook_event_name": "PreToolUse",
            "tool_name": tool,
            "tool_input": arguments,
            **more,
        }
        return scratch.run(self.root, json.dumps(payload).encode(), environ)

    def load(self, environ: dict[str, str] | None = None, **more: str) -> Done:
        return self.call("Agent", {"subagent_type": "Explore", "prompt": "look"}, environ, **more)


def is_silent(result: Done) -> bool:
    return (result.returncode, result.stdout, result.stderr) == (0, b"", b"")
