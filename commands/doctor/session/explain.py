"""Why a warning did or didn't come: everything that decides it, for a session and its subagents."""

import os
import re
from collections.abc import Iterator
from itertools import islice

import msgspec

from commands.doctor import checks
from commands.doctor.finding import CheckFinding, CheckStatus
from commands.doctor.session import sources
from commands.doctor.session.next_message import NextMessage, next_message
from commands.environment.environment import Environment, environment_at
from commands.session import transcripts
from commands.session.target import SessionTarget, target_of
from monitor.checkpoints import client_process
from monitor.memory import memory as memories
from monitor.memory.memory import Memory
from monitor.session import Conversation
from shared import effort, gate, paths
from shared.gauge import wording
from shared.gauge.levels import Level, begins_at
from shared.gauge.limit import Limit
from shared.gauge.window import Reading
from shared.settings.config import Config
from shared.transcript.tail import read_tail

_SUBAGENTS = 8
"""The newest ones that are explained."""
_HEAD = re.compile(r"CONTEXT WINDOW (?P<head>[A-Z]+ — [0-9.]+% remaining)")
_MOST_MESSAGES, _FARTHEST = 500, 64 << 20
"""Messages that are counted, and bytes from a transcript's end in which they are looked for."""


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
    """Each of these in words, as they are printed."""
    tail: str
    reading: Reading | None
    level: str | None
    begins: dict[str, int]
    """Tokens at which each level begins in this window."""
    limit: Limit | None
    remembered: Memory | None
    gate_limit: int | None
    """Tokens up to which the launcher stays silent; None without a gate."""
    gate: str
    notifications: list[Notification]
    next_message: NextMessage
    is_compacted: bool
    """Whether nothing was answered since the newest compaction, so that the tokens can't be known yet."""


class Report(msgspec.Struct, frozen=True):
    """A session with its subagents, and the broken links between it and the client."""

    session: Explanation
    subagents: list[Explanation]
    findings: list[CheckFinding]
    directory: str
    """Where the session's client was last working; empty when the transcript doesn't tell."""
    version: str
    clients: list[int]
    """Process ids of clients that run in that directory: perhaps this session's."""
    project: str
    """The directory whose settings count for the session; empty when it can't be found, and the person's own count."""

    @property
    def is_sound(self) -> bool:
        """Whether the session is measured, or will be with its next answer, and no link is broken."""
        is_measured = self.session.reading is not None or self.session.is_compacted
        return is_measured and all(finding.status is not CheckStatus.WRONG for finding in self.findings)


def explain(environment: Environment, wanted: str) -> Report:
    """The report on the session that `wanted` names. Raises CommandError when that is no session, or more than one."""
    target = target_of(environment, wanted)
    origin = transcripts.origin(target.conversation.transcript)
    project = target.session.project
    directory = project or origin.cwd or environment.directory
    there = environment_at(environment.root, directory, target.session.environ, environment.now)
    findings = checks.find(checks.LINKS, there)
    obstacles = [finding for finding in findings if finding.silences]
    conversations = [target.conversation, *_subagents(target.conversation)]
    with effort.limited():
        explanations = [_explained(environment, target, conversation, obstacles) for conversation in conversations]
    running = [client.pid for client in client_process.running() if origin.cwd and client.directory == origin.cwd]
    wrong = [finding for finding in findings if finding.status in (CheckStatus.WRONG, CheckStatus.WARNING)]
    return Report(explanations[0], explanations[1:], wrong, origin.cwd, origin.version, running, project)


def _explained(
    environment: Environment, target: SessionTarget, conversation: Conversation, obstacles: list[CheckFinding]
) -> Explanation:
    config, path = target.session.config, conversation.transcript
    measurement = target.measurement(conversation)
    tail = measurement.tail if measurement else read_tail(path, is_subagent=conversation.is_subagent)
    is_main = not conversation.is_subagent
    bridge = sources.bridge_text(environment, config, conversation, tail, measurement) if is_main else ""
    transcript = sources.transcript_text(path, tail, environment.now)
    memory, last_gate = memories.read(environment.root, conversation.id), gate.read(environment.root, conversation.id)
    gate_text = "none: the next tool use starts the monitor"
    if last_gate:
        gate_text = f"the launcher stays silent while {last_gate.limit:,} tokens can't have been reached"
    unmeasured = f"the transcript: {transcript}" + (f"; the bridge: {bridge}" if bridge else "")
    reading = measurement.reading if measurement else None
    return Explanation(
        id=conversation.agent_id or conversation.session_id,
        transcript=path,
        bridge=bridge,
        tail=transcript,
        reading=reading,
        level=measurement.level.name if measurement else None,
        begins=_begins(config, reading, measurement.limit_tokens if measurement else None),
        limit=measurement.verdict.limit if measurement else None,
        remembered=memory,
        gate_limit=last_gate.limit if last_gate else None,
        gate=gate_text,
        notifications=list(islice(_messages(path), _MOST_MESSAGES)),
        next_message=next_message(config, obstacles, unmeasured, measurement, memory),
        is_compacted=bool(tail and tail.compaction and not tail.answers),
    )


def _begins(config: Config, reading: Reading | None, limit: int | None) -> dict[str, int]:
    if reading is None or reading.window is None:
        return {}
    rules = config.levels.above(Level.NORMAL)
    return {level.name: begins_at(rule, reading.window, limit) for level, rule in rules}


def _messages(path: str) -> Iterator[Notification]:
    """The messages in the transcript at `path`, newest first; none where it cannot be read."""
    for line in transcripts.newest_lines(path, [wording.OPENING.encode()], _FARTHEST):
        if line.attachment is not None and line.attachment.type == "hook_additional_context":
            head = _HEAD.search("\n".join(line.attachment.texts))
            if head:
                yield Notification(head["head"], line.timestamp)


def _subagents(session: Conversation) -> list[Conversation]:
    """The newest subagents that have a transcript of their own, newest first."""
    folder = os.path.dirname(paths.subagent_transcript(session.transcript, session.session_id, "any"))
    names = [(path, transcripts.session_of(path)) for path in transcripts.in_folder(folder)]
    agents = [(path, name.removeprefix("agent-")) for path, name in names if name.startswith("agent-")]
    return [Conversation(session.session_id, path, agent) for path, agent in agents if paths.is_id(agent)][:_SUBAGENTS]
