"""What the agent reads, from the program itself."""

from docs.drawing import film
from docs.markdown import block
from monitor.speakers import messages
from shared.gauge.levels import Level
from shared.gauge.limit import Limit
from shared.gauge.verdict import Verdict
from shared.gauge.window import Reading
from shared.settings.config import Messages

SAMPLED_AT = 1_795_274_430
"""Epoch seconds; any fixed time does."""
_LIMIT = Limit(167_000, "catalogue", is_compacted=True)


def warning() -> str:
    """The WARNING of the picture's session, as its process answers."""
    return block(film.warning())


def subagent_warning() -> str:
    """A CRITICAL for a subagent."""
    reading = Reading(24, 152_000, 200_000, "transcript", "api-request", SAMPLED_AT)
    verdict = Verdict(reading, Level.CRITICAL, _LIMIT, is_subagent=True)
    return block(messages.framed(messages.context_warning(verdict, Messages())))
