"""A prompt of a person's, with what its session was like until now."""

import msgspec

from monitor.checkpoints.folder import Found, folder_of, unacknowledged
from monitor.project import Project
from monitor.prompts import prompt_memory
from monitor.prompts.prompt_memory import PromptMemory
from monitor.session import Conversation, Session
from shared.boundary import attempt
from shared.transcript import Tail, read_tail


class Prompt(msgspec.Struct, frozen=True):
    conversation: Conversation
    session: Session
    project: Project | None
    tail: Tail | None
    memory: PromptMemory | None
    """Of the last prompt; None in a session that we have not been in before."""
    unacknowledged: tuple[Found, ...]
    """The session's own checkpoints that it has not been alerted of, the newest first."""


def prompt_in(conversation: Conversation, session: Session, project: Project | None) -> Prompt:
    """The prompt that is being submitted; what cannot be read counts as not being there."""
    root = session.root
    return Prompt(
        conversation,
        session,
        project,
        read_tail(conversation.transcript),
        attempt("monitor", root, prompt_memory.read, root, conversation.session_id),
        attempt("monitor", root, _unacknowledged, conversation.session_id, session, project) or (),
    )


def _unacknowledged(session_id: str, session: Session, project: Project | None) -> tuple[Found, ...]:
    if project is None:
        return ()
    found = unacknowledged(folder_of(project, session.config.checkpoint.directory))
    return tuple(item for item in found if item.checkpoint.session_info.is_of(session_id))
