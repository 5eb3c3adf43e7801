"""Times as the client writes them."""

from datetime import UTC, datetime


def epoch_of(timestamp: str) -> float | None:
    """Epoch seconds of an ISO 8601 time, in UTC where it names no zone; None for anything else."""
    try:
        moment = datetime.fromisoformat(timestamp)
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
    except (ValueError, OverflowError):
        return None


def seconds_of(timestamp: str) -> int | None:
    """The same in whole seconds."""
    found = epoch_of(timestamp)
    return None if found is None else int(found)
