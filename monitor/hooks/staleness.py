"""After a file was written: a warning about an ORCHESTRATION.yaml whose state is older than the work.

Registered for the tools that write, next to the hook of every tool use: that one's launcher may leave at once.
"""

import msgspec

from monitor.checkpoints.project.orchestration import NAME
from monitor.checkpoints.project.staleness import staleness_warning
from monitor.hook import HookEvent, Reply
from monitor.memory import memory as memories
from monitor.session import Session
from shared import paths


class StalenessEvent(HookEvent):
    """PostToolUse of a tool that writes files."""

    tool_input: msgspec.Raw = msgspec.Raw(b"{}")


def handle(event: StalenessEvent, session: Session) -> Reply | None:
    """One line, once for each state of the file."""
    is_ours = session.config.hooks.staleness and NAME.encode() in bytes(event.tool_input)
    if not is_ours or not paths.is_id(event.session_id):
        return None
    with memories.locked(session.root, event.session_id) as lock:
        tool_input = bytes(event.tool_input)
        warning = staleness_warning(event.transcript_path, event.cwd, tool_input, session, lock.memory)
    return Reply(context=warning) if warning else None
