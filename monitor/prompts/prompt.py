"""A prompt of a person's, with what its session was like until now, and what the next prompt has to know of this one.

A client runs the hooks of one session's prompts, compactions and starts one after the other, so the memory of
prompts needs no lock.
"""

import msgspec

from monitor.checkpoints.folder import StoredCheckpoint, folder_of, unacknowledged
from monitor.measuring.measurement import Measurement, measure, tail_of
from monitor.session import Conversation, Project, Session
from shared import files, paths
from shared.reading import Count
from shared.transcript import Tail
from shared.verdict import Verdict


class PromptMemory(msgspec.Struct, frozen=True):
    """Of one session."""

    size: int = 0
    """Bytes of the transcript."""
    tokens: Count | None = None
    """Tokens in the window."""
    is_compacted: bool = False
    """Whether the window was compacted since."""
    told_at: float = 0.0
    """Epoch seconds at which an alert was last given: what was compacted before is told, whenever it is written."""
    offered: str = ""
    """Another session's checkpoint, which this one was told of at its start and before its first prompt."""


class Prompt(msgspec.Struct, frozen=True):
    conversation: Conversation
    session: Session
    project: Project | None
    tail: Tail | None
    measurement: Measurement | None
    """None while nobody knows how full the window is."""
    memory: PromptMemory | None
    """Of the last prompt; None in a session that we have not been in before."""
    unacknowledged: tuple[StoredCheckpoint, ...]
    """The session's own checkpoints that it has not been alerted of, the newest first."""

    @property
    def verdict(self) -> Verdict | None:
        return self.measurement.verdict if self.measurement else None


def prompt_in(conversation: Conversation, session: Session, project: Project | None) -> Prompt:
    """The prompt that is being submitted; what cannot be read counts as not being there."""
    found = session.attempt(measure, conversation, session)
    return Prompt(
        conversation,
        session,
        project,
        found.tail if found else tail_of(conversation, session),
        found,
        session.attempt(read_memory, session.root, conversation.session_id),
        session.attempt(_unacknowledged, conversation.session_id, session, project) or (),
    )


def _unacknowledged(session_id: str, session: Session, project: Project | None) -> tuple[StoredCheckpoint, ...]:
    if project is None:
        return ()
    found = unacknowledged(folder_of(session, project))
    return tuple(item for item in found if item.checkpoint.session_info.session_id == session_id)


def read_memory(root: str, session_id: str) -> PromptMemory | None:
    """The memory of a session; None before its first event, or when it is damaged."""
    return files.load(paths.prompt_memory(root, session_id), PromptMemory, None)


def write_memory(root: str, session_id: str, memory: PromptMemory) -> None:
    """Replace the memory. Raises OSError."""
    files.write_atomic(paths.prompt_memory(root, session_id), msgspec.json.encode(memory))
