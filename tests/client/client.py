"""A genuine client, driven in one home, headless or in a terminal."""

import json
import re
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from tests.client.home import environment
from tests.client.model import MAIN, ScriptedModel
from tests.client.step import Step
from tests.client.terminal import Terminal

MODEL = "claude-opus-4-5"  # 200,000 tokens, and the client never compacts it by itself
COMPACTED = "claude-opus-4-6"  # 200,000 tokens, compacted at 167,000
MILLION = "claude-opus-4-6[1m]"

HEADLESS, INTERACTIVE = "headless", "interactive"

READY = r"bypass permissions on"  # at the bottom of the screen, drawn when the prompt takes input
BUSY = "esc to interrupt"  # in the same place while the client works
TYPED = re.compile("^\u276f\\s(.*?)\\s*$", re.MULTILINE)  # a prompt that was sent; the last one is being typed

Scripts = Mapping[str, Sequence[Step]]


class Conversation(NamedTuple):
    """A running interactive session: its model, its terminal, and the home that it runs in."""

    model: ScriptedModel
    terminal: Terminal
    home: Path

    def say(self, text: str) -> None:
        """Type a prompt and wait until it reaches the model."""
        requests = self.model.of(MAIN)
        if requests:
            self._wait_until_written(requests[-1].answer_id)
        self.terminal.type(text)
        for _ in range(3):
            if self.model.has_requests(len(requests) + 1, seconds=15):
                return
            self._send_again(text)
        self.model.wait_for_requests(len(requests) + 1)

    def _send_again(self, text: str) -> None:
        """Send again what 2.1.197 dropped: it loses keys while it redraws its screen, for example after /compact."""
        *sent, typed = TYPED.findall(self.terminal.screen()) or [""]
        if typed == text:
            self.terminal.press("Enter")
        elif text not in sent:
            self.terminal.type(text)

    def _wait_until_written(self, answer_id: str) -> None:
        """Wait for an answer in the transcript: the client shows it earlier, and no person types that fast."""
        deadline = time.monotonic() + 30
        while not any(answer_id.encode() in path.read_bytes() for path in self._newest_transcripts()):
            assert time.monotonic() < deadline, f"the client has not written {answer_id}"
            time.sleep(0.05)

    def _newest_transcripts(self) -> list[Path]:
        """The newest few: the home has the transcripts of all tests."""
        paths = self.home.glob(".claude/projects/*/*.jsonl")
        return sorted(paths, key=lambda path: path.stat().st_mtime_ns, reverse=True)[:5]

    def clear(self) -> None:
        """Type /clear and wait until the new session takes input.

        2.1.197 empties the screen before it starts the session, hooks included: a prompt in between is lost.
        """
        self.terminal.type("/clear")
        self.terminal.wait(is_cleared, "a new session's empty screen", seconds=60)


def is_cleared(screen: str) -> bool:
    """Whether /clear is the only prompt sent and the client is at rest; a suggestion may follow it."""
    return TYPED.findall(screen)[:-1] == ["/clear"] and BUSY not in screen


class HeadlessRun(NamedTuple):
    """The outcome of a `claude -p`: its model, and the window sizes as the client itself had them."""

    model: ScriptedModel
    windows: dict[str, int]
    """Tokens by model id."""


class Client(NamedTuple):
    """One version of the client and the home that it runs in; `more` is added to its environment."""

    version: str
    binary: Path
    home: Path
    more: Mapping[str, str] = {}

    @property
    def program(self) -> Path:
        """The path of the installed program."""
        return self.home / ".claude" / "tidegauge"

    def command(self, model: str | None, *args: str) -> list[str]:
        """The client's command line; without a model it takes its own default."""
        chosen = ["--model", model] if model else []
        return [str(self.binary), *chosen, "--permission-mode", "bypassPermissions", *args]

    def headless(
        self, project: Path, scripts: Scripts, *args: str, prompt: str = "go", model: str | None = MODEL
    ) -> ScriptedModel:
        """Run `claude -p` once; return the model with the requests that it got."""
        return self.run_headless(project, scripts, *args, prompt=prompt, model=model).model

    def run_headless(
        self, project: Path, scripts: Scripts, *args: str, prompt: str = "go", model: str | None = MODEL
    ) -> HeadlessRun:
        """The same, with the client's own final report."""
        with ScriptedModel(scripts) as played:
            result = self.prompt(project, played, *args, prompt=prompt, model=model)
        assert result.returncode == 0, result.stdout + result.stderr
        used = json.loads(result.stdout)["modelUsage"]
        return HeadlessRun(played, {name: usage["contextWindow"] for name, usage in used.items()})

    def prompt(
        self, project: Path, played: ScriptedModel, *args: str, prompt: str = "go", model: str | None = MODEL
    ) -> subprocess.CompletedProcess[str]:
        """Run `claude -p` once against a running model; the caller judges whether it failed."""
        project.mkdir(exist_ok=True)
        return subprocess.run(
            self.command(model, "-p", prompt, "--output-format", "json", *args),
            cwd=project,
            env=environment(self.home, played.url, self.more),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=90,
            check=False,
        )

    @contextmanager
    def interactive(
        self, project: Path, scripts: Scripts, *args: str, model: str = MODEL, columns: int = 140
    ) -> Iterator[Conversation]:
        """A session in a terminal, ready for its first prompt."""
        project.mkdir(exist_ok=True)
        # a socket's path is limited to about 100 characters, and a test's own folder takes more
        with tempfile.TemporaryDirectory() as folder, ScriptedModel(scripts) as played:
            env = environment(self.home, played.url, self.more)
            command = ["env", "-C", str(project), *self.command(model, *args)]
            with Terminal(Path(folder), command, env, columns) as terminal:
                terminal.wait_for(READY)
                yield Conversation(played, terminal, self.home)

    def play(self, mode: str, project: Path, scripts: Scripts, *args: str, model: str = MODEL) -> ScriptedModel:
        """Play one prompt and everything that follows from it, in either mode."""
        if mode == HEADLESS:
            return self.headless(project, scripts, *args, model=model)
        with self.interactive(project, scripts, *args, model=model) as conversation:
            conversation.say("go")
            for name in scripts:
                conversation.model.wait_for_end(name)
        return conversation.model
