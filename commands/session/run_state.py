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
    if own := next((client for client in running if client.session_id == name), None):
        return RunState("running", f"process {own.pid} runs it")
    if reason := _guess(conversation, running):
        return RunState("running", reason)
    if not path or not os.path.exists(path):
        return RunState("unknown", "it has no transcript")
    if reason := _interruption(path, activity):
        return RunState("interrupted", f"no client is running it, and {reason}")
    return RunState("ended", "no client is running it")


def _guess(conversation: Conversation, running: list[RunningClient]) -> str:
    """Why a client without a record may be running the session; empty if none is likely to."""
    name, path = conversation.session_id, conversation.transcript
    unrecorded = [client for client in running if not client.session_id]
    if started := next((client for client in unrecorded if name in client.arguments), None):
        return f"process {started.pid} was started with its id"
    above, folder = os.path.split(os.path.dirname(path))
    written, names = files.modified_at(path), {folder}
    if worktree := projects.worktree_of(transcripts.origin(path).cwd):
        names.add(projects.folder_name(worktree))  # the client moves there; 2.1.197 leaves the transcript behind
    earlier = (client for client in unrecorded if client.started <= written)
    here = [client for client in earlier if client.directory and projects.folder_name(client.directory) in names]
    recorded = {client.session_id for client in running}
    others = (other for name in names for other in transcripts.all_of(os.path.dirname(above), name))
    newer = [other for other in others if files.modified_at(other) > written]
    if len(here) > sum(transcripts.session_of(other) not in recorded for other in newer):
        return f"a client runs there (process {here[0].pid}), perhaps this session's"
    return ""


def _interruption(path: str, activity: Activity | None) -> str:
    """A clause about what was left unfinished; empty if nothing was."""
    tail = read_tail(path)
    if tail is not None and tail.ended < files.size(path):
        return "the last line of its transcript is incomplete"
    if activity is not None and any(call.turn == activity.log.turns for call in activity.waiting):
        return "its last tool use has no result: it crashed or was stopped in the middle"
    return ""


def running_sessions(
    client_directory: str, environ: Mapping[str, str]
) -> list[tuple[Conversation, RunningClient | None]]:
    """The running sessions of this configuration directory by their transcripts' paths, with the client if recorded."""
    clients = client_process.running(client_directory)
    recorded = {client.session_id: client for client in clients}
    result = {path: Conversation(transcripts.session_of(path), path) for path in _candidates(client_directory, clients)}
    return [
        (conversation, recorded.get(conversation.session_id))
        for _, conversation in sorted(result.items())
        if run_state_of(conversation, clients, environ).state == "running"
    ]


def _candidates(client_directory: str, clients: list[RunningClient]) -> Iterator[str]:
    """Yield the transcripts of recorded sessions, and for each other client its directory's newest and those it names.

    A client names sessions in its arguments.
    """
    directories = [running.directory for running in clients if running.directory and not running.session_id]
    for directory in set(directories):
        _, written = projects.sessions(client_directory, directory)
        yield from written[: directories.count(directory)]
    for running in clients:
        arguments = (argument for argument in running.arguments if len(argument) >= _LEAST_ID)
        for name in [running.session_id] if running.session_id else arguments:
            if paths.is_id(name):
                yield from transcripts.all_of(client_directory, session_id=name)
