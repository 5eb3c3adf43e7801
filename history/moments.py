"""Times, from the client's form to ours."""

from datetime import UTC, datetime


def seconds(timestamp: str) -> int | None:
    """Epoch seconds of an ISO 8601 time; None for anything else."""
    try:
        moment = datetime.fromisoformat(timestamp)
        return int((moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp())
    except (ValueError, OverflowError):
        return None
