"""A scratch installation of the launcher, and the transcript that it looks at."""

import os
import shutil
import subprocess
import time
from pathlib import Path

from monitor.session import Session, conversation_of
from monitor.warnings import gate
from shared import paths
from shared.config import Config
from shared.forecast import TURN_TOKENS
from shared.levels import LevelRules, begins_at, first_level
from shared.transcript import read_tail

MONITOR = Path(__file__).parents[2] / "monitor"
WINDOW = 200_000
WARNING_AT = begins_at(LevelRules().warning, WINDOW)
HEAD = b'{"session_id":"s","cwd":"/p","hook_event_name":"PostToolUse","tool_name":"Bash"}'
SUBAGENT_HEAD = HEAD.replace(b'"hook_event_name"', b'"agent_id":"a1","hook_event_name"')


class Rig:
    """A scratch installation whose interpreter only says that it was started."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "it's a root" / "tidegauge"
        self.transcript = folder / "s.jsonl"
        self.config = folder / "config" / "config.toml"
        for path in ("bin", "run", "environment/bin"):
            (self.root / path).mkdir(parents=True)
        self.config.parent.mkdir()
        self.project = folder / "a project"
        self.settings = self.project / ".claude" / "tidegauge.toml"
        self.settings.parent.mkdir(parents=True)
        (self.root / "directories.json").write_text(
            f'{{"config":"{self.config.parent}","log":"{folder}","history":"{folder}"}}'
        )
        shutil.copy(MONITOR / "launcher.sh", self.root / "bin" / "monitor")
        shutil.copy(MONITOR / "stdin_head.sh", self.root / "bin" / "stdin-head.sh")
        interpreter = self.root / "environment" / "bin" / "python"
        interpreter.write_text('#!/bin/sh\nprintf "started %s" "$_TIDEGAUGE_STDIN_HEAD"\ncat\n')
        interpreter.chmod(0o755)
        for watched in (self.config.parent, self.settings.parent):
            os.utime(watched, (1, 1))

    def append(self, *lines: bytes) -> None:
        with self.transcript.open("ab") as file:
            file.write(b"".join(line + b"\n" for line in lines))

    def session(self, **environ: str) -> Session:
        """A session whose settings were read just now."""
        return Session(str(self.root), Config(), environ, time.time() + gate.CLOCK_SECONDS, str(self.project))

    def open_gate(self, agent: str | None = None, **environ: str) -> None:
        """Do what the monitor does after a reading at NORMAL."""
        conversation = conversation_of("s", str(self.transcript), agent)
        assert conversation is not None
        tail = read_tail(conversation.transcript, is_subagent=agent is not None)
        if tail is not None and tail.tokens is not None:
            first = first_level(LevelRules(), WINDOW, None)
            gate.write(self.session(**environ), conversation, tail, tail.tokens, first)

    def bring_settings(self, text: str) -> None:
        """Do what a checkout did long ago: a project's settings, and a gate that knows of them."""
        self.settings.write_text(text)
        for path in (self.settings, self.settings.parent):
            os.utime(path, (1, 1))
        self.open_gate()

    def mark_subagents(self) -> None:
        """Do what the monitor does when a subagent starts."""
        Path(paths.subagents_mark(str(self.root), "s")).touch()

    def launch(self, stdin: bytes = HEAD, **environ: str) -> bytes:
        """What the launcher prints: nothing when it was silent, else `started` and all of stdin."""
        done = subprocess.run(
            ["sh", self.root / "bin" / "monitor"],
            input=stdin,
            env={"PATH": os.environ["PATH"], "CLAUDE_CODE_SESSION_ID": "s", **environ},
            cwd=self.project,
            capture_output=True,
            check=True,
            timeout=20,
        )
        assert done.stderr == b""
        return done.stdout

    def is_silent(self, stdin: bytes = HEAD, **environ: str) -> bool:
        return not self.launch(stdin, **environ)


def answer(tokens: int, model: str = "claude-opus-4-6", *, output: int = 9, said: str = "", id: str = "") -> bytes:  # noqa: A002  the client's name
    """The line of an answer; `said` is what its content holds, JSON."""
    usage = (
        b'"usage":{"input_tokens":3,"cache_creation_input_tokens":1000,"cache_read_input_tokens":%d,"output_tokens":%d}'
    )
    return (
        b'{"isSidechain":false,"message":{"id":"%s","type":"message","role":"assistant","model":"%s","content":[%s],'
        % (id.encode() or b"m%d" % tokens, model.encode(), said.encode())
        + usage % (tokens - 1003, output)
        + b'},"type":"assistant"}'
    )


def result(size: int) -> bytes:
    return b'{"type":"user","message":{"role":"user","content":"%s"}}' % (b"x" * size)


LIMIT = WARNING_AT - TURN_TOKENS
"""Tokens that the launcher lets pass in the rig's gate: the first level less a turn."""
