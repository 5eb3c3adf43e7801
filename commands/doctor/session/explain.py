"""Why a warning did or didn't come: everything that decides it, for a session and its subagents."""

import re
from collections.abc import Iterator
from itertools import islice

import msgspec

from commands.doctor import checks
from commands.doctor.finding import CheckFinding, CheckStatus
from commands.doctor.session.next_message import next_message
from commands.environment.environment import Environment, environment_at
from commands.session import transcripts
from commands.session.target import SessionTarget, target_of
from monitor.measuring import subagents
from monitor.measuring.snapshot import Snapshot
from monitor.memory import memory as memories
from monitor.session import Conversation, Session
from shared import effort, gate, paths
from shared.files.lenient import epoch_of
from shared.gauge import bridge as bridges
from shared.gauge import wording
from shared.gauge.levels import Level, begins_at
from shared.gauge.limit import Limit
from shared.gauge.window import Reading, percent_text
from shared.text.quantities import duration_text
from shared.transcript.tail import Tail, read_tail

_HEAD = re.compile(r"CONTEXT WINDOW (?P<head>[A-Z]+ — [0-9.]+% remaining)")
_MOST_MESSAGES, _FARTHEST = 500, 64 << 20
"""Most messages that are counted, and bytes from a transcript's end that are searched for them."""


class Notification(msgspec.Struct, frozen=True):
    """A message of ours as the client recorded it: proof that it reached the conversation."""

    head: str
    timestamp: str
    """ISO 8601, as the client wrote it."""


class Explanation(msgspec.Struct, frozen=True):
    """One conversation: a session, or a subagent of it."""

    id: str
    transcript: str
    bridge: str
    """Text to print, like `tail`, `level` and `next_message`."""
    tail: str
    reading: Reading | None
    level: str
    """The level, and the tokens at which each one begins in this window; empty without a measurement."""
    limit: Limit | None
    gate_limit: int | None
    """Tokens up to which the launcher stays silent; None without a gate."""
    notifications: list[Notification]
    next_message: str
    is_measured: bool
    """Whether the tokens are known, or will be with the next answer, as after a compaction or a rewind to the start."""


class Report(msgspec.Struct, frozen=True):
    """A session with its subagents, and the broken links between it and the client."""

    session: Explanation
    subagents: list[Explanation]
    findings: list[CheckFinding]
    directory: str
    """The directory in which the session's client last worked; empty if the transcript doesn't say."""
    version: str
    project: str
    """The directory whose settings apply to the session; empty if not found, when the person's own apply."""

    @property
    def is_sound(self) -> bool:
        """Whether the session is measured, or will be with its next answer, and no link is broken."""
        has_broken_link = any(finding.status is CheckStatus.WRONG for finding in self.findings)
        return self.session.is_measured and not has_broken_link


def explain(environment: Environment, session_id: str) -> Report:
    """Report on the session called `session_id`. Raises CommandError if there is none, or more than one."""
    target = target_of(environment, session_id)
    origin = transcripts.origin(target.conversation.transcript)
    project = target.session.project
    directory = project or origin.cwd or environment.directory
    there = environment_at(environment.root, directory, target.session.environ, environment.now)
    findings = checks.find(checks.LINKS, there)
    obstacles = [finding for finding in findings if finding.silences]
    conversations = [target.conversation, *subagents.newest(target.conversation)]
    with effort.limited():
        explanations = [_explain_conversation(target, conversation, obstacles) for conversation in conversations]
    wrong = [finding for finding in findings if finding.status in (CheckStatus.WRONG, CheckStatus.WARNING)]
    return Report(explanations[0], explanations[1:], wrong, origin.cwd, origin.version, project)


def _explain_conversation(
    target: SessionTarget, conversation: Conversation, obstacles: list[CheckFinding]
) -> Explanation:
    session, path, is_subagent = target.session, conversation.transcript, conversation.is_subagent
    measurement = target.measurement(conversation)
    tail = measurement.tail if measurement and measurement.tail.ended else None
    tail = tail or read_tail(path, is_subagent=is_subagent)
    bridge = "" if is_subagent else _bridge_text(session, conversation, measurement)
    transcript = _transcript_text(path, tail, session.now)
    memory, last_gate = memories.read(session.root, conversation.id), gate.read(session.root, conversation.id)
    unmeasured = f"the transcript: {transcript}" + (f"; the bridge: {bridge}" if bridge else "")
    return Explanation(
        id=conversation.agent_id or conversation.session_id,
        transcript=path,
        bridge=bridge,
        tail=transcript,
        reading=measurement.reading if measurement else None,
        level=_level_text(session, measurement) if measurement else "",
        limit=measurement.verdict.limit if measurement else None,
        gate_limit=last_gate.limit if last_gate else None,
        notifications=list(islice(_messages(path), _MOST_MESSAGES)),
        next_message=next_message(session.config, obstacles, unmeasured, measurement, memory),
        is_measured=measurement is not None or bool(tail and (tail.answers or tail.compaction)),
    )


def _messages(path: str) -> Iterator[Notification]:
    """Yield our messages in the transcript at `path`, newest first; none if it can't be read."""
    for line in transcripts.newest_lines(path, [wording.OPENING.encode()], _FARTHEST):
        if line.attachment is not None and line.attachment.type == "hook_additional_context":
            head = _HEAD.search("\n".join(line.attachment.texts))
            if head:
                yield Notification(head["head"], line.timestamp)


def _level_text(session: Session, measurement: Snapshot) -> str:
    window = measurement.reading.window
    if window is None:
        return measurement.level.name
    rules = session.config.levels.above(Level.NORMAL)
    begins = [f"{level.name} from {begins_at(rule, window, measurement.limit_tokens):,}" for level, rule in rules]
    return f"{measurement.level.name} ({', '.join(begins)} tokens)"


def _bridge_text(session: Session, conversation: Conversation, measurement: Snapshot | None) -> str:
    """The bridge's value, its age, and whether the monitor uses it."""
    path = paths.bridge(session.root, conversation.session_id, session.config.bridge.directory)
    record = bridges.read(path, conversation.session_id)
    if record is None:
        return "none for this session (headless runs draw no status line)"
    is_used = measurement is not None and measurement.reading.source == "bridge"
    value = f"{percent_text(record.remaining_percentage)}% remaining"
    age = duration_text(session.now - record.timestamp)
    return f"{value}, sampled {age} ago: {'used' if is_used else 'not used'}"


def _transcript_text(path: str, tail: Tail | None, now: float) -> str:
    """The end of the transcript: the newest answer, the newest compaction, the size."""
    if not path:
        return "none is known"
    if tail is None:
        return f"missing or unreadable: {path}"
    parts = []
    if tail.answers:
        newest = tail.answers[0]
        parts.append(f"{newest.tokens:,} tokens in the newest answer{_ago(newest.timestamp, now)}")
        parts.append(newest.model)
    else:
        parts.append("no answer with tokens yet" + (" since the compaction" if tail.compaction else ""))
    if tail.compaction:
        compaction = tail.compaction
        sizes = " → ".join(f"{tokens:,}" for tokens in (compaction.before, compaction.after) if tokens is not None)
        trigger = {"auto": "automatically", "manual": "by hand"}.get(compaction.trigger, "")
        parts.append(" ".join(["compacted", *filter(None, (trigger, sizes))]) + _ago(compaction.timestamp, now))
    return "; ".join([*parts, f"{tail.size:,} bytes"])


def _ago(stamp: str, now: float) -> str:
    at = epoch_of(stamp)
    return "" if at is None else f", {duration_text(now - at)} ago"
