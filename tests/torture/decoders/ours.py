"""Decoders of our own files, which other versions, programs or full disks may have damaged: they count as missing."""

import contextlib
import importlib
import json
import marshal
import shutil
import sqlite3
from _imp import source_hash
from pathlib import Path
from typing import Any

from history.questions import QUESTIONS
from history.store import store
from monitor import dispatch
from monitor.activity.requests import UserRequest
from monitor.checkpoints import words
from monitor.checkpoints.texts import requests
from monitor.checkpoints.words import SessionWords
from shared import paths
from shared.process import bundle
from statusline import line as status_line
from tests import scratch
from tests.monitor.scene import NORMAL, WARNING, Scene
from tests.torture.decoders.decoder import Decoder, check_log
from tests.torture.hostile import PAYLOADS
from tests.transcripts import Transcript

_IN_RUN = (
    "claude-ctx-SESSION.json", "seen-SESSION.json", "limits-SESSION.json", "notified-SESSION.json",
    "window-SESSION.json", "session-SESSION.json", "gate-SESSION", "ceiling-SESSION", "memory-SESSION.json",
    "prompts-SESSION.json", "activity-SESSION.json", "pivot-SESSION.json", "crossing-SESSION.json",
    "saved-SESSION.json",
)  # fmt: skip
_PLACE = {"offset": 0, "line": 1}
_MORE: dict[str, dict[str, Any]] = {
    "learned.json": {"compactions": {"claude-opus-4-6|2.1.330|200000||": 167_000}},
    "wrapped.json": {"command": "", "padding": 2},  # without a command: a change of one would be run
    "run/window-SESSION.json": {"model_id": "claude-opus-4-6", "context_window_size": 200_000, "written_at": 4e9},
    "run/session-SESSION.json": {"started_at": 1.0, "identity": "claude-opus-4-6[1m]"},
    "run/saved-SESSION.json": {"level": 3, "path": "x.md", "begun": 1.0, "compaction": "c", "offset": 100},
    "run/prompts-SESSION.json": {"tokens": 100_000, "offered": "x.md"},
    "run/pivot-SESSION.json": {
        "degradation_patterns": ["repeated_reads"],
        "last_pivot": {
            "strategy": "chunk",
            "timestamp": "2026-01-05T09:00:00Z",
            "trigger": "critical",
            "files": ["x.md"],
        },
    },
    "run/activity-SESSION.json": {
        "edited": {"/home/dev/shop/a.py": 2},
        "read": {"/home/dev/shop/a.py": 1},
        "failing": {"pytest": {"command": "pytest", "line": 1, "offset": 0}},
        "checks": {"pytest": [3, True]},
        "tasks": {"1": {"text": "Build it", "state": "in_progress"}},
        "requests": [_PLACE],
        "remarks": [_PLACE],
        "compacted_at": "2026-01-05T09:00:00.000Z",
    },
}
"""What a file also holds when the session has gone on for longer than ours here."""
STATE_FILES = ("learned.json", "wrapped.json", "choices.json", *(f"run/{name}" for name in _IN_RUN))


class _Session:
    """A session near a level, in which every event reads our files."""

    def __init__(self, home: Path) -> None:
        self.root, self._shop = scratch.install(home), home / "shop"
        self._shop.mkdir()
        config = Path(paths.config_file(str(self.root)))
        config.parent.mkdir()
        config.write_text("[hooks]\ndesktop_notification = true\n")
        self._scene = Scene(self.root, Transcript(home / "projects" / f"{Scene.session_id}.jsonl"))
        self._scene.transcript.answer(NORMAL)
        self.run()
        self._scene.transcript.answer(WARNING)
        self.run()

    def path(self, name: str) -> Path:
        return self.root / name.replace("SESSION", Scene.session_id)

    def files(self) -> dict[Path, bytes]:
        run = self.root / "run"
        return {path: path.read_bytes() for path in (*run.iterdir(), *self.root.glob("*.json")) if path.is_file()}

    def put_back(self, files: dict[Path, bytes]) -> None:
        shutil.rmtree(self.root / "run", ignore_errors=True)
        shutil.rmtree(self._shop / ".claude", ignore_errors=True)
        (self.root / "run").mkdir()
        for path, content in files.items():
            path.write_bytes(content)

    def run(self) -> None:
        """Run an event of each kind, and a redraw."""
        for event, fields in (
            ("PreToolUse", {"tool_name": "Skill"}),
            ("UserPromptSubmit", {"prompt": "Go on"}),
            ("PostToolUse", {}),
            ("Stop", {"stop_hook_active": False}),
            ("PreCompact", {"trigger": "auto", "custom_instructions": None}),
            ("SessionStart", {"source": "compact"}),
        ):
            stdin = self._scene.stdin(event=event, cwd=str(self._shop), **fields)
            answer = dispatch.main(stdin, str(self.root)).stdout
            assert not answer.startswith(b"{") or json.loads(answer)
        payload = json.loads((PAYLOADS / "statusline" / "everything.json").read_bytes())
        payload |= {"session_id": Scene.session_id, "transcript_path": str(self._scene.transcript.path)}
        payload["rate_limits"]["five_hour"] = {"used_percentage": 95, "resets_at": 4_000_000_000}
        # Last: it writes the bridge.
        assert status_line.main(json.dumps(payload).encode(), str(self.root))
        check_log(self.root)


