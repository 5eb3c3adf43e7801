"""A prompt of a person's, with what its session was like until now."""

import msgspec

from monitor.checkpoints.folder import StoredCheckpoint, folder_of, newest, unacknowledged
from monitor.measuring.snapshot import Snapshot, snapshot_of, tail_of
from monitor.memory.memory import Memory, PromptMemory, SavedLevel
from monitor.session import Conversation, Project, Session
from shared.gauge.verdict import Verdict
from shared.transcript import jsonl
from shared.transcript.line import line_in
from shared.transcript.tail import Tail

_ANSWER, _INTERRUPTION = b'"type":"assistant"', b"[Request interrupted by user"
"""What the client writes behind a prompt that stays in the conversation: an answer, an error, or the person's Esc."""


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
    is_alert_lost: bool = False
    """Whether the last prompt's alert never reached the agent: the prompt was blocked, or taken back at once."""
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
    is_alert_lost = session.attempt(_is_alert_lost, conversation, memory.prompt) or False
    return Prompt(
        conversation,
        session,
        project,
        snapshot.tail if snapshot else tail_of(conversation, session),
        snapshot,
        memory.prompt,
        session.attempt(lambda: _to_tell(conversation.session_id, session, project, is_alert_lost=is_alert_lost)) or (),
        is_alert_lost=is_alert_lost,
    )


def _to_tell(
    session_id: str, session: Session, project: Project | None, *, is_alert_lost: bool
) -> tuple[StoredCheckpoint, ...]:
    if project is None:
        return ()
    folder = folder_of(session, project)
    stored = newest(folder) if is_alert_lost else unacknowledged(folder)
    return tuple(item for item in stored if item.checkpoint.session_info.session_id == session_id)


def _is_alert_lost(conversation: Conversation, memory: PromptMemory | None) -> bool:
    if memory is None or not memory.has_alert:
        return False
    for offset, data in jsonl.newest_first(conversation.transcript):
        if offset < memory.size:
            return True
        line = line_in(data) if _ANSWER in data or _INTERRUPTION in data else None
        if line is not None and not line.isSidechain:
            return False
    return False
