"""Whether sessions still run, judged by processes and the ends of transcripts."""

import os
from collections.abc import Iterator, Mapping
from typing import Literal

import msgspec

from commands.session import projects, transcripts
from monitor.activity.activity import Activity
from monitor.checkpoints import client_process
from monitor.checkpoints.client_process import RunningClient
from monitor.session import Conversation
from shared import paths
from shared.client.client import SESSION_VARIABLE
from shared.files import files
from shared.transcript.tail import read_tail

_LEAST_ID = 32
"""Fewest characters of an argument that may be a session's id."""


class RunState(msgspec.Struct, frozen=True):
    state: Literal["running", "ended", "interrupted", "unknown"]
    reason: str


def run_state_of(
    conversation: Conversation,
    running: list[RunningClient],
    environ: Mapping[str, str],
    activity: Activity | None = None,
) -> RunState:
    """Whether a session runs; with its activity, also whether it stopped in the middle of something."""
    name, path = conversation.session_id, conversation.transcript
    if environ.get(SESSION_VARIABLE) == name:
        return RunState("running", "it runs this command")
    own = [client for client in running if name in client.arguments]
    if own:
        return RunState("running", f"process {own[0].pid} was started with its id")
    above, folder = os.path.split(os.path.dirname(path))
    written, names = files.modified_at(path), {folder}
    if worktree := projects.worktree_of(transcripts.origin(path).cwd):
        names.add(projects.folder_name(worktree))  # the client moves there; 2.1.197 leaves the transcript behind
    earlier = (client for client in running if client.started <= written)
    here = [client for client in earlier if client.directory and projects.folder_name(client.directory) in names]
    others = (other for name in names for other in transcripts.all_of(os.path.dirname(above), name))
    newer = sum(files.modified_at(other) > written for other in others)
    if len(here) > newer:
        return RunState("running", f"a client runs there (process {here[0].pid}), perhaps this session's")
    if not path or not os.path.exists(path):
        return RunState("unknown", "it has no transcript")
    if reason := _interruption(path, activity):
        return RunState("interrupted", f"no client is running it, and {reason}")
    return RunState("ended", "no client is running it")


def _interruption(path: str, activity: Activity | None) -> str:
    """A clause about what was left unfinished; empty if nothing was."""
    tail = read_tail(path)
    if tail is not None and tail.ended < files.size(path):
        return "the last line of its transcript is incomplete"
    if activity is not None and any(call.turn == activity.log.turns for call in activity.waiting):
        return "its last tool use has no result: it crashed or was stopped in the middle"
    return ""


def running_sessions(client_directory: str, environ: Mapping[str, str]) -> list[Conversation]:
    """The running sessions of this configuration directory, in the order of their transcripts' paths."""
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
    """Yield each directory's newest transcripts, one per client there, and those named in a client's arguments."""
    directories = [running.directory for running in clients if running.directory]
    for directory in set(directories):
        _, written = projects.sessions(client_directory, directory)
        yield from written[: directories.count(directory)]
    for running in clients:
        for argument in running.arguments:
            if len(argument) >= _LEAST_ID and paths.is_id(argument):
                yield from transcripts.all_of(client_directory, session_id=argument)
