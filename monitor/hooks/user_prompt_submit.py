"""With each prompt of a person's: how full the window is, and once after a compaction what was saved before it."""

from typing import Any

import msgspec

from monitor.activity.client_prompts import is_clients_own
from monitor.checkpoints.at_level import forget, path_of, saved_for
from monitor.checkpoints.folder import folder_of, take
from monitor.hook import Reply
from monitor.prompts.compaction import UntoldCompaction, untold_compaction
from monitor.prompts.prompt import Prompt, PromptMemory, prompt_in, write_memory
from monitor.prompts.tag import tagged
from monitor.session import Session, conversation_of, project_of
from monitor.warnings.reminders import observed, take_back
from shared import client, wording
from shared.lenient import text


class UserPromptSubmitEvent(msgspec.Struct, frozen=True):
    """UserPromptSubmit."""

    session_id: str
    transcript_path: Any = None
    cwd: Any = None
    prompt: Any = None
    source: Any = None
    agent_id: str | None = None


Event = UserPromptSubmitEvent


def handle(event: UserPromptSubmitEvent, session: Session) -> Reply | None:
    """The tag, the alert and the notice, each of which fails alone; nothing with a prompt that nobody has typed."""
    conversation = conversation_of(event.session_id, text(event.transcript_path), event.agent_id)
    if conversation is None or conversation.is_subagent or is_clients_own(text(event.prompt), text(event.source)):
        return None
    hooks = session.config.hooks
    if not (hooks.prompt_tag or hooks.compaction_alert or hooks.pivot or hooks.checkpoint):
        return None
    prompt = prompt_in(conversation, session, project_of(session, text(event.cwd)))
    notice = (session.attempt(_notice, prompt, text(event.prompt)) if hooks.pivot else "") or ""
    if not (hooks.prompt_tag or hooks.compaction_alert or hooks.checkpoint):
        return Reply(notice=notice) if notice else None
    newest = prompt.unacknowledged[0] if prompt.unacknowledged else None
    found = session.attempt(untold_compaction, prompt.memory, prompt.tail, conversation.transcript, newest)
    session.attempt(_saved if found is None else _forget, prompt)
    told = session.attempt(_alerted, prompt, found) if found and hooks.compaction_alert else ""
    tag = session.attempt(tagged, prompt) if hooks.prompt_tag else ""
    session.attempt(_remember, prompt, told)
    context = "\n".join(part for part in (tag, told) if part)
    takes_back = session.attempt(_takes_back, prompt) if context else False
    if takes_back:
        context = f"{wording.TAKEN_BACK}\n{context}"
    return Reply(context, notice) if context or notice else None


def _notice(prompt: Prompt, typed: str) -> str:
    """What the person sees: the report that they ask for, or what has happened since their last prompt."""
    from monitor.pivot.state import take_notice  # noqa: PLC0415  it is one of several parts

    conversation, session = prompt.conversation, prompt.session
    kept = take_notice(session.root, conversation.session_id)
    if typed.startswith("/"):
        from monitor.pivot.asked import is_asked, report  # noqa: PLC0415  only for who asks

        if is_asked(typed):
            return report(conversation, session, prompt.measurement, typed)
    if kept is None:
        return ""
    from monitor.pivot.messages import for_person  # noqa: PLC0415  only with news

    path = path_of(session.root, conversation.session_id)
    return for_person(prompt.verdict, kept, prompt.project.shown(path) if prompt.project and path else "")


def _takes_back(prompt: Prompt) -> bool:
    """Whether a message that stands in the conversation says what no longer holds."""
    if prompt.verdict is None:
        return False
    seen = observed(prompt.verdict.rank, prompt.tail)
    return take_back(prompt.session.root, prompt.conversation.id, seen)


def _alerted(prompt: Prompt, found: UntoldCompaction) -> str:
    from monitor.prompts.alert import alerted  # noqa: PLC0415  10 ms that only a compaction's next prompt pays

    return alerted(prompt, found)


def _saved(prompt: Prompt) -> None:
    found = prompt.measurement
    if found is not None:
        saved_for(prompt.conversation, prompt.session, prompt.project, found.level, found)


def _forget(prompt: Prompt) -> None:
    """Begin the next filling: the transcript may still be that from before the compaction."""
    forget(prompt.session.root, prompt.conversation.session_id)


def _remember(prompt: Prompt, told: str | None) -> None:
    """Have the next prompt know what this one saw; what could not be told now (`told` is None) is told then."""
    session, tail = prompt.session, prompt.tail
    # A run without a person at it (claude -p) may be about anything: who goes on with the work is somebody else.
    is_scripted = session.environ.get(client.ENTRY_POINT_VARIABLE, "").startswith("sdk")
    if prompt.memory is not None and prompt.memory.offered and prompt.project is not None and not is_scripted:
        take(folder_of(session, prompt.project), prompt.memory.offered)
    memory = PromptMemory(
        size=tail.size if tail else 0,
        # With an alert the transcript may still be that from before the compaction.
        tokens=tail.tokens if tail and not told else None,
        is_compacted=told is None,
        told_at=session.now if told else prompt.memory.told_at if prompt.memory else 0.0,
    )
    write_memory(session.root, prompt.conversation.session_id, memory)
