"""The session that is meant: the one named, the one that runs us, or the newest of the project at hand."""

import os

import msgspec

from monitor.checkpoints import client_process
from monitor.commands.command import CommandError
from monitor.commands.diagnosis import transcripts
from monitor.commands.diagnosis.surroundings import Surroundings
from monitor.commands.explanation import search
from monitor.commands.overview import projects
from monitor.session import Conversation
from shared import files, paths
from shared.client import SESSION_VARIABLE


class Current(msgspec.Struct, frozen=True):
    """A session, and how it was found."""

    conversation: Conversation
    how: str


def find(place: Surroundings, wanted: str | None, bridges: str | None) -> Current:
    """The session called `wanted`, or the current one. Raises CommandError when there is none, or it isn't ours."""
    found = _current(place, bridges) if wanted is None else Current(search.find(place, wanted, bridges), "named")
    _check(found.conversation)
    return found


def others(conversation: Conversation) -> list[str]:
    """The transcripts of the other sessions that were started where this one was, the newest first."""
    folder = os.path.dirname(conversation.transcript)
    try:
        names = os.listdir(folder) if folder else []
    except OSError:
        return []
    paths = [os.path.join(folder, name) for name in names if name.endswith(".jsonl")]
    return sorted((path for path in paths if path != conversation.transcript), key=transcripts.modified, reverse=True)


def _current(place: Surroundings, bridges: str | None) -> Current:
    own = place.environ.get(SESSION_VARIABLE, "")
    if paths.is_id(own):
        return Current(_known(place, own, bridges), "the one that runs this command")
    if found := _newest(place, place.directory):
        return found
    for session_id, directory in client_process.above():
        if paths.is_id(session_id):
            return Current(_known(place, session_id, bridges), "the one that an ancestor of this process runs in")
        if directory and (found := _newest(place, directory)):
            return found
    raise CommandError(f"no session was started in {place.directory}; name one with --session ID")


def _newest(place: Surroundings, directory: str) -> Current | None:
    at, written = projects.sessions(place.client_directory, directory)
    if not written:
        return None
    return Current(Conversation(transcripts.session_of(written[0]), written[0]), f"the newest one in {at}")


def _known(place: Surroundings, session_id: str, bridges: str | None) -> Conversation:
    """A session that runs, even when it has not written anything yet."""
    try:
        return search.find(place, session_id, bridges)
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
            raise CommandError(f"session {name} belongs to {_user(status.st_uid)}, not to you")
        os.close(files.open_regular(path))
    except OSError as problem:
        raise CommandError(f"session {name}: its transcript cannot be read: {problem.strerror or problem}") from None


def _user(uid: int) -> str:
    import pwd  # noqa: PLC0415  not on Windows, where nobody asks

    try:
        return pwd.getpwuid(uid).pw_name
    except KeyError:
        return f"user {uid}"
