"""Why a warning did or didn't come: everything that decides it, for a session and its subagents."""

import os

import msgspec

from monitor.checkpoints import client_process
from monitor.commands.diagnosis import checks, surroundings, transcripts
from monitor.commands.diagnosis.finding import CheckFinding, CheckStatus
from monitor.commands.diagnosis.surroundings import Surroundings
from monitor.commands.explanation import notifications, search, sources
from monitor.commands.explanation.next_message import NextMessage, next_message
from monitor.commands.explanation.notifications import Notification
from monitor.commands.overview import projects
from monitor.measuring.measurement import Measurement, measure
from monitor.session import Conversation, Session
from monitor.warnings import reminders
from monitor.warnings.reminders import ReminderMemory
from shared import paths, settings
from shared.config import Config
from shared.levels import Level, begins_at
from shared.limit import Limit
from shared.reading import Reading
from shared.transcript import read_tail

_SUBAGENTS = 8
"""The newest ones that are explained."""


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
    remembered: ReminderMemory | None
    gate_limit: int | None
    gate: str
    notified: list[Notification] = msgspec.field(name="told")
    next_message: NextMessage


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


def explain(place: Surroundings, wanted: str) -> Report:
    """The report on the session that `wanted` names. Raises CommandError when that is no session, or more than one."""
    bridges = settings.load(place.root, place.environ, place.directory).config.bridge.directory
    found = search.find(place, wanted, bridges)
    origin = transcripts.origin(found.transcript)
    project = _project(place, found)
    environ = projects.environ_of(project, place.environ)
    config = settings.load(place.root, environ).config
    there = surroundings.look(place.root, project or origin.cwd or place.directory, environ, place.now)
    findings = checks.find(checks.LINKS, there)
    obstacles = [finding for finding in findings if finding.silences]
    session = Session(place.root, config, environ, place.now, project)
    explained = [
        _explained(place, config, conversation, measure(conversation, session, ""), obstacles)
        for conversation in [found, *_subagents(found)]
    ]
    running = [client.pid for client in client_process.running() if origin.cwd and client.directory == origin.cwd]
    wrong = [finding for finding in findings if finding.status in (CheckStatus.WRONG, CheckStatus.WARNING)]
    return Report(explained[0], explained[1:], wrong, origin.cwd, origin.version, running, project)


def _project(place: Surroundings, session: Conversation) -> str:
    """The directory of the session's project, whose settings count for it; empty when it isn't there, or not known."""
    found = projects.of_session(place, session)
    return found if os.path.isdir(found) else ""


def _explained(
    place: Surroundings,
    config: Config,
    conversation: Conversation,
    found: Measurement | None,
    obstacles: list[CheckFinding],
) -> Explanation:
    path = conversation.transcript
    tail = found.tail if found else read_tail(path, is_subagent=conversation.is_subagent)
    bridge = "" if conversation.is_subagent else sources.bridge_text(place, config, conversation, tail, found)
    transcript = sources.transcript_text(path, tail, place.now)
    remembered = reminders.read(place.root, conversation.id)
    unmeasured = f"the transcript: {transcript}" + (f"; the bridge: {bridge}" if bridge else "")
    reading = found.reading if found else None
    return Explanation(
        id=conversation.agent_id or conversation.session_id,
        transcript=path,
        bridge=bridge,
        tail=transcript,
        reading=reading,
        level=found.level.name if found else None,
        begins=_begins(config, reading, found.limit_tokens if found else None),
        limit=found.verdict.limit if found else None,
        remembered=remembered,
        gate_limit=sources.gate_limit(place.root, conversation.id),
        gate=sources.gate_text(place.root, conversation.id),
        notified=notifications.messages(path),
        next_message=next_message(config, obstacles, unmeasured, found, remembered),
    )


def _begins(config: Config, reading: Reading | None, limit: int | None) -> dict[str, int]:
    if reading is None or reading.window is None:
        return {}
    rules = [(level, config.levels.rule(level)) for level in Level]
    return {level.name: begins_at(rule, reading.window, limit) for level, rule in rules if rule is not None}


def _subagents(session: Conversation) -> list[Conversation]:
    """The newest subagents that have a transcript of their own, newest first."""
    directory = os.path.dirname(paths.subagent_transcript(session.transcript, session.session_id, "any"))
    try:
        names = os.listdir(directory)
    except OSError:
        return []
    ids = [name.removeprefix("agent-").removesuffix(".jsonl") for name in names if name.startswith("agent-")]
    found = [
        Conversation(
            session.session_id, paths.subagent_transcript(session.transcript, session.session_id, agent), agent
        )
        for agent in ids
        if paths.is_id(agent)
    ]
    return sorted(found, key=lambda one: transcripts.modified(one.transcript), reverse=True)[:_SUBAGENTS]
