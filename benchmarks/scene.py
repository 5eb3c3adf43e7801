"""A session at one moment: its transcript and its run-time state."""

import glob
import json
import os
import subprocess
import time
from collections.abc import Mapping

from benchmarks import payload, transcript
from benchmarks.case import Case
from benchmarks.installation import BenchmarkInstallation

STALE_SECONDS = 300


class Scene:
    """A separate session, so that no case sees another's state."""

    def __init__(self, installed: BenchmarkInstallation, scratch: str, name: str, tokens: int, size: int = 0) -> None:
        self.installed, self.name, self.tokens = installed, name, tokens
        self.session = "benchmark-" + name.replace(" ", "-")
        self.project = os.path.join(scratch, "shop")
        self.path = os.path.join(scratch, f"{self.session}.jsonl")
        transcript.write(self.path, size, tokens)

    @property
    def environment(self) -> Mapping[str, str]:
        return {**self.installed.environment, "CLAUDE_CODE_SESSION_ID": self.session}

    @property
    def tool_use(self) -> bytes:
        return payload.tool_use(self.session, self.path, self.project, transcript.tool_use_id(transcript.TURNS))

    @property
    def status(self) -> bytes:
        return payload.status(self.session, self.path, self.project, self.tokens)

    @property
    def gate(self) -> str:
        return self.installed.run_file(f"gate-{self.session}")

    def forget(self) -> None:
        """Make this session new to the monitor again; its bridge stays."""
        for path in [self.gate, *glob.glob(self.installed.run_file(f"memory-{self.session}*"))]:
            if os.path.exists(path):
                os.unlink(path)

    def _forget_uses(self) -> None:
        for path in glob.glob(self.installed.run_file(f"uses-{self.session}*")):
            os.unlink(path)

    def speaking(self, name: str, *, age: float = 0) -> Case:
        """A tool use at which the agent gets a message; the bridge is `age` seconds old."""

        def prepare() -> None:
            self.forget()
            self._age_bridge(age)

        self._run(self.installed.status_line, self.status)
        self._run(self.installed.hook, self.tool_use)  # learns the model's window, which opens every gate
        return Case(name, self.installed.hook, self.environment, self.tool_use, prepare, b"---CONTEXT MONITOR---")

    def quiet(self, name: str) -> Case:
        """A tool use that the launcher skips, a few turns after the monitor's last run."""
        self.forget()
        self._run(self.installed.hook, self.tool_use)
        with open(self.path, "ab") as file:
            for turn in range(transcript.TURNS + 1, transcript.TURNS + 4):
                file.write(transcript.result(turn - 1))
                file.write(transcript.answer(turn, self.tokens + transcript.GROWTH * (turn - transcript.TURNS)))
        # Each run must be the first since then.
        return Case(name, self.installed.hook, self.environment, self.tool_use, self._forget_uses)

    def drawing(self, name: str, config: str = "") -> Case:
        """The status line, with `config` as the person's configuration file."""

        def prepare() -> None:
            path = self.installed.config_file
            if config:
                os.makedirs(os.path.dirname(path), exist_ok=True)
                with open(path, "w", encoding="utf-8") as file:
                    file.write(config)
            elif os.path.exists(path):
                os.unlink(path)

        used = f"{round(self.tokens * 100 / transcript.WINDOW)}%"
        return Case(name, self.installed.status_line, self.environment, self.status, prepare, used.encode())

    def _age_bridge(self, age: float) -> None:
        path = self.installed.run_file(f"claude-ctx-{self.session}.json")
        with open(path, encoding="utf-8") as file:
            record = json.load(file)
        with open(path, "w", encoding="utf-8") as file:
            json.dump(record | {"timestamp": int(time.time() - age)}, file)

    def _run(self, command: list[str], stdin: bytes) -> None:
        subprocess.run(command, env=dict(self.environment), input=stdin, check=True, stdout=subprocess.PIPE)
