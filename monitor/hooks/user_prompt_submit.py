"""The hook at each prompt: tell how full the window is and, once after a compaction, what was saved before it."""

import os

import msgspec

from monitor import command_line
from monitor.activity.requests import is_typed
from monitor.checkpoints import client_process
from monitor.checkpoints.at_level import save_at_level
from monitor.checkpoints.folder import folder_of, mark
from monitor.hook import HookEvent, Reply
from monitor.memory import memory as memories
from monitor.memory.memory import LARGE_BYTES, CompactionTimes, LockedMemory, Memory, PromptMemory, SavedLevel
from monitor.pivot.check_level import check_level
from monitor.prompts.compaction import unreported_compaction
from monitor.prompts.cost import cost_notice
from monitor.prompts.prompt import Prompt, prompt_in
from monitor.prompts.tag import tag_for
from monitor.session import Conversation, Session, conversation_of, project_of
from shared import gate, paths
from shared.client import client
from shared.gauge import wording
from shared.process.boundary import report
from shared.project_files import RESUMED


class UserPromptSubmitEvent(HookEvent):
    prompt: str = ""
    source: str = ""


def handle(event: UserPromptSubmitEvent, session: Session) -> Reply | None:
    """Return the tag, the alert and the notice, each of which fails alone; None for a prompt that nobody typed."""
    hooks = session.config.hooks
    conversation = conversation_of(event.session_id, event.transcript_path, event.agent_id)
    if conversation is None or conversation.is_subagent or not is_typed(event.prompt, event.source):
        return None
    if not (hooks.prompt_tag or hooks.compaction_alert or hooks.pivot or hooks.checkpoint or hooks.notices):
        return None
    if not os.path.exists(paths.session_run(session.root, event.session_id)):  # 2.1.197 starts a fork under another id
        session.attempt(client_process.begin_run, session, event.session_id)
    try:
        with memories.locked(session.root, conversation.id) as lock:
            return _answer(event, conversation, session, lock)
    except OSError as problem:  # home can't be written to
        report("monitor", session.root, problem)
        return _answer(event, conversation, session, LockedMemory())


def _answer(
    event: UserPromptSubmitEvent, conversation: Conversation, session: Session, lock: LockedMemory
) -> Reply | None:
    hooks, memory, typed = session.config.hooks, lock.memory, event.prompt
    prompt = prompt_in(conversation, session, project_of(session, event.cwd), memory)
    if len(typed) >= LARGE_BYTES:  # the transcript may lack it at the next tool use, which must then check
        memory.pending_bytes = len(typed.encode("utf-8", "replace"))
        gate.remove(session.root, conversation.id)
    compaction = session.attempt(unreported_compaction, prompt)
    is_observed = memory.observe(prompt.tail, conversation.transcript)
    if prompt.is_last_lost and prompt.memory is not None and prompt.memory.has_retraction:
        memory.has_outdated = True  # what the last prompt retracted must be retracted again
    if prompt.verdict is not None and is_observed:
        memory.fall(prompt.verdict.severity)
    if compaction is not None:
        memory.saved = SavedLevel()  # the transcript may still be the one from before the compaction
    elif prompt.snapshot is not None and is_observed:
        snapshot = msgspec.structs.replace(prompt.snapshot, working_directory=event.cwd, uses=0)
        session.attempt(save_at_level, snapshot, lock)
        session.attempt(check_level, snapshot, memory)
    notice = session.attempt(_notice, prompt, typed, memory) or ""
    alert: str | None = ""
    if compaction and hooks.compaction_alert:
        from monitor.prompts.alert import deliver_alert  # noqa: PLC0415  10 ms, only at a compaction's next prompt

        alert = session.attempt(deliver_alert, prompt, compaction)
    tag = session.attempt(tag_for, prompt, memory) if hooks.prompt_tag else ""
    retracts = hooks.context_warnings and prompt.verdict is not None and memory.claim_retraction()
    session.attempt(lambda: _remember(prompt, memory, alert, has_tag=bool(tag), has_retraction=retracts))
    context = "\n".join(part for part in (wording.RETRACTION if retracts else "", tag, alert) if part)
    return Reply(context, notice) if context or notice else None


def _notice(prompt: Prompt, typed: str, memory: Memory) -> str:
    """The text for the person: the report that they asked for, or what has happened since their last prompt."""
    hooks = prompt.session.config.hooks
    pivot_notice, memory.pivot_notice = memory.pivot_notice, None
    export, memory.pivot_export = memory.pivot_export, ""
    if typed.startswith("/"):
        from monitor.prompts import token_status  # noqa: PLC0415  only when asked for

        if token_status.is_asked(typed):
            return token_status.report(prompt.conversation, prompt.session, prompt.snapshot, typed)
    if not hooks.notices:
        return ""
    news, session = "", prompt.session
    if pivot_notice is not None and hooks.pivot:
        from monitor.exporting import progress  # noqa: PLC0415  only with news
        from monitor.pivot.messages import export_path, for_person  # noqa: PLC0415  only with news

        if export and prompt.project:
            pivot_notice = progress.news(session.root, export, export_path(export, prompt.project))
        path = prompt.project.short_path(memory.saved.path) if prompt.project else ""
        command = command_line.resume_or_spawn(session, memory.saved.number, prompt.conversation.session_id)
        news = for_person(prompt.verdict, pivot_notice, path, command)
    cost = session.attempt(lambda: cost_notice(prompt, memory, is_alone=not news))
    return "\n".join(part for part in (news, cost) if part)


def _remember(prompt: Prompt, memory: Memory, alert: str | None, *, has_tag: bool, has_retraction: bool) -> None:
    """Save the state of this prompt for the next one, when an alert that failed (`alert` is None) is due again."""
    session, before = prompt.session, prompt.memory
    # A headless run (claude -p) may be about anything, so the work still waits for another session.
    if before is not None and before.offered and prompt.project is not None and not client.is_headless(session.environ):
        mark(folder_of(session, prompt.project), before.offered, RESUMED)
    # A compaction of the session's own that hasn't ended was cancelled with Esc.
    memory.compaction_times = CompactionTimes(subagents=memory.compaction_times.subagents)
    last, verdict = memory.prompt or PromptMemory(), prompt.verdict
    memory.prompt = PromptMemory(
        size=prompt.tail.size,
        # With an alert the transcript may still be the one from before the compaction.
        tokens=verdict.reading.tokens if verdict and not alert else None,
        is_compacted=alert is None,
        # A fork has no transcript yet; the compactions that it will inherit were its parent's to report.
        alerted_at=session.now if alert or prompt.tail.size <= 0 else last.alerted_at,
        has_alert=bool(alert),
        has_retraction=has_retraction,
        tagged=verdict.severity if has_tag and verdict else last.tagged,
        cost_tokens=last.cost_tokens,
    )
