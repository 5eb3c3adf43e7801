"""A scene's snapshot, taken as a hook takes it."""

import os
import time
from typing import Any

from monitor.measuring.snapshot import Snapshot, snapshot_of
from monitor.session import Conversation, Session
from shared.settings import settings
from tests.monitor.scene import Scene


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
