"""A project with a session at work: its prompts, tool calls, compactions and starts, as hooks see them."""

import json
import os
import subprocess
from pathlib import Path
from typing import Any

from monitor import dispatch
from monitor.checkpoints import proof
from monitor.memory import memory as memories
from monitor.memory.memory import Memory
from tests.transcripts import Transcript

FOLDER = Path(".claude") / "tidegauge" / "checkpoints"
GIT = ["git", "-c", "user.name=dev", "-c", "user.email=dev@example.org"]


class Workshop:
    """A session in a project; `session(...)` makes another one there."""

    def __init__(self, root: Path, project: Path, transcripts: Path, session_id: str = "session-1") -> None:
        self.root = root
        self.project = project
        self.session_id = session_id
        self._transcripts = transcripts
        self.transcript = Transcript(transcripts / f"{session_id}.jsonl").record_requests()
        self._calls = 0
        project.mkdir(exist_ok=True)

    def session(self, session_id: str) -> "Workshop":
        return Workshop(self.root, self.project, self._transcripts, session_id)

    def elsewhere(self, project: Path) -> "Workshop":
        """The same session id in another project."""
        return Workshop(self.root, project, self._transcripts, self.session_id)

    @property
    def folder(self) -> Path:
        return self.project / FOLDER

    def payload(self, event: str, **fields: Any) -> dict[str, Any]:
        facts_by_name = {
            "session_id": self.session_id,
            "transcript_path": str(self.transcript.path),
            "cwd": str(self.project),
            "hook_event_name": event,
        }
        return {name: value for name, value in (facts_by_name | fields).items() if value is not ...}

    def fire(self, event: str, **fields: Any) -> str:
        """The text in a hook's standard output: the context inside the JSON, or the plain text."""
        answer = dispatch.main(json.dumps(self.payload(event, **fields)).encode(), str(self.root))
        assert not answer.is_blocking
        text = answer.stdout.decode()
        if not text.startswith("{"):
            return text
        output = json.loads(text)["hookSpecificOutput"]
        assert output["hookEventName"] == event
        return str(output["additionalContext"])

    def prompt(self, text: str = "Go on", **fields: Any) -> str:
        return self.fire("UserPromptSubmit", prompt=text, **fields)

    def compact(self, trigger: str = "auto", **fields: Any) -> str:
        """Announce a compaction and return the brief; the compaction itself is still to come."""
        return self.fire("PreCompact", trigger=trigger, custom_instructions=None, **fields)

    def start(self, source: str = "startup", **fields: Any) -> str:
        return self.fire("SessionStart", source=source, **fields)

    def use(self, tool_use_id: str, **fields: Any) -> str:
        """The message to the agent at a tool use that is in the transcript."""
        return self.fire("PostToolUse", tool_name="Bash", tool_input={}, tool_use_id=tool_use_id, **fields)

    def call(
        self,
        name: str,
        *,
        failed: bool = False,
        output: str = "ok",
        tokens: int = 60_000,
        record: object = None,
        **arguments: Any,
    ) -> None:
        """Write a tool call and its result to the transcript; `record` is the client's own copy of the result."""
        self._calls += 1
        tool_use_id = f"toolu_{self._calls:05}"
        self.transcript.answer(tokens, tool_use_ids=(tool_use_id,))
        lines = self.transcript.path.read_bytes().splitlines(keepends=True)
        line = json.loads(lines[-1])
        line["message"]["content"][0] |= {"name": name, "input": arguments}
        self.transcript.path.write_bytes(b"".join(lines[:-1]) + json.dumps(line).encode() + b"\n")
        self.transcript.result(tool_use_id, output, failed=failed, record=record)

    def edit(self, name: str, times: int = 1) -> None:
        for _ in range(times):
            self.call("Edit", file_path=str(self.project / name), old_string="a", new_string="b")

    def read(self, name: str, times: int = 1) -> None:
        for _ in range(times):
            self.call("Read", file_path=str(self.project / name))

    def bash(self, command: str, *, code: int = 0) -> None:
        self.call("Bash", failed=code != 0, output=f"Exit code {code}" if code else "fine", command=command)

    def checkpoints(self) -> list[dict[str, Any]]:
        """The checkpoints in the project's folder, in order."""
        return [json.loads(path.read_bytes()) for path in sorted(self.folder.glob("cx-*-checkpoint.json"))]

    def rewrite(self, path: Path, checkpoint: dict[str, Any]) -> None:
        """Replace a checkpoint's file, as if `checkpoint` had been saved in its place."""
        data = json.dumps(checkpoint).encode()
        path.write_bytes(data)
        proven = proof.of(str(self.root), os.path.realpath(self.project), path.name, data)
        Path(f"{path}.proof").write_bytes(proven)

    def marks(self, ending: str = ".acknowledged") -> list[str]:
        """The ids of the checkpoints with a mark."""
        return [path.name[:6] for path in sorted(self.folder.glob(f"*{ending}"))]

    @property
    def memory(self) -> Memory:
        """What is remembered of the session."""
        return memories.read(str(self.root), self.session_id)

    def repository(self, branch: str = "main") -> None:
        """Make the project a git repository with one commit."""
        for words in (["init", "-q", "-b", branch], ["commit", "-q", "--allow-empty", "-m", "first"]):
            subprocess.run([*GIT, *words], cwd=self.project, check=True, env=os.environ | {"HOME": str(self.project)})

    def configure(self, toml: str) -> None:
        path = Path(json.loads((self.root / "directories.json").read_text())["config"]) / "config.toml"
        path.parent.mkdir(exist_ok=True)
        path.write_text(toml, encoding="utf-8")
