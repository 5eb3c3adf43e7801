"""A prompt of a person's, with what its session was like until now."""

import msgspec

from monitor.checkpoints.folder import StoredCheckpoint, folder_of, unacknowledged
from monitor.measuring.snapshot import Snapshot, snapshot_of, tail_of
from monitor.memory.memory import Memory, PromptMemory, SavedLevel
from monitor.session import Conversation, Project, Session
from shared.gauge.verdict import Verdict
from shared.transcript.tail import Tail


class Prompt(msgspec.Struct, frozen=True):
    """The prompt that is being submitted."""

    conversation: Conversation
    session: Session
    project: Project | None
    tail: Tail | None
    snapshot: Snapshot | None
    """None while nobody knows how full the window is."""
    memory: PromptMemory | None
    """What the last prompt left; None in a session that we have not been in before."""
    unacknowledged: tuple[StoredCheckpoint, ...]
    """The session's own checkpoints that it has not been alerted of, the newest first."""
    saved: SavedLevel = SavedLevel()
    """This window cycle's checkpoints."""
    is_done: bool = False
    """Whether what the level's message asked for is done."""

    @property
    def verdict(self) -> Verdict | None:
        return self.snapshot.verdict if self.snapshot else None


def prompt_in(conversation: Conversation, session: Session, project: Project | None, memory: Memory) -> Prompt:
    """The prompt that is being submitted; what cannot be read counts as not being there."""
    snapshot = session.attempt(snapshot_of, conversation, session)
    return Prompt(
        conversation,
        session,
        project,
        snapshot.tail if snapshot else tail_of(conversation, session),
        snapshot,
        memory.prompt,
        session.attempt(_unacknowledged, conversation.session_id, session, project) or (),
    )


def _unacknowledged(session_id: str, session: Session, project: Project | None) -> tuple[StoredCheckpoint, ...]:
    if project is None:
        return ()
    stored = unacknowledged(folder_of(session, project))
    return tuple(item for item in stored if item.checkpoint.session_info.session_id == session_id)
