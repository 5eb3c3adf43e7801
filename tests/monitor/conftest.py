"""Fixtures of the tests of monitor/: a session in an installation, and its agent's messages."""

import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from monitor.measuring.snapshot import snapshot_of
from monitor.pivot.strategies.strategy import Context
from monitor.session import Conversation, Project, Session
from shared.settings import settings
from tests import scratch
from tests.monitor.launcher_rig import Rig, answer, result
from tests.monitor.scene import Scene
from tests.monitor.workshop import Workshop
from tests.transcripts import Transcript

Carried = Callable[..., Context]
_MISLEADING = ("TIDEGAUGE_", "CLAUDE_", "ANTHROPIC_", "DISABLE_")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Tidegauge's root in a home of its own."""
    return scratch.install(tmp_path)


@pytest.fixture
def scene(root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Scene:
    """A new session of a newer client, which records that it doesn't ask for a 1M window."""
    for name in os.environ:
        if name.startswith(_MISLEADING):
            monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(tmp_path))
    transcript = Transcript(tmp_path / "projects" / f"{Scene.session_id}.jsonl")
    return Scene(root, transcript.record_requests())


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lengthen the wait, or a busy machine would make the client write too late: its limit is tested elsewhere."""
    monkeypatch.setattr("monitor.measuring.snapshot.LAG_SECONDS", 10)


@pytest.fixture
def workshop(root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Workshop:
    """A new session in a project, whose client records that it doesn't ask for a 1M window."""
    for name in os.environ:
        if name.startswith(_MISLEADING):
            monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(tmp_path))
    # A busy machine and nothing masked yet in this process: how much of a transcript fits in is tested elsewhere.
    monkeypatch.setattr("monitor.activity.reader.MOST_SECONDS", 10)
    return Workshop(root, tmp_path / "shop", tmp_path / "projects")


@pytest.fixture
def rig(tmp_path: Path) -> Rig:
    """A session of four answers below every level, with its gate."""
    rig = Rig(tmp_path)
    rig.append(*(answer(tokens) for tokens in (10_000, 20_000, 30_000, 40_000)), result(100))
    rig.open_gate()
    return rig


@pytest.fixture
def context(workshop: Workshop) -> Carried:
    """A strategy's context, taken from the session at each call; fields are changed by name."""

    def make_context(**changes: Any) -> Context:
        project = os.path.realpath(workshop.project)
        config = settings.load(str(workshop.root), {}, project).config
        session = Session(str(workshop.root), config, {}, time.time(), project)
        conversation = Conversation(workshop.session_id, str(workshop.transcript.path))
        snapshot = snapshot_of(conversation, session)
        verdict = snapshot.verdict if snapshot else None
        measured = {"project": Project(project, project), "verdict": verdict, "is_asked": False}
        return Context(conversation, session, **(measured | changes))

    return make_context


@pytest.fixture
def older_client(workshop: Workshop) -> None:
    """Give the session a client that may compact without a boundary in the transcript."""
    workshop.transcript.client = "2.1.100"
