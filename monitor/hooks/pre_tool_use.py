"""The hook before a tool runs: the guards of the context window, each for its own tools."""

import msgspec

from monitor.hook import HookEvent, Reply, ToolInput
from monitor.session import Session, conversation_of
from shared import paths
from shared.client import client


class PreToolUseEvent(HookEvent):
    tool_name: str = ""
    tool_use_id: str = ""
    tool_input: ToolInput = msgspec.field(default_factory=ToolInput)


def handle(event: PreToolUseEvent, session: Session) -> Reply | None:
    """Return the guard's reply; None lets the tool run."""
    if event.tool_name in client.LOADING_TOOLS and session.config.hooks.ceiling_guard:
        from monitor.guards import ceiling  # noqa: PLC0415  an event needs one guard only

        # This guard, like the one it replaces, also serves sessions whose id can't be a file name.
        session_id = "".join(c for c in event.session_id if paths.is_id(c))[:128] or "nosession"
        conversation = conversation_of(session_id, event.transcript_path, event.agent_id)
        if conversation is None:
            return None
        return ceiling.check(event.tool_name, event.tool_input, conversation, event.tool_use_id, session)
    if event.tool_name in client.READING_TOOLS and session.config.hooks.read_guard:
        from monitor.guards.reading import reads  # noqa: PLC0415  imports shlex; off by default

        return reads.check(event.tool_name, event.tool_input, event.cwd, session)
    return None
