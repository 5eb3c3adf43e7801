"""A session as our hooks see it: the client writes answers, runs tools and starts hooks."""

import itertools
import json
import re
import subprocess
import time
from pathlib import Path
from typing import Any

from monitor import dispatch
from monitor.memory import memory as memories
from monitor.memory.memory import Memory
from shared import paths
from shared.gauge import bridge as bridges
from shared.gauge.bridge import Bridge
from tests.transcripts import Transcript, compact

NORMAL, WARNING, CRITICAL, EXHAUSTED = 100_000, 129_000, 149_000, 162_000
"""The fewest tokens at which each level begins; any number below the second for the first.

In a window of 200,000 tokens that is compacted at 167,000, as that of the transcripts' model is.
"""


class Scene:
    session_id = "5e55104e-0000-4000-8000-000000000001"

    def __init__(self, root: Path, transcript: Transcript) -> None:
        self.root = root
        self.transcript = transcript
        self._count = itertools.count(1)

    def payload(
        self,
        tool_use_id: str | None = "toolu_1",
        *,
        event: str = "PostToolUse",
        agent_id: str | None = None,
        **fields: Any,
    ) -> dict[str, Any]:
        """A hook's payload, in the client's order; `fields` are changed or added, `...` removes one."""
        whose = {"agent_id": agent_id, "agent_type": "general-purpose"} if agent_id is not None else {}
        facts_by_name: dict[str, Any] = {
            "session_id": self.session_id,
            "transcript_path": str(self.transcript.path),
            "cwd": "/home/dev/shop",
            "permission_mode": "default",
            **whose,
            "hook_event_name": event,
            "tool_name": "Bash",
            "tool_input": {"command": "ls"},
            "tool_response": {"stdout": "src", "stderr": "", "interrupted": False},
            "tool_use_id": tool_use_id,
            "duration_ms": 32,
        }
        return {name: value for name, value in (facts_by_name | fields).items() if value is not ...}

    def stdin(self, *arguments: Any, **fields: Any) -> bytes:
        """The payload as the client writes it."""
        return compact(self.payload(*arguments, **fields))

    def message(self, tool_use_id: str | None = "toolu_1", **fields: Any) -> str:
        """The message about the level at one tool use; empty if there is none."""
        event = fields.get("event", "PostToolUse")
        output = self.answered(tool_use_id, **fields)
        output.pop("systemMessage", None)
        if not output:
            return ""
        assert output == {
            "hookSpecificOutput": {
                "hookEventName": event,
                "additionalContext": output["hookSpecificOutput"]["additionalContext"],
            }
        }
        return str(output["hookSpecificOutput"]["additionalContext"])

    def answered(self, tool_use_id: str | None = "toolu_1", **fields: Any) -> dict[str, Any]:
        """The hook's raw answer to one tool use."""
        answer = dispatch.main(self.stdin(tool_use_id, **fields), str(self.root)).stdout
        return dict(json.loads(answer)) if answer else {}

    def turn(self, tokens: int, tools: int = 1, *, agent: str | None = None, **fields: Any) -> list[str]:
        """Write an answer at `tokens` tokens that calls `tools` tools; return the level reported at each."""
        names = [f"toolu_{next(self._count):04}" for _ in range(tools)]
        own = self.transcript.subagent(agent) if agent else self.transcript
        own.answer(tokens, id=f"msg_{names[0]}", tool_use_ids=names)
        levels = []
        for name in names:
            levels.append(level_in(self.message(name, agent_id=agent, **fields)))
            own.result(name)
        return levels

    def turns(self, tokens: int, count: int) -> list[str]:
        """The levels reported in `count` turns of one tool at `tokens` tokens."""
        return [level for _ in range(count) for level in self.turn(tokens)]

    def bridge(self, remaining: float, *, age: float = 0, **fields: Any) -> None:
        """Leave a bridge as the status line does after seeing the whole transcript."""
        facts_by_name: dict[str, Any] = {
            "transcript_path": str(self.transcript.path),
            "transcript_size": self.transcript.size,
        }
        sample = int(time.time() - age)
        bridge = Bridge(self.session_id, remaining, round(100 - remaining), sample, **(facts_by_name | fields))
        bridges.write(paths.bridge(str(self.root), self.session_id), bridge)

    def client_bridge(self, tokens: int, size: int = 200_000, **fields: Any) -> None:
        """Leave the bridge of an answer at `tokens` in a window whose size the client has named."""
        self.bridge(
            100 - tokens * 100 // size, tokens=tokens, context_window_size=size, window_source="bridge", **fields
        )

    def foreign_bridge(self, remaining: float, *, age: float = 0, **fields: Any) -> None:
        """Leave a bridge as another program may: the four fields of the public contract."""
        public = {
            "session_id": self.session_id,
            "remaining_percentage": remaining,
            "used_pct": round(100 - remaining),
            "timestamp": int(time.time() - age),
        }
        path = Path(paths.bridge(str(self.root), self.session_id))
        path.parent.mkdir(exist_ok=True)
        path.write_text(json.dumps(public | fields))

    def configure(self, toml: str) -> None:
        path = Path(paths.config_file(str(self.root)))
        path.parent.mkdir(exist_ok=True)
        path.write_text(toml, encoding="utf-8")

    @property
    def memory(self) -> Memory:
        """What is remembered of the session."""
        return memories.read(str(self.root), self.session_id)

    def memories(self) -> list[str]:
        """The names of the conversations of which something is remembered."""
        directory = Path(paths.run_directory(str(self.root)))
        return sorted(path.stem.removeprefix("memory-") for path in directory.glob("memory-*.json"))


def level_in(message: str) -> str:
    """The level that a message reports; empty if it reports none."""
    match = re.search(r"^CONTEXT WINDOW ([A-Z]+)", message, re.MULTILINE)
    return match[1] if match else ""


def level_reported(result: subprocess.CompletedProcess[bytes]) -> str:
    """The level that a monitor's process reported and nothing else."""
    assert (result.returncode, result.stderr) == (0, b"")
    output = json.loads(result.stdout).get("hookSpecificOutput", {"additionalContext": ""}) if result.stdout else {}
    return level_in(output.get("additionalContext", ""))
