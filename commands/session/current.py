"""The session that is meant: the one named, the one that runs us, or the newest of the project at hand."""

import os

from commands.command import CommandError
from commands.environment.environment import Environment
from commands.session import projects, search, transcripts
from installer.layout import user_name
from monitor.checkpoints import client_process
from monitor.session import Conversation
from shared import paths
from shared.client.client import SESSION_VARIABLE
from shared.files import files


def find(environment: Environment, wanted: str | None) -> tuple[Conversation, str]:
    """The session called `wanted`, or the current one, and how it was chosen.

    Raises CommandError when there is none, or it isn't ours.
    """
    if wanted is None:
        conversation, how = _current(environment)
    else:
        conversation, how = search.find(environment, wanted), "chosen with --session"
    _check(conversation)
    return conversation, how


def _current(environment: Environment) -> tuple[Conversation, str]:
    own = environment.environ.get(SESSION_VARIABLE, "")
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
        return search.find(environment, session_id)
    except CommandError:
        return Conversation(session_id, "")


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
