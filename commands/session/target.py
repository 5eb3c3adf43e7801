"""The session that a command is about: the one named, the one that runs the command, or the project's newest."""

import os
import re
from contextlib import suppress
from glob import escape, glob

import msgspec

from commands.command import USAGE, CommandError
from commands.environment import client_settings
from commands.environment.environment import Environment
from commands.session import projects, transcripts
from installer.layout import user_name
from monitor.measuring.snapshot import Snapshot, snapshot_of
from monitor.session import Conversation, Project, Session, project_of
from shared import gate, paths
from shared.client import client
from shared.files import files
from shared.gauge import bridge
from shared.settings import settings

_STATE = re.compile(r"(?:claude-ctx|memory|gate|subagents)-([A-Za-z0-9_-]+)(?:\..*)?")
_OF_WINDOW = {*gate.VARIABLES, client.FIRST_PARTY_VARIABLE} - {client.PROCESS_VARIABLE}
"""Variables taken from the client's settings; others might name a program, or another session's process."""


class SessionTarget(msgspec.Struct, frozen=True):
    """A session and the settings that apply to it, for `status`, `doctor --session` and `watch`."""

    conversation: Conversation
    session: Session
    how: str
    """How the session was chosen."""
    directory: str
    """The project's directory, which may be gone; empty when it is not known."""

    @property
    def project(self) -> Project | None:
        """None when its directory is gone."""
        last = transcripts.origin(self.conversation.transcript).cwd if self.session.project else ""
        return project_of(self.session, last or self.directory)

    def measurement(self, conversation: Conversation | None = None) -> Snapshot | None:
        """Measure the session, or another conversation of its project, without learning from it."""
        return snapshot_of(conversation or self.conversation, self.session)


def target_of(environment: Environment, session_id: str | None) -> SessionTarget:
    """The session called `session_id`, or the current one. Raises CommandError if there is none that can be read."""
    if session_id is None:
        conversation, how = _current(environment)
    else:
        conversation, how = _matching(environment, session_id), "chosen with --session"
    _check(conversation)
    directory = projects.of_session(environment, conversation)
    if session_id is None:  # a session that has written nothing yet was started here
        directory = directory or environment.directory
    project = directory if os.path.isdir(directory) else ""
    environ = {name: value for name, value in environment.environ.items() if name != client.PROJECT_VARIABLE}
    environ |= {client.PROJECT_VARIABLE: project} if project else {}  # as for its hooks
    is_here = project == environment.directory
    files = environment.settings if is_here else client_settings.read_all(environment.client_directory, project)
    added = client_settings.variables(files)
    environ |= {name: value for name, value in added.items() if name in _OF_WINDOW}
    config = settings.load(environment.root, environ).config
    session = Session(environment.root, config, environ, environment.now, project)
    return SessionTarget(conversation, session, how, directory)


def _current(environment: Environment) -> tuple[Conversation, str]:
    own = environment.environ.get(client.SESSION_VARIABLE, "")
    if paths.is_id(own):
        conversation = Conversation(own, "")  # it may not have written anything yet
        with suppress(CommandError):
            conversation = _matching(environment, own)
        return conversation, "the one that runs this command"
    at, written = projects.sessions(environment.client_directory, environment.directory)
    if not written:
        raise CommandError(f"no session was started in {environment.directory}; name one with --session ID")
    return Conversation(transcripts.session_of(written[0]), written[0]), f"the newest one in {at}"


def _matching(environment: Environment, session_id: str) -> Conversation:
    """The session whose id is, or alone starts with, `session_id`, even without a transcript. Raises CommandError."""
    if not paths.is_id(session_id):
        raise CommandError("a session's id consists of letters, digits, - and _ (see the names in projects/)", USAGE)
    bridges = environment.configuration.config.bridge.directory
    names = set(map(transcripts.session_of, transcripts.all_of(environment.client_directory)))
    names |= _with_state(paths.run_directory(environment.root))
    names |= _with_state(os.path.dirname(paths.bridge(environment.root, session_id, bridges)))
    matching = [session_id] if session_id in names else sorted(name for name in names if name.startswith(session_id))
    if not matching:
        where = os.path.join(environment.client_directory, client.PROJECTS)
        raise CommandError(f"no session {session_id}: neither a transcript in {where} nor a bridge of ours has this id")
    if len(matching) > 1:
        ids = ", ".join(matching[:5]) + (", …" if len(matching) > 5 else "")
        raise CommandError(f"{session_id} matches more than one session: {ids}; give more of it", USAGE)
    return Conversation(matching[0], _transcript(environment, matching[0], bridges))


def _transcript(environment: Environment, session_id: str, bridges: str | None) -> str:
    """The transcript as the client named it, if it is still there; else the newest with the session's name."""
    result = bridge.read(paths.bridge(environment.root, session_id, bridges), session_id)
    last_path = (result and result.transcript_path) or ""
    last_gate = gate.read(environment.root, session_id)
    for candidate in (last_path, last_gate.transcript if last_gate else ""):
        if os.path.isfile(candidate):
            return candidate
    candidates = transcripts.all_of(environment.client_directory, session_id=session_id)
    return max(candidates, key=files.modified_at, default=last_path)


def _with_state(directory: str) -> set[str]:
    state = glob(os.path.join(escape(directory), "*"))
    return {match[1] for path in state if (match := _STATE.fullmatch(os.path.basename(path)))}


def _check(conversation: Conversation) -> None:
    """Raise CommandError if the transcript is another user's, or can't be read."""
    path, name = conversation.transcript, conversation.session_id
    if not path or not os.path.lexists(path):
        return
    try:
        status = os.stat(path)
        if os.name != "nt" and status.st_uid != os.geteuid():
            raise CommandError(f"session {name} belongs to {user_name(status.st_uid)}, not to you")
        os.close(files.open_regular(path))
    except OSError as problem:
        raise CommandError(f"session {name}: its transcript cannot be read: {problem.strerror or problem}") from None
