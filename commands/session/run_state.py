"""Whether a session still runs, by the processes and the end of its transcript."""

import os
from collections.abc import Mapping
from typing import Literal

import msgspec

from commands.session import transcripts
from commands.session.projects import folder_name
from monitor.activity.activity import Activity
from monitor.checkpoints.client_process import RunningClient
from monitor.session import Conversation
from shared.client.client import SESSION_VARIABLE
from shared.files import files
from shared.transcript.tail import read_tail


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
    folder, written = os.path.basename(os.path.dirname(path)), transcripts.modified(path)
    here = [client for client in running if client.directory and folder_name(client.directory) == folder]
    here = [client for client in here if client.started <= written]
    newer = sum(transcripts.modified(other) > written for other in transcripts.in_folder(os.path.dirname(path)))
    if len(here) > newer:
        return RunState("running", f"a client runs there (process {here[0].pid}), perhaps this session's")
    if not path or not os.path.exists(path):
        return RunState("unknown", "it has no transcript")
    reason = _interruption(path, activity)
    return (
        RunState("interrupted", f"no client is running it, and {reason}")
        if reason
        else RunState("ended", "no client is running it")
    )


def _interruption(path: str, activity: Activity | None) -> str:
    """What was left unfinished; empty when nothing was."""
    tail = read_tail(path)
    if tail is not None and tail.ended < files.size(path):
        return "the last line of its transcript is incomplete"
    if activity is not None and any(call.turn == activity.log.turns for call in activity.waiting):
        return "its last tool use has no result: it crashed or was stopped in the middle"
    return ""
