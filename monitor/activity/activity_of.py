"""What the session of an event has done so far."""

from monitor.activity import reader
from monitor.activity.activity import Activity
from monitor.session import Conversation, Session


def activity_of(conversation: Conversation, session: Session) -> Activity:
    """What the session has done; nothing where its transcript cannot be read, or the client keeps none."""
    try:
        return reader.read(session.root, conversation.session_id, conversation.transcript)
    except (OSError, ValueError):
        return Activity()
