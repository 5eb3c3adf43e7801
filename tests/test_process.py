"""The monitor's process as the client starts it, with any stdin."""

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests import scratch
from tests.monitor.scene import EXHAUSTED, WARNING, Scene, level_reported
from tests.transcripts import Transcript, compact

PAYLOADS = sorted((Path(__file__).parent / "payloads" / "hooks").glob("*.json"))
POSIX = pytest.mark.skipif(os.name == "nt", reason="descriptors, pipes and modes of POSIX")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return scratch.install(tmp_path)


@pytest.fixture
def scene(root: Path, tmp_path: Path) -> Scene:
    return Scene(root, Transcript(tmp_path / "projects" / f"{Scene.session_id}.jsonl"))


def stdins() -> dict[bytes, str]:
    """Each captured payload whole, truncated, and with null or junk in every field but its name; each with an id."""
    names: dict[bytes, str] = {}
    for path in PAYLOADS:
        text = path.read_bytes()
        payload = json.loads(text)
        name = {"hook_event_name": payload["hook_event_name"]}
        names.setdefault(text, f"{path.stem}-whole")
        names.setdefault(text[: len(text) // 2], f"{path.stem}-truncated")
        names.setdefault(compact(dict.fromkeys(payload) | name), f"{path.stem}-null")
        names.setdefault(compact({key: junk(value) for key, value in payload.items()} | name), f"{path.stem}-junk")
    return names


def junk(value: object) -> object:
    """A value of another type than the client sends here."""
    return "junk" if isinstance(value, dict | list) else {"junk": [1]}


@pytest.mark.parametrize("stdin", stdins().keys(), ids=stdins().values())
def test_no_payload_makes_a_process_fail(root: Path, stdin: bytes) -> None:
    result = scratch.run(root, stdin)
    assert (result.returncode, result.stderr) == (0, b"")
    assert not result.stdout or isinstance(json.loads(result.stdout), dict)


NO_PAYLOADS = [
    b"", b" \n", b"null", b"true", b"42", b"[]", b'"PostToolUse"', b"{}", b"{", b"}", b"\x00", b"\xff\xfe{}",
    b"\xef\xbb\xbf{}", b'{"hook_event_name": "PostToolUse"}', b'{"hook_event_name": "PostToolUse", "session_id": 5}',
    b'{"hook_event_name": null, "session_id": null}', b'{"hook_event_name": {"junk": [1]}}',
    b'{"hook_event_name": "Unheard"}', b'{"hook_event_name": "__main__"}', b"[" * 100_000,
    b'{"hook_event_name": "PostToolUse", "session_id": "s", "x": ' + b"[" * 5_000 + b"]" * 5_000 + b"}",
]  # fmt: skip


@pytest.mark.parametrize("stdin", NO_PAYLOADS)
def test_invalid_payloads_get_no_answer(root: Path, stdin: bytes) -> None:
    result = scratch.run(root, stdin)
    assert (result.returncode, result.stdout, result.stderr) == (0, b"", b"")


def test_garbage_leaves_one_log_line_and_a_mark_until_the_next_success(root: Path) -> None:
    mark = root / "run" / "failed-monitor"
    scratch.run(root, b"garbage")
    assert (len(scratch.log(root)), mark.exists()) == (1, True)
    scratch.run(root, b"")
    assert (len(scratch.log(root)), mark.exists()) == (1, False)


@pytest.mark.parametrize(
    "fields",
    [
        {"session_id": "../../escape"},
        {"session_id": "a/b"},
        {"session_id": "a\u0000b"},
        {"session_id": ""},
        {"session_id": "é"},
        {"session_id": "x" * 129},
        {"session_id": None},
        {"session_id": ...},
        {"agent_id": "../../escape"},
    ],
)
def test_an_unsafe_id_leaves_nothing(scene: Scene, fields: dict[str, Any]) -> None:
    scene.transcript.answer(EXHAUSTED)
    before = sorted(scene.root.parents[1].rglob("*"))
    assert level_reported(scratch.run(scene.root, scene.stdin(**fields))) == ""
    after = [path for path in scene.root.parents[1].rglob("*") if path not in before]
    assert [path for path in after if "escape" in path.name or "memory" in path.name] == []


@POSIX
@pytest.mark.parametrize("kind", ["directory", "pipe", "device", "nul", "link to nowhere", "itself"])
def test_no_transcript_path_makes_a_process_hang(scene: Scene, tmp_path: Path, kind: str) -> None:
    path = tmp_path / "odd"
    if kind == "directory":
        path.mkdir()
    elif kind == "pipe":
        os.mkfifo(path)
    elif kind in {"link to nowhere", "itself"}:
        path.symlink_to(path if kind == "itself" else tmp_path / "nowhere")
    name = {"device": "/dev/zero", "nul": "a\u0000b"}.get(kind, str(path))
    assert level_reported(scratch.run(scene.root, scene.stdin(transcript_path=name))) == ""


def test_a_huge_tool_response_is_handled(scene: Scene) -> None:
    scene.transcript.answer(WARNING)
    stdin = scene.stdin(tool_response={"stdout": "x}\n" * 7_000_000})
    assert level_reported(scratch.run(scene.root, stdin)) == "WARNING"


def test_a_process_with_an_unclosed_stdin_ends_by_itself(root: Path) -> None:
    """Long before the client's ten seconds are over."""
    processes = []
    for text in (b"", b'{"hook_event_name": "PostToolUse", '):
        process = subprocess.Popen(
            scratch.command(root),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env=scratch.environment(root),
            bufsize=0,
        )
        assert process.stdin is not None
        process.stdin.write(text)
        processes.append(process)
    for process in processes:
        with process:
            assert process.wait(8) == 0
            assert process.stdout is not None
            assert process.stdout.read() == b""


def test_a_complete_payload_is_answered_before_stdin_closes(scene: Scene) -> None:
    scene.transcript.answer(WARNING)
    with subprocess.Popen(
        scratch.command(scene.root),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=scratch.environment(scene.root),
        bufsize=0,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(scene.stdin())
        assert b"WARNING" in process.stdout.read()
        assert process.wait(20) == 0
