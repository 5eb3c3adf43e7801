"""The checkpoint that comes with CRITICAL and with EXHAUSTED, once each per filling of the window.

Any hook may be the first that sees a level, and several may see it at the same time: what was saved of a filling
stands in a file that they take in turns. A compaction, or a return to NORMAL, begins the next filling.
"""

import os

import msgspec

from monitor import locked_file
from monitor.measuring.measurement import Measurement
from monitor.session import Conversation, Project, Session
from monitor.warnings.reminders import Rank, observed
from shared import files, lenient, paths
from shared.levels import Level
from shared.transcript import Tail

PATIENCE_SECONDS = 30.0
"""After which a save that was begun and not ended is taken up by the next hook; the client gives each hook 10."""


class SavedFilling(msgspec.Struct, frozen=True):
    """What was saved of a session since its window last began to fill."""

    level: Rank = 0
    """The highest level at which a save was begun; 0 before any."""
    path: str = ""
    """The newest checkpoint of these."""
    begun: float = 0.0
    """Epoch seconds at which a save was begun that hasn't ended; 0 when none is under way."""
    compaction: str = ""
    """Id of the newest compaction that was seen."""
    offset: int = 0
    """Byte offset in the transcript of the newest answer that was seen."""


def saved_for(
    conversation: Conversation,
    session: Session,
    project: Project | None,
    level: Level,
    found: Measurement,
) -> str | None:
    """The path of this filling's newest checkpoint, which is written when `level` is the first to call for it.

    `found` is what `level` was judged by. None below CRITICAL, and where nothing is saved: of a subagent, whose window
    ends with it, and with `hooks.checkpoint` off. Raises OSError, OutsideProjectError.
    """
    if conversation.is_subagent or project is None or not session.config.hooks.checkpoint:
        return None
    path = paths.saved_filling(session.root, conversation.session_id)
    if level < Level.CRITICAL and not os.path.exists(path):
        return None
    if not _is_first(path, session.now, level, found.tail):
        return path_of(session.root, conversation.session_id) if level >= Level.CRITICAL else None
    from monitor.checkpoints.save import save  # noqa: PLC0415  30 ms and more, twice in a filling

    saved = save(conversation, session, project, level.name.lower(), found.reading).path
    with locked_file.hold(path) as file:
        known = lenient.decode_or(file.content, SavedFilling, SavedFilling())
        file.content = msgspec.json.encode(msgspec.structs.replace(known, path=saved, begun=0.0))
    return saved


def path_of(root: str, session_id: str) -> str | None:
    """The newest checkpoint that a level has brought in this filling."""
    known = files.load(paths.saved_filling(root, session_id), SavedFilling, None, locked_file.LIMIT)
    return known.path if known and known.level and known.path else None


def forget(root: str, session_id: str) -> None:
    """Begin the next filling, where a compaction is known of that no transcript may tell yet."""
    files.remove(paths.saved_filling(root, session_id))


def _is_first(path: str, now: float, level: Level, tail: Tail | None) -> bool:
    """Whether this process, and no other, is to save at `level`. Raises OSError, TimeoutError."""
    with locked_file.hold(path) as file:
        known = lenient.decode_or(file.content, SavedFilling, SavedFilling())
        seen, is_due = _step(known, level, tail, now)
        file.content = msgspec.json.encode(seen)
    return is_due


def _step(known: SavedFilling, level: Level, tail: Tail | None, now: float) -> tuple[SavedFilling, bool]:
    """What is known after `level` was seen, and whether it is to be saved at."""
    seen = observed(level, tail)
    if seen.offset < known.offset <= seen.size:  # a hook that ran at the same time has seen a newer answer
        return known, False
    if seen.compaction and seen.compaction != known.compaction:
        known = SavedFilling(compaction=seen.compaction)
    if level is Level.NORMAL:
        return SavedFilling(compaction=known.compaction, offset=seen.offset), False
    is_left = known.begun > 0 and now - known.begun > PATIENCE_SECONDS
    is_due = level >= Level.CRITICAL and (level > known.level or is_left)
    reached = msgspec.structs.replace(known, offset=seen.offset)
    return (msgspec.structs.replace(reached, level=int(level), begun=now) if is_due else reached), is_due
