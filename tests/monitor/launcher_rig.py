"""A scratch installation of the launcher, and the transcript that it reads."""

import os
import subprocess
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from monitor.session import conversation_of
from shared import gate, paths
from shared.gate import Bound
from shared.gauge.levels import LevelRules, begins_at
from shared.transcript.tail import read_tail
from tests import scratch

WINDOW = 200_000
WARNING_AT = begins_at(LevelRules().warning, WINDOW)
CRITICAL_AT = begins_at(LevelRules().critical, WINDOW)
HEAD = b'{"session_id":"s","cwd":"/p","hook_event_name":"PostToolUse","tool_name":"Bash"}'
SUBAGENT_HEAD = HEAD.replace(b'"hook_event_name"', b'"agent_id":"a1","hook_event_name"')


class Rig:
    """A scratch installation whose interpreter only reports its start."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "it's a root" / "tidegauge"
        self.transcript = folder / "s.jsonl"
        self.config = folder / "config" / "config.toml"
        self.settings_read_at = 0.0
        """Epoch seconds at which the monitor read the settings that a gate rests on; 0 for just now."""
        for path in ("bin", "run", "environment/bin"):
            (self.root / path).mkdir(parents=True)
        self.config.parent.mkdir()
        self.project = folder / "a project"
        self.settings = self.project / ".claude" / "tidegauge.toml"
        self.settings.parent.mkdir(parents=True)
        (self.root / "directories.json").write_text(
            f'{{"config":"{self.config.parent}","log":"{folder}","history":"{folder}"}}'
        )
        scratch.install_launchers(self.root)
        interpreter = self.root / "environment" / "bin" / "python"
        interpreter.write_text('#!/bin/sh\nprintf "started %s" "$_TIDEGAUGE_STDIN_HEAD"\ncat\n')
        interpreter.chmod(0o755)
        for watched in (self.config.parent, self.settings.parent):
            os.utime(watched, (1, 1))

    def append(self, *lines: bytes) -> None:
        with self.transcript.open("ab") as file:
            file.write(b"".join(line + b"\n" for line in lines))

    def open_gate(
        self,
        agent: str | None = None,
        *,
        limit: int = WARNING_AT,
        turn: int | None = 0,
        result_bytes: int = 0,
        tool_use_id: str = "",
        **environ: str,
    ) -> None:
        """Write the gate as the monitor does after a reading at NORMAL."""
        self._write_gate(agent, environ, limit, turn=turn, result_bytes=result_bytes, tool_use_id=tool_use_id)

    def open_gate_at_level(self, uses: int | None, *, limit: int = CRITICAL_AT) -> None:
        """Write the gate as at a level whose next message is due after `uses` more tool uses; None: never."""
        self._write_gate(None, {}, limit, uses=uses, is_at_level=True)

    def _write_gate(self, agent: str | None, environ: Mapping[str, str], limit: int, **bound: Any) -> None:
        conversation = conversation_of("s", str(self.transcript), agent)
        assert conversation is not None
        tail = read_tail(conversation.transcript, is_subagent=agent is not None)
        if tail is not None and tail.tokens is not None:
            gate.write(
                str(self.root),
                conversation.id,
                conversation.transcript,
                tail,
                Bound(tail.tokens, limit, **bound),
                project=str(self.project),
                environ=environ,
                now=self.settings_read_at or time.time() + gate.CLOCK_SECONDS,
            )

    @property
    def notes(self) -> list[str]:
        """The launcher's notes since the gate was written: each tool use's size, with a dash after a silent one."""
        path = Path(paths.gate_notes(str(self.root), "s"))
        return [line.partition(" ")[0] for line in path.read_text().splitlines()] if path.exists() else []

    def bring_settings(self, text: str) -> None:
        """Add a project's settings, as if checked out long ago, and a gate that knows them."""
        self.settings.write_text(text)
        for path in (self.settings, self.settings.parent):
            os.utime(path, (1, 1))
        self.open_gate()

    def mark_subagents(self) -> None:
        """Leave the mark that the monitor leaves when a subagent starts."""
        Path(paths.subagents_mark(str(self.root), "s")).touch()

    def launch(self, stdin: bytes = HEAD, *, name: str = "monitor", **environ: str) -> bytes:
        """The launcher's output: nothing if it was silent, else `started` and all of stdin."""
        event = self.root / "event"
        event.write_bytes(stdin)  # all of it is there when the launcher looks
        with event.open("rb") as file:
            result = subprocess.run(
                ["sh", self.root / "bin" / name],
                stdin=file,
                env={"PATH": os.environ["PATH"], "CLAUDE_CODE_SESSION_ID": "s", **environ},
                cwd=self.project,
                capture_output=True,
                check=True,
                timeout=20,
            )
        assert result.stderr == b""
        return result.stdout

    def is_silent(self, stdin: bytes = HEAD, *, name: str = "monitor", **environ: str) -> bool:
        return not self.launch(stdin, name=name, **environ)


def answer(tokens: int, model: str = "claude-opus-4-6", *, output: int = 9, text: str = "", id: str = "") -> bytes:  # noqa: A002  the client's name
    """An answer's line; `text` is its content as JSON."""
    usage = (
        b'"usage":{"input_tokens":3,"cache_creation_input_tokens":1000,"cache_read_input_tokens":%d,"output_tokens":%d}'
    )
    return (
        b'{"isSidechain":false,"message":{"id":"%s","type":"message","role":"assistant","model":"%s","content":[%s],'
        % (id.encode() or b"m%d" % tokens, model.encode(), text.encode())
        + usage % (tokens - 1003, output)
        + b'},"type":"assistant"}'
    )


def result(size: int) -> bytes:
    return b'{"type":"user","message":{"role":"user","content":"%s"}}' % (b"x" * size)
