"""The checkpoint that comes with CRITICAL and with EXHAUSTED, once each in a window cycle, whichever hook is first."""

import msgspec

from monitor.measuring.snapshot import Snapshot
from monitor.memory.memory import LockedMemory, SavedLevel
from shared.gauge.levels import Level

RETRY_SECONDS = 30.0
"""After which a save that failed is tried again; the client gives each hook 10."""


def save_at_level(snapshot: Snapshot, lock: LockedMemory) -> str:
    """The path of this window cycle's newest checkpoint, which is written where the level is the first to call for it.

    Empty below CRITICAL, and where nothing is saved: of a subagent, whose window ends with it, and with
    `hooks.checkpoint` off. Raises OSError, OutsideProjectError.
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
        from monitor.checkpoints.save import save  # noqa: PLC0415  30 ms and more, twice in a window cycle

        memory.saved = msgspec.structs.replace(memory.saved, tried_at=now)
        lock.write()  # what follows may fail, or take so long that the client ends us
        stored = save(snapshot.conversation, snapshot.session, project, level.name.lower(), snapshot.verdict)
        memory.saved = SavedLevel(level, stored.path, stored.number)
    return memory.saved.path
