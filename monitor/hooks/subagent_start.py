"""The hook at a subagent's start: mark that its events aren't the session's, and tell it how full its caller is."""

from monitor.hook import HookEvent, Reply
from monitor.measuring.learning import learn
from monitor.measuring.snapshot import snapshot_of
from monitor.measuring.sources import note_window
from monitor.measuring.subagents import caller_of
from monitor.memory import memory as memories
from monitor.session import Conversation, Session, conversation_of
from shared import paths
from shared.client import agent_files
from shared.files import files
from shared.gauge.levels import Level
from shared.gauge.verdict import Verdict


class SubagentStartEvent(HookEvent):
    agent_type: str = ""


def handle(event: SubagentStartEvent, session: Session) -> Reply | None:
    """Leave the launcher's mark; return a sentence if the caller has little room."""
    if not paths.is_id(event.session_id):
        return None
    files.write_atomic(paths.subagents_mark(session.root, event.session_id), b"")
    main = Conversation(event.session_id, event.transcript_path)
    agent = conversation_of(event.session_id, event.transcript_path, event.agent_id)
    if agent is None or not agent.is_subagent:
        return None
    caller = session.attempt(caller_of, agent, main, session)
    named = session.attempt(agent_files.model_of, event.agent_type, session.project, session.client_directory)
    session.attempt(note_window, agent, caller or main, session, named or "")
    if caller is None or not (session.config.hooks.subagent_budget and session.config.hooks.context_warnings):
        return None
    snapshot = snapshot_of(caller, session)
    # Right after a compaction the transcript may still be the one from before it.
    if snapshot is None or memories.read(session.root, caller.id).is_newer_than(snapshot.tail, caller.transcript):
        return None
    session.attempt(learn, snapshot)
    if snapshot.level < Level.WARNING or snapshot.verdict.used is None:
        return None
    return Reply(context=budget(snapshot.verdict))


def budget(caller: Verdict) -> str:
    tokens, end = caller.tokens_left, "it is compacted" if caller.continues else "the window ends"
    room = "" if tokens is None else f", with {f'about {tokens:,} tokens' if tokens else 'no room'} left before {end}"
    fill = f"{caller.used}% used ({caller.level.name})"
    return f"Your caller's context window is {fill}{room}. A short answer is best: conclusions and file paths."
