"""A session measured as its next hook would, without leaving a trace."""

from monitor.commands.diagnosis.surroundings import Surroundings
from monitor.measuring.measurement import Measurement, measure
from monitor.session import Conversation, Session
from shared.config import Config


def measured(place: Surroundings, config: Config, conversations: list[Conversation]) -> list[Measurement | None]:
    """What the monitor would measure now of each conversation of one session."""
    session = Session(place.root, config, place.environ, place.now)
    return [measure(conversation, session, "") for conversation in conversations]