def state_file(name: str, home: Path) -> Decoder:
    """The file of this name: each event of the session works without it."""
    session = _Session(home)
    files, path = session.files(), session.path(name)
    if name.startswith("run/window"):  # it is read while there is no bridge
        del files[session.path("run/claude-ctx-SESSION.json")]

    def decode(data: bytes) -> None:
        session.put_back(files | {path: data})
        try:
            session.run()
        finally:
            path.unlink(missing_ok=True)

    return Decoder([files.get(path, b'{"level": 1, "size": 5, "padding": 2}'), *_longer(name, files.get(path))], decode)


def _longer(name: str, content: bytes | None) -> list[bytes]:
    """The file of this name with its extension from _MORE, if any."""
    if name not in _MORE:
        return []
    document = json.loads(content or b"{}")
    document.get("activity", document).update(_MORE[name])
    return [json.dumps(document).encode()]


def goal_file(home: Path) -> Decoder:
    """The words file of a checkpoint."""
    path = home / "goal.json"
    saved = SessionWords((UserRequest("prompt", "Build it"), UserRequest("prompt", "Go on")), answer="Done")
    words.write(str(path), saved, 0.0)
    digest = words.digest_of(saved)

    def decode(data: bytes) -> None:
        path.write_bytes(data)
        read = words.read(str(path), digest)
        requests.short(read, 300, str)
        list(requests.quoted(read, 300))

    return Decoder([path.read_bytes()], decode)


def start_up_bundle(home: Path) -> Decoder:
    """Code with a wrong hash is never run: the module is imported as usual."""
    path = home / "startup.bundle"
    code = marshal.dumps(compile("answer = 42", "late.py", "exec"))
    names = marshal.dumps({"late": (False, "late.py", 0, len(code), source_hash(bundle._KEY, code))})  # noqa: SLF001  what is written is taken apart
    size = len(names).to_bytes(4, "little")
    hashed, at = source_hash(bundle._KEY, names), len(bundle._header()) + len(size)  # noqa: SLF001  what is written is taken apart
    whole = bundle._header() + size + hashed + names + code  # noqa: SLF001  what is written is taken apart

    def decode(data: bytes) -> None:
        # Whoever can write a matching hash can write code too: the hash protects against damage, and stays as it is.
        path.write_bytes(data[:at] + hashed[: len(data) - at] + data[at + len(hashed) :] if len(data) > at else data)
        with path.open("rb", 0) as file:
            index = bundle._read_index(file)  # noqa: SLF001  what is written is taken apart
            spec = bundle.Bundle(file, *index).find_spec("late") if index else None
        assert spec is None or spec.loader_state == code  # type: ignore[attr-defined]  # the import system's

    return Decoder([whole], decode)


def history_store(home: Path) -> Decoder:
    """A store that is damaged is named in one line, by the command (commands/history/command.py)."""
    root = scratch.install(home)
    with store.for_writing(str(root)):
        pass
    path = Path(paths.history_store(str(root)))
    whole = path.read_bytes()

    def decode(data: bytes) -> None:
        path.write_bytes(data)
        for ending in ("-wal", "-shm", "-journal"):
            Path(str(path) + ending).unlink(missing_ok=True)
        with (
            contextlib.suppress(store.StoreError, sqlite3.Error),
            store.for_reading(str(root)) as opened,
        ):
            for question in QUESTIONS.values():
                module = importlib.import_module(question)
                module.presentation(module.figures(opened, 0))

    return Decoder([whole], decode)
