"""After every tool use, also a failing one: tells the agent when its context window runs low."""

import os
from typing import Any

import msgspec

from monitor.checkpoints.at_level import saved_for
from monitor.hook import Reply
from monitor.measuring.learning import learn
from monitor.measuring.measurement import Measurement, measure
from monitor.session import Conversation, Session, conversation_of, project_of
from monitor.warnings import gate, limits, messages, notification, reminders
from shared import paths, pruning
from shared.boundary import report
from shared.lenient import text
from shared.levels import Level, first_level


class PostToolUseEvent(msgspec.Struct, frozen=True):
    """PostToolUse, or PostToolUseFailure, whose `error` takes the place of the response."""

    session_id: str
    transcript_path: Any = None
    tool_use_id: Any = None
    agent_id: str | None = None
    cwd: Any = None
    tool_input: msgspec.Raw = msgspec.Raw(b"")
    tool_response: msgspec.Raw = msgspec.Raw(b"")
    error: msgspec.Raw = msgspec.Raw(b"")


Event = PostToolUseEvent


def handle(event: PostToolUseEvent, session: Session) -> Reply | None:
    """What is due to be told of the conversation's level, of the pivot's, and of a file that was just written."""
    conversation = conversation_of(event.session_id, text(event.transcript_path), event.agent_id)
    if conversation is None:
        return None
    hooks = session.config.hooks
    is_pivoting = hooks.pivot and not conversation.is_subagent
    found = None
    if hooks.context_warnings or hooks.checkpoint or is_pivoting or hooks.desktop_notification:
        found = session.attempt(measure, conversation, session, text(event.tool_use_id), _result_bytes(event))
    warning: str | None = None
    notified: str | None = None
    beside = []
    if found is not None:
        session.attempt(learn, conversation, session, found)
        saved = session.attempt(_saved, conversation, session, found, event)
        warning = session.attempt(_warned, conversation, session, found, saved or "")
        if hooks.context_warnings:
            beside.append(session.attempt(limits.due, conversation, session, found.bridge))
        used = found.reading.used
        notified = session.attempt(notification.due, conversation, session, found.level, used, found.tail)
    is_told = bool(found and not warning and _was_told_beside(conversation, session, found))
    if is_pivoting and not is_told and _concerns_pivot(conversation, session, found):
        beside.append(session.attempt(_pivoted, conversation, session, found, event))
    if hooks.staleness and b"ORCHESTRATION.yaml" in bytes(event.tool_input) and not event.error:
        beside.append(session.attempt(_stale, event, session))
    context = "\n".join(part for part in (warning, *beside) if part)
    if not context and not notified:
        return None
    return Reply(messages.framed(context) if warning else context, terminal=notified or "")


def _saved(conversation: Conversation, session: Session, found: Measurement, event: PostToolUseEvent) -> str:
    """Save what the level calls for; where this filling's checkpoint lies, as the project's people write it."""
    project = project_of(session, text(event.cwd))
    path = saved_for(conversation, session, project, found.level, found)
    return project.shown(path) if project and path else ""


def _warned(conversation: Conversation, session: Session, found: Measurement, saved: str) -> str:
    if found.level is Level.NORMAL:
        _be_silent(conversation, session, found)
        return ""
    gate.remove(session.root, conversation.id)
    remarks = _due(conversation, session, found) if session.config.hooks.context_warnings else None
    if remarks is None:
        return ""
    return messages.context_warning(found.verdict, session.config.messages, (*remarks, *messages.saved_in(saved)))


def _was_told_beside(conversation: Conversation, session: Session, found: Measurement) -> bool:
    """Whether another tool use of this batch carries the message, with which the pivot's part comes."""
    if found.level is Level.NORMAL or not session.config.hooks.context_warnings:
        return False
    seen = reminders.observed(found.verdict.rank, found.tail)
    return reminders.was_told(session.root, conversation.id, seen)


def _concerns_pivot(conversation: Conversation, session: Session, found: Measurement | None) -> bool:
    """Whether its first level may be reached, or was and has to be forgotten; far from it this costs nothing."""
    used = found.verdict.used if found else None
    if found is None or (used is not None and used >= session.config.pivot.levels.warning - 1):
        return True
    if not os.path.exists(paths.pivot_reminder(session.root, conversation.id)):
        return False
    from monitor.pivot.state import is_at_rest  # noqa: PLC0415  only for a session that was near its levels

    return not is_at_rest(session.root, conversation.id)


def _pivoted(conversation: Conversation, session: Session, found: Measurement | None, event: PostToolUseEvent) -> str:
    from monitor.pivot.watch import watch  # noqa: PLC0415  only near its levels

    return watch(conversation, session, found, text(event.cwd))


def _stale(event: PostToolUseEvent, session: Session) -> str:
    """What the hook of its own (hooks/staleness.py) would say; whichever comes first says it."""
    from monitor.checkpoints.staleness import staleness_warning  # noqa: PLC0415  only for such a file

    return staleness_warning(
        event.session_id, text(event.transcript_path), text(event.cwd), bytes(event.tool_input), session
    )


def _be_silent(conversation: Conversation, session: Session, found: Measurement) -> None:
    """Re-arm, and let the launcher be silent for as long as no level can be reached."""
    if reminders.exists(session.root, conversation.id):
        with reminders.hold(session.root, conversation.id) as held:
            held.memory, _ = reminders.step(held.memory, reminders.observed(found.level, found.tail), None)
    reading, tail = found.reading, found.tail
    if tail is None or tail.tokens is None or reading.tokens is None or reading.window is None:
        return
    if not gate.exists(session.root, conversation.id):
        pruning.prune(paths.run_directory(session.root), session.now)
    first = first_level(session.config.levels, reading.window, found.limit_tokens)
    if session.config.hooks.pivot and not conversation.is_subagent:
        first = min(first, int(reading.window * session.config.pivot.levels.alert / 100))
    tokens = max(reading.tokens, tail.tokens)
    gate.write(session, conversation, tail, tokens, first)


def _due(conversation: Conversation, session: Session, found: Measurement) -> tuple[str, ...] | None:
    """What a message that is due now has to say beside its level; None while none is due."""
    rule, verdict = session.config.levels.rule(found.level), found.verdict
    every = rule.every if rule and verdict.used is not None else None
    seen = reminders.observed(verdict.rank, found.tail)
    try:
        with reminders.hold(session.root, conversation.id) as held:
            before = reminders.aged(held.memory, seen)
            held.memory, is_due = reminders.step(held.memory, seen, every)
    except TimeoutError:
        raise  # somebody holds it: the others of this batch are told
    except OSError as problem:  # a home that cannot be written to: rather told too often than never
        report("monitor", session.root, problem)
        return ()
    return messages.remarks(verdict, before) if is_due else None


def _result_bytes(event: PostToolUseEvent) -> int:
    """Bytes of the tool result, or of the error in its place: no answer has counted them yet."""
    return len(bytes(event.tool_response)) + len(bytes(event.error))
