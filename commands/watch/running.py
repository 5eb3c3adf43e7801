"""The running sessions, by the clients' processes and the transcripts of the directories they work in."""

from collections.abc import Iterator, Mapping

from commands.session import projects, transcripts
from commands.session.run_state import run_state_of
from monitor.checkpoints import client_process
from monitor.checkpoints.client_process import RunningClient
from monitor.session import Conversation
from shared import paths

_LEAST_ID = 32
"""Characters of an argument that may be a session's id."""


def running_sessions(client_directory: str, environ: Mapping[str, str]) -> list[Conversation]:
    """Each running session, in the order of their paths; those of other configuration directories are left out."""
    clients = client_process.running()
    result = {path: Conversation(transcripts.session_of(path), path) for path in _candidates(client_directory, clients)}
    return [
        conversation
        for _, conversation in sorted(result.items())
        if run_state_of(conversation, clients, environ).state == "running"
    ]


def is_busy(directory: str, since: float) -> bool:
    """Whether a client that works in `directory` has a process that was started after `since`, in epoch seconds."""
    import psutil  # noqa: PLC0415  only watch needs it

    for running in client_process.running():
        try:
            children = psutil.Process(running.pid).children(recursive=True) if running.directory == directory else []
            if any(child.create_time() > since - 1 for child in children):
                return True
        except psutil.Error:
            pass  # it has just ended
    return False


def _candidates(client_directory: str, clients: list[RunningClient]) -> Iterator[str]:
    """The newest transcripts of each directory, as many as clients work there; and those a client was started with."""
    directories = [running.directory for running in clients if running.directory]
    for directory in set(directories):
        _, written = projects.sessions(client_directory, directory)
        yield from written[: directories.count(directory)]
    for running in clients:
        for argument in running.arguments:
            if len(argument) >= _LEAST_ID and paths.is_id(argument):
                yield from transcripts.all_of(client_directory, session_id=argument)
