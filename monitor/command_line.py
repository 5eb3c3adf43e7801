"""Our commands as a person types them, in a terminal or in the client."""

import os
import re
import shlex
from typing import Literal

from monitor.session import Session
from shared.client import client

SLASH_COMMAND, IN_PLUGIN = "/token-status", "/tidegauge:token-status"
"""Our command within the client: the installer's, and the plugin's."""
SLASH_COMMANDS = frozenset({SLASH_COMMAND, IN_PLUGIN})
"""All of our slash commands; a prompt that is one of them asks for no work."""
_UUID = re.compile(r"([0-9a-f]{8})(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
"""A session id as the client makes them; its first part is enough for a person to type."""


def program(session: Session) -> str:
    """Our command in a terminal: its name if that is on PATH, else its path, with `~` if possible."""
    name = "tidegauge.cmd" if os.name == "nt" else "tidegauge"
    directories = filter(None, session.environ.get("PATH", "").split(os.pathsep))
    if any(os.access(os.path.join(directory, name), os.X_OK) for directory in directories):
        return "tidegauge"
    path = os.path.join(session.root, "bin", name)
    home = os.path.expanduser("~") + os.sep
    is_plain = not set(path) & set(" '\"$`\\")
    return f"~/{path.removeprefix(home)}" if path.startswith(home) and is_plain else shlex.quote(path)


def resume(session: Session, number: int | Literal["N", ""], session_id: str = "") -> str:
    """The terminal command to continue from checkpoint `number`, or to list all; elsewhere it needs a `session_id`."""
    return f"{program(session)} {f'resume {number}'.rstrip()}{_session_option(session_id)}"


def reopen(session_id: str, directory: str) -> str:
    """The command that reopens a session in the client, which finds it only from the session's `directory`."""
    return f"{f'cd {shlex.quote(directory)} && ' if directory else ''}claude --resume {session_id}"


def resume_or_spawn(session: Session, number: int, session_id: str, *, is_elsewhere: bool = False) -> str:
    """The terminal command that continues a session in a new one from checkpoint `number`; 0 if none is saved.

    `is_elsewhere`: whether the terminal is in another project.
    """
    if not number:
        return pivot_in_terminal(session, "spawn", session_id)
    return resume(session, number, session_id if is_elsewhere else "")


def pivot_in_terminal(session: Session, strategy: str, session_id: str) -> str:
    """The terminal command that carries out a strategy; it names the session, as a newer one may have begun."""
    return f"{program(session)} status --pivot {strategy}{_session_option(session_id)}"


def pivot(session: Session, strategy: str, session_id: str) -> str:
    """The command that carries out a strategy: our slash command if it is installed, else the terminal command."""
    if session.environ.get(client.PLUGIN_VARIABLE):
        return f"{IN_PLUGIN} --pivot {strategy}"
    if os.path.exists(os.path.join(session.client_directory, "commands", "token-status.md")):
        return f"{SLASH_COMMAND} --pivot {strategy}"
    return pivot_in_terminal(session, strategy, session_id)


def _session_option(session_id: str) -> str:
    uuid = _UUID.fullmatch(session_id)
    return f" --session {uuid[1] if uuid else session_id}" if session_id else ""
