"""Hostile input: it is answered or skipped in time, and nothing outside our files is touched."""

import json
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests import scratch
from tests.monitor.scene import NORMAL, Scene, level_reported
from tests.monitor.workshop import Workshop
from tests.torture.hostile import PAYLOADS

if sys.platform == "win32":
    pytest.skip("pipes, links and users of POSIX", allow_module_level=True)

Count = Callable[[], None]
PATIENCE_SECONDS = 9
"""The client gives a hook ten."""
EVENTS = ["SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "Stop", "PreCompact"]


def flood(path: Path) -> None:
    path.write_bytes(b"a.b." * 30_000 + b"= 1\n" + b"[" * 30_000)


def pipe(path: Path) -> None:
    os.mkfifo(path)


def loop(path: Path) -> None:
    path.symlink_to(path)


def nest(path: Path) -> None:
    path.write_bytes(b'{"a":' * 20_000)


def numbers(path: Path) -> None:
    path.write_bytes(b"resumption: {at: 1" + b":59" * 80_000 + b", n: " + b"9" * 9_000 + b"}\n")


def folder(path: Path) -> None:
    path.mkdir()


def device(path: Path) -> None:
    path.symlink_to("/dev/zero")


PLANTS = [flood, pipe, loop, nest, numbers, folder, device]
IN_A_REPOSITORY = [
    ".git",
    ".git/HEAD",
    ".git/index",
    ".gitignore",
    ".claudeignore",
    ".claude/tidegauge.toml",
    ".claude/tidegauge/checkpoints/cx-001-checkpoint.json",
    "ORCHESTRATION.yaml",
]


@pytest.mark.parametrize("plant", PLANTS)
def test_a_repository(workshop: Workshop, tried: Count, plant: Callable[[Path], None]) -> None:
    for name in IN_A_REPOSITORY:
        project = workshop.project.parent / f"{plant.__name__}-{name.replace('/', '-')}"
        path = project / name
        path.parent.mkdir(parents=True)
        plant(path)
        elsewhere = workshop.elsewhere(project)
        for event in EVENTS if name.endswith(("HEAD", "toml", "yaml")) else EVENTS[-1:]:
            fields = {"tool_name": "Read", "tool_input": {"file_path": str(project / "a")}, "tool_use_id": "toolu_1"}
            payload = json.dumps(elsewhere.payload(event, prompt="Go on", source="startup", **fields)).encode()
            begun = time.monotonic()
            result = scratch.run(workshop.root, payload)
            tried()
            assert (result.returncode, result.stderr) == (0, b""), name
            assert time.monotonic() - begun < PATIENCE_SECONDS


@pytest.mark.parametrize("plant", PLANTS)
def test_a_transcript(scene: Scene, tried: Count, plant: Callable[[Path], None]) -> None:
    scene.transcript.path.unlink()
    plant(scene.transcript.path)
    status = json.loads((PAYLOADS / "statusline" / "normal.json").read_bytes())
    status |= {"transcript_path": str(scene.transcript.path)}
    for name, stdin in (
        ("monitor", scene.stdin()),
        ("statusline", json.dumps(status).encode()),
        *(("monitor", json.dumps(scene.payload(event=event)).encode()) for event in EVENTS),
    ):
        begun = time.monotonic()
        result = scratch.run(scene.root, stdin, name=name)
        tried()
        assert (result.returncode, result.stderr) == (0, b"")
        assert result.stdout or name == "monitor"
        assert (
            name == "statusline" or not result.stdout or b"unknown" in result.stdout
        )  # a prompt's tag, without a number
        assert time.monotonic() - begun < PATIENCE_SECONDS


@pytest.mark.parametrize(
    "command", ["yes", "cat /dev/zero", "sleep 60", "sleep 60 & echo line", "kill -9 $$", "exit 2", "printf '\\377'"]
)
def test_a_wrapped_line(scene: Scene, tried: Count, command: str) -> None:
    (scene.root / "wrapped.json").write_text(json.dumps({"type": "command", "command": command}))
    begun = time.monotonic()
    result = scratch.run(scene.root, (PAYLOADS / "statusline" / "normal.json").read_bytes(), name="statusline")
    tried()
    assert (result.returncode, result.stderr) == (0, b"")
    assert b"Opus" in result.stdout or b"context" in result.stdout
    assert len(result.stdout) < 100_000
    assert time.monotonic() - begun < PATIENCE_SECONDS


@pytest.mark.skipif(os.geteuid() != 0, reason="another user needs root")
@pytest.mark.parametrize("is_link", [False, True])
def test_another_user_in_a_shared_directory(scene: Scene, tmp_path: Path, tried: Count, *, is_link: bool) -> None:
    """Their bridge, in a directory that everybody may write, is not believed, and their link not followed."""
    shared = tmp_path / "shared"
    shared.mkdir()
    shared.chmod(0o1777)
    scene.configure(f'[bridge]\ndirectory = "{shared}"\n')
    scene.transcript.answer(NORMAL)
    status = json.loads((PAYLOADS / "statusline" / "normal.json").read_bytes()) | {"session_id": scene.session_id}
    scratch.run(scene.root, json.dumps(status).encode(), name="statusline")
    (ours,) = shared.iterdir()
    victim = tmp_path / "precious"
    precious = ours.read_bytes().replace(b'"remaining_percentage":', b'"remaining_percentage":0.')
    assert precious != ours.read_bytes()
    victim.write_bytes(precious)
    ours.unlink()
    if is_link:
        ours.symlink_to(victim)
    else:
        ours.write_bytes(precious)
    os.chown(ours, 65534, 65534, follow_symlinks=False)
    tried()
    assert level_reported(scratch.run(scene.root, scene.stdin())) == ""
    scratch.run(scene.root, json.dumps(status).encode(), name="statusline")
    assert victim.read_bytes() == precious
