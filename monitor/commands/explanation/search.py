"""From an id, or the beginning of one, to a session and its transcript."""

import os
import re

from monitor.commands.command import USAGE, CommandError
from monitor.commands.diagnosis import transcripts
from monitor.commands.diagnosis.surroundings import Surroundings
from monitor.session import Conversation
from monitor.warnings import gate
from shared import bridge, client, paths

_STATE = re.compile(r"(?:claude-ctx|memory|gate|subagents)-([A-Za-z0-9_-]+)(?:\..*)?")


def find(place: Surroundings, wanted: str, bridges: str | None) -> Conversation:
    """The session whose id is, or alone begins with, `wanted`; its transcript's path is empty when none is known.

    Raises CommandError when there is none, or more than one.
    """
    if not paths.is_id(wanted):
        raise CommandError("a session's id consists of letters, digits, - and _ (see the names in projects/)", USAGE)
    written: dict[str, list[str]] = {}
    for path in transcripts.all_of(place.client_directory):
        written.setdefault(transcripts.session_of(path), []).append(path)
    known = written.keys() | _with_state(paths.run_directory(place.root)) | _with_state(bridges)
    matching = [wanted] if wanted in known else sorted(name for name in known if name.startswith(wanted))
    if not matching:
        where = os.path.join(place.client_directory, client.PROJECTS)
        raise CommandError(f"no session {wanted}: neither a transcript in {where} nor a bridge of ours has this id")
    if len(matching) > 1:
        named = ", ".join(matching[:5]) + (", …" if len(matching) > 5 else "")
        raise CommandError(f"{wanted} matches more than one session: {named}; give more of it", USAGE)
    return Conversation(matching[0], _transcript(place, matching[0], bridges, written.get(matching[0], [])))


def _transcript(place: Surroundings, session_id: str, bridges: str | None, written: list[str]) -> str:
    """The transcript as the client named it, if it is still there; else the newest with the session's name."""
    path = bridge.path_of(place.root, session_id, bridges)
    found = bridge.read(path, session_id) if path else None
    told = [found.transcript_path] if found and found.transcript_path else []
    known = gate.read(place.root, session_id)
    for candidate in [*told, *([known.transcript] if known else [])]:
        if os.path.isfile(candidate):
            return candidate
    return max(written, key=transcripts.modified, default=(told or [""])[0])


def _with_state(directory: str | None) -> set[str]:
    try:
        names = os.listdir(directory) if directory else []
    except OSError:
        return set()
    return {match[1] for name in names if (match := _STATE.fullmatch(name))}
