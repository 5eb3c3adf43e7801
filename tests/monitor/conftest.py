"""What the tests of monitor/ stand on: a session in an installation, and what its agent is told."""

import os
from pathlib import Path

import pytest

from tests import scratch
from tests.monitor.launcher_rig import Rig, answer, result
from tests.monitor.scene import Scene
from tests.monitor.workshop import Workshop
from tests.transcripts import Transcript

_MISLEADING = ("TIDEGAUGE_", "CLAUDE_", "ANTHROPIC_", "DISABLE_")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Tidegauge's root in a home of its own."""
    return scratch.install(tmp_path)


@pytest.fixture
def scene(root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Scene:
    """A session that has just begun, in an environment that says nothing of windows."""
    for name in os.environ:
        if name.startswith(_MISLEADING):
            monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(tmp_path))
    return Scene(root, Transcript(tmp_path / "projects" / f"{Scene.session_id}.jsonl"))


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """A busy machine must not make the client's writing late: how long the wait may take is tested elsewhere."""
    monkeypatch.setattr("monitor.measuring.measurement.LAG_SECONDS", 10)


@pytest.fixture
def workshop(root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Workshop:
    """A session that has just begun to work in a project."""
    for name in os.environ:
        if name.startswith(_MISLEADING):
            monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(tmp_path))
    return Workshop(root, tmp_path / "shop", tmp_path / "projects")


@pytest.fixture
def rig(tmp_path: Path) -> Rig:
    """A session of four answers below every level, and its gate."""
    rig = Rig(tmp_path)
    rig.append(*(answer(tokens) for tokens in (10_000, 20_000, 30_000, 40_000)), result(100))
    rig.open_gate()
    return rig
