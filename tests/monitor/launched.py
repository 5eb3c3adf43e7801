"""A session whose tool uses go through the real launcher to the real monitor."""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any
from unittest.mock import patch

from monitor import dispatch
from tests import scratch
from tests.monitor.scene import Scene, level_in
from tests.transcripts import Transcript


class LaunchedSession:
    """A session in a project of its own, in an installation with the launcher in its place."""

    def __init__(self, folder: Path, **environ: str) -> None:
        self.project = folder / "shop"
        self.project.mkdir(parents=True)
        self.root = scratch.install(folder)
        scratch.install_launchers(self.root)
        self.scene = Scene(self.root, Transcript(folder / "projects" / f"{Scene.session_id}.jsonl"))
        self.scene.transcript.record_requests()
        self.environ = scratch.environment(self.root) | {
            "CLAUDE_CODE_SESSION_ID": Scene.session_id,
            "CLAUDE_PROJECT_DIR": str(self.project),
            **environ,
        }
        self._count_starts()

    @property
    def transcript(self) -> Transcript:
        return self.scene.transcript

    def use(self, name: str, text: str = "ok", **fields: Any) -> str:
        """The message to the agent at a tool use whose result is `text`; empty for silence."""
        return self._message_in(self._run("monitor", self.event(name, text, **fields)))

    def use_in_monitor(self, name: str, text: str = "ok", **fields: Any) -> str:
        """The message to the agent when the monitor sees the tool use without a launcher."""
        with patch.dict(os.environ, self.environ, clear=True):
            return self._message_in(dispatch.main(self.event(name, text, **fields), str(self.root)).stdout)

    def event(self, name: str, text: str = "ok", **fields: Any) -> bytes:
        """The hook's stdin."""
        return self.scene.stdin(name, **{"cwd": str(self.project), "tool_response": {"stdout": text}, **fields})

    def end_turn(self) -> None:
        """End the agent's turn, at which the hook is silent."""
        fields = {
            "tool_name": ...,
            "tool_input": ...,
            "tool_response": ...,
            "duration_ms": ...,
            "cwd": str(self.project),
        }
        stdin = self.scene.stdin(..., event="Stop", last_assistant_message="Done.", **fields)
        assert self._run("monitor-stop", stdin) == b""

    def together(self, names: list[str], **fields: Any) -> list[str]:
        """The messages to the agent at parallel calls, whose hooks run at the same time."""
        running = []
        for name in names:
            with tempfile.TemporaryFile() as event:
                event.write(self.scene.stdin(name, cwd=str(self.project), **fields))
                event.seek(0)
                running.append(self._start("monitor", event))
        return [self._message_in(process.communicate(timeout=60)[0]) for process in running]

    def write_summary(self, text: str) -> None:
        (self.project / "PROJECT-SUMMARY.md").write_text(text)

    def _run(self, name: str, stdin: bytes) -> bytes:
        with tempfile.TemporaryFile() as event:
            event.write(stdin)
            event.seek(0)
            process = self._start(name, event)
        out, errors = process.communicate(timeout=60)
        assert (process.returncode, errors) == (0, b"")
        return out

    def _start(self, name: str, event: Any) -> subprocess.Popen[bytes]:
        command = ["sh", str(self.root / "bin" / name)]
        pipe = subprocess.PIPE
        return subprocess.Popen(command, stdin=event, stdout=pipe, stderr=pipe, env=self.environ, cwd=self.project)

    def _message_in(self, answer: bytes) -> str:
        output = json.loads(answer)["hookSpecificOutput"]["additionalContext"] if answer else ""
        return level_in(output) or output

    @property
    def starts(self) -> int:
        """The number of the monitor's starts."""
        return self._starts.stat().st_size

    def _count_starts(self) -> None:
        """Have the interpreter that the launcher starts leave a byte each time."""
        self._starts = self.root / "starts"
        self._starts.touch()
        (self.root / "environment").unlink()
        python = self.root / "environment" / "bin" / "python"
        python.parent.mkdir(parents=True)
        python.write_text(f'#!/bin/sh\nprintf x >>"{self._starts}"\nexec "{sys.executable}" "$@"\n')
        python.chmod(0o755)
