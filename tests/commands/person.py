"""A person with a hand-made installation in their home, who runs its commands as processes."""

import json
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from installer import choices
from installer.layout import Layout
from installer.program import client_files
from installer.program.launchers import PACKAGED
from installer.settings import entries
from shared import registrations
from shared.settings import settings
from tests import forks, scratch
from tests.transcripts import Transcript

SESSION = "5b0c6a1e-0000-4000-8000-000000000001"
WINDOW = 200_000


class Finding(NamedTuple):
    status: str
    message: str


class Person(NamedTuple):
    home: Path
    project: Path

    @property
    def client(self) -> Path:
        return self.home / ".claude"

    @property
    def root(self) -> Path:
        return self.client / "tidegauge"

    @property
    def settings(self) -> Path:
        return self.client / "settings.json"

    @property
    def layout(self) -> Layout:
        return Layout(str(self.root), str(self.settings), windows=sys.platform == "win32")

    def change_settings(self, **changes: Any) -> None:
        self.settings.write_text(json.dumps(json.loads(self.settings.read_text()) | changes))

    def write_project_settings(self, name: str = "settings.json", **values: Any) -> None:
        (self.project / ".claude").mkdir(exist_ok=True)
        (self.project / ".claude" / name).write_text(json.dumps(values))

    def configure(self, toml: str) -> None:
        (self.home / "config").mkdir(exist_ok=True)
        (self.home / "config" / "config.toml").write_text(toml)

    def transcript(self, session: str = SESSION) -> Transcript:
        return Transcript(self.client / "projects" / "-project" / f"{session}.jsonl")

    def write_bridge(self, transcript: Transcript, tokens: int, *, age: float = 0, **changes: Any) -> Path:
        session = transcript.path.stem
        used = (200 * tokens + WINDOW) // (2 * WINDOW)
        bridge = {
            "session_id": session,
            "remaining_percentage": 100 - used,
            "used_pct": used,
            "timestamp": int(time.time() - age),
            "context_window_size": WINDOW,
            "window_source": "bridge",
            "tokens": tokens,
            "transcript_path": str(transcript.path),
            "transcript_size": transcript.size,
        }
        path = self.root / "run" / f"claude-ctx-{session}.json"
        path.write_text(json.dumps(bridge | changes))
        path.chmod(0o600)
        return path

    def use_tool(self, transcript: Transcript, tool_use_id: str = "", **changes: Any) -> str:
        """Have the monitor see a tool use; return its message to the agent, or nothing."""
        event = {
            "session_id": transcript.path.stem,
            "transcript_path": str(transcript.path),
            "hook_event_name": "PostToolUse",
            "tool_use_id": tool_use_id,
        }
        result = scratch.run(self.root, json.dumps(event | changes).encode())
        assert scratch.log(self.root) == []
        return json.loads(result.stdout)["hookSpecificOutput"]["additionalContext"] if result.stdout else ""

    def tidegauge(
        self, *arguments: str, environ: Mapping[str, str] | None = None, timeout: float = 60
    ) -> subprocess.CompletedProcess[str]:
        inherited = scratch.environment(self.root)
        words = ["tidegauge", *arguments]
        if forks.can_run(environ or {}):
            everything = inherited | dict(environ or {})
            where = str(self.project)
            result = forks.run(words, b"", environ=everything, directory=where, timeout=timeout, module="commands")
            return subprocess.CompletedProcess(words, result.returncode, result.stdout.decode(), result.stderr.decode())
        inherited |= {"PYTHONPATH": str(scratch.REPOSITORY)}
        # Otherwise coverage wouldn't see what these processes reach.
        inherited |= {name: value for name, value in os.environ.items() if name.startswith("COVERAGE_")}
        return subprocess.run(
            [sys.executable, "-m", "commands", *arguments],
            cwd=self.project,
            env=inherited | dict(environ or {}),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            timeout=timeout,
            check=False,
        )

    def timed(self, *arguments: str) -> tuple[subprocess.CompletedProcess[str], float]:
        """The same, with its processor time in seconds."""
        import resource  # noqa: PLC0415  not on Windows

        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        result = self.tidegauge(*arguments, environ={"PYTHONHASHSEED": "0"})  # a forked one is the server's child
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return result, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    def doctor(self, *arguments: str, environ: Mapping[str, str] | None = None) -> subprocess.CompletedProcess[str]:
        result = self.tidegauge("doctor", *arguments, environ=environ)
        assert "Traceback" not in result.stderr, result.stderr
        return result

    def finding(self, subject: str, environ: Mapping[str, str] | None = None) -> Finding:
        """Doctor's line about `subject`; the worst of several."""
        by_subject = findings(self.doctor("-v", environ=environ).stdout)
        return max(by_subject[subject], key=lambda one: ("ok", "unknown", "warning", "wrong").index(one.status))


def findings(output: str) -> dict[str, list[Finding]]:
    by_subject: dict[str, list[Finding]] = {}
    for match in re.finditer(r"^  (ok|warning|wrong|unknown) +(.{24}) +(.*)$", output, re.MULTILINE):
        by_subject.setdefault(match[2].strip(), []).append(Finding(match[1], match[3]))
    return by_subject


def make(directory: Path) -> Person:
    """Make a person with a healthy installation and a project that the client trusts."""
    person = Person(directory / "home", directory / "project")
    person.home.mkdir()
    person.project.mkdir()
    scratch.install(person.home)
    choices.save(person.layout, choices.Choices(profile="full"))
    for name, source in PACKAGED.items():
        shutil.copy(scratch.REPOSITORY / source, person.root / "bin" / name)
        (person.root / "bin" / name).chmod(0o755)
    (person.root / "run").mkdir(mode=0o700)
    hooks: dict[str, list[Any]] = {}
    for entry in registrations.enabled(msgspec.structs.asdict(settings.defaults(str(person.root)).hooks)):
        hooks.setdefault(entry.event, []).append(entries.group(entry, person.layout))
    person.settings.write_text(json.dumps({"statusLine": entries.status_line(person.layout), "hooks": hooks}))
    client_files.place(person.layout, client_files.plan(person.layout, wanted=True), ExitStack())
    trust = {"projects": {str(person.project): {"hasTrustDialogAccepted": True}}}
    (person.home / ".claude.json").write_text(json.dumps(trust))
    return person
