"""Save a checkpoint at CRITICAL and at EXHAUSTED, once each in a window cycle, from whichever hook comes first."""

import msgspec

from monitor.measuring.snapshot import Snapshot
from monitor.memory.memory import LockedMemory, SavedLevel
from shared.gauge.levels import Level

RETRY_SECONDS = 30.0
"""Seconds after which a failed save is retried; the client gives each hook 10."""


def save_at_level(snapshot: Snapshot, lock: LockedMemory) -> str:
    """Save a checkpoint if the level is reached for the first time; return the path of this window cycle's newest.

    Empty below CRITICAL and if nothing is saved: for a subagent, whose window ends with it, or with `hooks.checkpoint`
    off. Raises OSError, OutsideProjectError.
    """
    memory, level, now = lock.memory, snapshot.level, snapshot.session.now
    if snapshot.conversation.is_subagent or not snapshot.session.config.hooks.checkpoint:
        return ""
    if level is Level.NORMAL:
        memory.saved = SavedLevel()
    if level < Level.CRITICAL:
        return ""
    project = snapshot.project if level > memory.saved.level else None
    if project is not None and abs(now - memory.saved.tried_at) > RETRY_SECONDS:  # the clock may have been ahead
        from monitor.checkpoints.save import save  # noqa: PLC0415  30 ms or more, needed twice in a window cycle

        memory.saved = msgspec.structs.replace(memory.saved, tried_at=now)
        lock.write()  # the save may fail, or take so long that the client kills us
        stored = save(snapshot.conversation, snapshot.session, project, level.name.lower(), snapshot.verdict)
        memory.saved = SavedLevel(level, stored.path, stored.number)
    return memory.saved.path
