"""A scene's snapshot, taken as a hook takes it."""

import os
import time
from typing import Any

from monitor.measuring.snapshot import Snapshot, snapshot_of
from monitor.session import Conversation, Session
from shared import paths
from shared.settings import settings
from tests.monitor.scene import NORMAL, Scene


def session_of(scene: Scene) -> Session:
    return Session(str(scene.root), settings.load(str(scene.root)).config, os.environ, time.time())


def try_snapshot(scene: Scene, agent_id: str | None = None, tool_use_id: str = "", **changes: Any) -> Snapshot | None:
    own = scene.transcript.subagent(agent_id) if agent_id else scene.transcript
    conversation = Conversation(scene.session_id, str(own.path), agent_id)
    return snapshot_of(conversation, session_of(scene), tool_use_id, **changes)


def take_snapshot(scene: Scene, agent_id: str | None = None, tool_use_id: str = "", **changes: Any) -> Snapshot:
    snapshot = try_snapshot(scene, agent_id, tool_use_id, **changes)
    assert snapshot is not None
    return snapshot


def run_file(scene: Scene) -> str:
    return paths.session_run(str(scene.root), scene.session_id)


def remember_last_run(scene: Scene, model: str, size: int, tokens: int = NORMAL) -> None:
    """Leave the last run's bridge, at most a minute old: fresh by its time alone."""
    then = time.time() - 20
    scene.transcript.answer(tokens, model=model.removesuffix("[1m]"), at=then)
    scene.client_bridge(tokens, size, model_id=model, age=20, written_at=then)
