"""After a file was written: a warning about an ORCHESTRATION.yaml whose state is older than the work.

Registered for the tools that write, beside the hook of every tool use: that one's launcher may leave at once.
"""

import msgspec

from monitor.checkpoints.orchestration import NAME
from monitor.checkpoints.staleness import staleness_warning
from monitor.hook import Reply
from monitor.session import Session


class StalenessEvent(msgspec.Struct, frozen=True):
    """PostToolUse of a tool that writes files."""

    session_id: str
    transcript_path: str | None = None
    cwd: str | None = None
    tool_input: msgspec.Raw = msgspec.Raw(b"{}")


Event = StalenessEvent


def handle(event: StalenessEvent, session: Session) -> Reply | None:
    """One line, once for each state of the file."""
    if not session.config.hooks.staleness or NAME.encode() not in bytes(event.tool_input):
        return None
    said = staleness_warning(
        event.session_id, event.transcript_path or "", event.cwd or "", bytes(event.tool_input), session
    )
    return Reply(context=said) if said else None
