"""What the agent is told of an ORCHESTRATION.yaml whose state is older than the work."""

from datetime import datetime


def staleness(updated_at: datetime, reference: datetime, checkpoint: str | None) -> str:
    """One line; `checkpoint` is the id of the one that is newer, None where it is the session's start."""
    than = f"checkpoint {checkpoint}" if checkpoint else "the start of this session"
    return (
        f"ORCHESTRATION.yaml was written with a stale resumption section: its updated_at, {_time(updated_at)}, is older"
        f" than {than}, {_time(reference)}. A later session would resume from that older state; bringing the section"
        " and its updated_at up to date avoids this."
    )


def _time(moment: datetime) -> str:
    return moment.isoformat(timespec="seconds")
