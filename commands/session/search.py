"""From an id, or the beginning of one, to a session and its transcript."""

import os
import re

from commands.command import USAGE, CommandError
from commands.environment.environment import Environment
from commands.session import transcripts
from monitor.session import Conversation
from shared import gate, paths
from shared.client import client
from shared.gauge import bridge

_STATE = re.compile(r"(?:claude-ctx|memory|gate|subagents)-([A-Za-z0-9_-]+)(?:\..*)?")


def find(environment: Environment, wanted: str) -> Conversation:
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
    matching = (
        [wanted] if wanted in names else sorted(session_id for session_id in names if session_id.startswith(wanted))
    )
    if not matching:
        where = os.path.join(environment.client_directory, client.PROJECTS)
        raise CommandError(f"no session {wanted}: neither a transcript in {where} nor a bridge of ours has this id")
    if len(matching) > 1:
        named = ", ".join(matching[:5]) + (", …" if len(matching) > 5 else "")
        raise CommandError(f"{wanted} matches more than one session: {named}; give more of it", USAGE)
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
    try:
        names = os.listdir(directory) if directory else []
    except OSError:
        return set()
    return {match[1] for name in names if (match := _STATE.fullmatch(name))}
