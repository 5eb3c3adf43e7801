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


def measured(scene: Scene, agent_id: str | None = None, tool_use_id: str = "", **changes: Any) -> Snapshot | None:
    own = scene.transcript.subagent(agent_id) if agent_id else scene.transcript
    return snapshot_of(
        Conversation(scene.session_id, str(own.path), agent_id), session_of(scene), tool_use_id, **changes
    )
