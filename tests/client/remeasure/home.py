"""A home whose client's inputs to its status line and hooks are recorded."""

import json
import shlex
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from tests.client.client import Client
from tests.client.home import prepare

STATUS_LINE = "StatusLine"
EVENTS = (
    "SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "PostToolUseFailure", "PostToolBatch",
    "SubagentStart", "SubagentStop", "PreCompact", "PostCompact", "Stop", "SessionEnd",
)  # fmt: skip
RECORDER = Path(__file__).with_name("recorder.py")


class Capture(NamedTuple):
    """One call of the recorder."""

    event: str
    payload: dict[str, Any]


class MeasuredHome(NamedTuple):
    """A new home and its folder of recordings."""

    client: Client
    folder: Path

    @property
    def project(self) -> Path:
        return self.folder / "project"

    def captures(self) -> list[Capture]:
        """All recordings so far, oldest first."""
        paths = sorted((self.folder / "captures").glob("*.json"))
        return [Capture(**json.loads(path.read_bytes())) for path in paths]

    def transcripts(self) -> list[Path]:
        """The transcripts of all sessions and subagents."""
        return sorted((self.client.home / ".claude" / "projects").rglob("*.jsonl"))


@contextmanager
def measured_home(client: Client, hooks: Mapping[str, str], status_line: str = "") -> Iterator[MeasuredHome]:
    """A home for `client` whose settings have a shell command for each event in `hooks`."""
    with TemporaryDirectory() as folder:
        home = Path(folder, "home")
        (home / ".claude").mkdir(parents=True)
        prepare(home, trusted=Path(folder))
        settings: dict[str, object] = {
            "hooks": {name: [{"hooks": [{"type": "command", "command": hooks[name]}]}] for name in hooks}
        }
        if status_line:
            settings["statusLine"] = {"type": "command", "command": status_line}
        (home / ".claude" / "settings.json").write_text(json.dumps(settings))
        yield MeasuredHome(client._replace(home=home), Path(folder))


@contextmanager
def recorded_home(client: Client, *events: str, is_speaking: bool = False) -> Iterator[MeasuredHome]:
    """A home for `client` that records the hooks of `events`; without any, all hooks and the status line.

    A speaking hook gives the model its event's name.
    """
    with TemporaryDirectory() as captures:

        def command(event: str) -> str:
            flags = ["--speaking"] if is_speaking else []
            return shlex.join([sys.executable, "-I", "-S", str(RECORDER), captures, event, *flags])

        hooks = {event: command(event) for event in events or EVENTS}
        with measured_home(client, hooks, "" if events else command(STATUS_LINE)) as home:
            (home.folder / "captures").symlink_to(captures)
            yield home
