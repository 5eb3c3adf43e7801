"""The level's message: at once when a level is reached, and again while what it asks for is undone."""

import time

import msgspec

from monitor import command_line
from monitor.hook import Message
from monitor.measuring.snapshot import Snapshot
from monitor.memory.memory import Memory
from monitor.memory.reminder import Reminder, step
from monitor.speakers import summary_file
from shared.gauge import wording
from shared.gauge.levels import Level
from shared.gauge.verdict import Verdict
from shared.settings.config import Messages
from shared.text.plain import path_end

MOST_MESSAGES = 3
"""Reports of one level in a window cycle, if the checkpoint holds what the agent hasn't saved."""
_SUBAGENT = "This is your own window, not your caller's."
_ADVICE = "Suggestions; the user's instructions take precedence:"


def report_level(snapshot: Snapshot, memory: Memory) -> Message | None:
    session, verdict, answer = snapshot.session, snapshot.verdict, snapshot.tail.answer_in_hand
    is_on = session.config.hooks.context_warnings
    memory.fall(verdict.severity, answer)
    every, most = cadence(snapshot, is_planning=snapshot.is_planning), most_messages(snapshot)
    before = memory.level
    quiet = before.quiet_uses(every, most)
    is_repeated = 0 < verdict.severity <= before.level and quiet is not None and quiet < snapshot.uses
    if is_repeated and summary_file.is_settled(snapshot, memory.summary_file):
        before = msgspec.structs.replace(before, is_done=True)
    memory.level, is_due = step(before, verdict.severity, answer, every=every, most=most, uses=snapshot.uses)
    if verdict.severity == 0 and memory.has_outdated and is_on:
        memory.claim_retraction()
        return Message(wording.RETRACTION)
    if not is_due or not is_on:
        return None
    memory.summary_file = summary_file.current(snapshot)
    project, path = snapshot.project, memory.saved.path if snapshot.level >= Level.CRITICAL else ""
    checkpoint = project.short_path(path) if project else ""
    once = remarks(verdict, retracts=memory.claim_retraction(), is_first=before.notified == 0, checkpoint=checkpoint)
    command = wording.RESUME
    if snapshot.level is Level.EXHAUSTED and not verdict.continues:  # only this message names it
        command = command_line.resume_or_spawn(session, memory.saved.number, snapshot.conversation.session_id)
    return Message(context_warning(verdict, session.config.messages, once, command), is_warning=True)


def is_due(reminder: Reminder, uses: int, snapshot: Snapshot) -> bool:
    """Whether a message may be due `uses` tool uses after a monitor last looked: for a new level, or by its cadence."""
    if snapshot.verdict.severity > reminder.level:
        return True
    level = Level(min(reminder.level, Level.EXHAUSTED))
    rule = snapshot.session.config.levels.rule(level) if level else None
    quiet = reminder.quiet_uses(rule.every, most_messages(snapshot)) if rule else None
    return quiet is not None and quiet < uses


def cadence(snapshot: Snapshot, *, is_planning: bool) -> int | None:
    """Tool uses until the message is repeated; None: never, as it names no file (a subagent) or none can be written."""
    rule = snapshot.session.config.levels.rule(snapshot.level)
    verdict = snapshot.verdict
    if rule is None or verdict.used is None or snapshot.conversation.is_subagent or is_planning:
        return None
    if verdict.reading.window_source.certainty == "assumed":  # the window may be five times as large
        return None
    return rule.every


def most_messages(snapshot: Snapshot) -> int | None:
    """The most reports of a level in one window cycle; None if the session is surely about to end unsaved."""
    limit = snapshot.verdict.limit
    is_end = limit is not None and not limit.is_compacted and limit.certainty != "assumed"
    return None if snapshot.level is Level.EXHAUSTED and is_end else MOST_MESSAGES


def context_warning(
    verdict: Verdict, settings: Messages, remarks: tuple[str, ...] = (), command: str = wording.RESUME
) -> str:
    """The level's message for the agent, without its frame; `command` continues in a new session."""
    lines = [wording.headline(verdict), _facts(verdict), *([_SUBAGENT] if verdict.is_subagent else []), *remarks, ""]
    if caveat := wording.caveat(verdict):
        lines.append(f"{caveat}:")
    elif settings.style == "advisory":
        lines.append(_ADVICE)
    steps = wording.agent_steps(verdict, settings.summary_file, command)
    lines += [f"{number}. {step}" for number, step in enumerate(steps, 1)]
    return "\n".join(lines)


def remarks(verdict: Verdict, *, retracts: bool, is_first: bool, checkpoint: str = "") -> tuple[str, ...]:
    """The remarks before a message's steps; `checkpoint` is a path relative to the project, empty for none."""
    lines = (
        wording.RETRACTION if retracts else "",
        wording.PADDED_REMINDER if is_first and verdict.is_padded_reminder else "",
        f"Checkpoint saved: {path_end(checkpoint, 240)}" if checkpoint else "",
    )
    return tuple(line for line in lines if line)


def frame(text: str) -> str:
    """A warning and its accompanying sentences, between the two lines that identify it in a transcript."""
    return f"{wording.OPENING}\n{text}\n{wording.CLOSING}"


def _facts(verdict: Verdict) -> str:
    """One line on what was measured, where the window ends, and how long it may last."""
    # The time of day, because the client replays this text when a session is resumed.
    sampled = time.strftime("%H:%M:%S UTC", time.gmtime(verdict.reading.sampled_at))
    parts = (
        wording.in_use(verdict.reading),
        wording.to_limit(verdict),
        wording.forecast(verdict),
        f"Measured by {wording.READING_SOURCES[verdict.reading.source]} at {sampled}.",
    )
    return " ".join(part for part in parts if part)
