"""The session that is meant: the one named, the one that runs us, or the newest of the project at hand."""

import os
import re
from glob import escape, glob

from commands.command import USAGE, CommandError
from commands.environment.environment import Environment
from commands.session import projects, transcripts
from installer.layout import user_name
from monitor.checkpoints import client_process
from monitor.session import Conversation
from shared import gate, paths
from shared.client import client
from shared.files import files
from shared.gauge import bridge

_STATE = re.compile(r"(?:claude-ctx|memory|gate|subagents)-([A-Za-z0-9_-]+)(?:\..*)?")


def find(environment: Environment, wanted: str | None) -> tuple[Conversation, str]:
    """The session called `wanted`, or the current one, and how it was chosen.

    Raises CommandError when there is none, or it isn't ours.
    """
    if wanted is None:
        conversation, how = _current(environment)
    else:
        conversation, how = _matching(environment, wanted), "chosen with --session"
    _check(conversation)
    return conversation, how


def _current(environment: Environment) -> tuple[Conversation, str]:
    own = environment.environ.get(client.SESSION_VARIABLE, "")
    if paths.is_id(own):
        return _conversation(environment, own), "the one that runs this command"
    if result := _newest(environment, environment.directory):
        return result
    for session_id, directory in client_process.above():
        if paths.is_id(session_id):
            return _conversation(environment, session_id), "the one that an ancestor of this process runs in"
        if directory and (result := _newest(environment, directory)):
            return result
    raise CommandError(f"no session was started in {environment.directory}; name one with --session ID")


def _newest(environment: Environment, directory: str) -> tuple[Conversation, str] | None:
    at, written = projects.sessions(environment.client_directory, directory)
    if not written:
        return None
    return Conversation(transcripts.session_of(written[0]), written[0]), f"the newest one in {at}"


def _conversation(environment: Environment, session_id: str) -> Conversation:
    """A session that runs, even when it has not written anything yet."""
    try:
        return _matching(environment, session_id)
    except CommandError:
        return Conversation(session_id, "")


def _matching(environment: Environment, wanted: str) -> Conversation:
    """The session whose id is, or alone begins with, `wanted`; its transcript's path is empty when none is known.

    Raises CommandError when there is none, or more than one.
    """
    if not paths.is_id(wanted):
        raise CommandError("a session's id consists of letters, digits, - and _ (see the names in projects/)", USAGE)
    written: dict[str, list[str]] = {}
    for path in transcripts.all_of(environment.client_directory):
        written.setdefault(transcripts.session_of(path), []).append(path)
    bridges = environment.configuration.config.bridge.directory
    names = written.keys() | _with_state(paths.run_directory(environment.root)) | _with_state(bridges)
    matching = [wanted] if wanted in names else sorted(name for name in names if name.startswith(wanted))
    if not matching:
        where = os.path.join(environment.client_directory, client.PROJECTS)
        raise CommandError(f"no session {wanted}: neither a transcript in {where} nor a bridge of ours has this id")
    if len(matching) > 1:
        ids = ", ".join(matching[:5]) + (", …" if len(matching) > 5 else "")
        raise CommandError(f"{wanted} matches more than one session: {ids}; give more of it", USAGE)
    return Conversation(matching[0], _transcript(environment, matching[0], bridges, written.get(matching[0], [])))


def _transcript(environment: Environment, session_id: str, bridges: str | None, written: list[str]) -> str:
    """The transcript as the client named it, if it is still there; else the newest with the session's name."""
    result = bridge.read(paths.bridge(environment.root, session_id, bridges), session_id)
    drawn = (result and result.transcript_path) or ""
    last_gate = gate.read(environment.root, session_id)
    for candidate in (drawn, last_gate.transcript if last_gate else ""):
        if os.path.isfile(candidate):
            return candidate
    return max(written, key=transcripts.modified, default=drawn)


def _with_state(directory: str | None) -> set[str]:
    state = glob(os.path.join(escape(directory), "*")) if directory else ()
    return {match[1] for path in state if (match := _STATE.fullmatch(os.path.basename(path)))}


def _check(conversation: Conversation) -> None:
    """Raise CommandError for a transcript that is another user's, or that cannot be read."""
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
