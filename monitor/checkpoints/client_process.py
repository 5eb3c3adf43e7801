"""The client's processes: the one that runs us, whether one is still alive, and all that are running."""

import os
from collections.abc import Iterator, Mapping
from contextlib import suppress
from glob import escape, glob

from monitor.checkpoints.checkpoint import ClientProcess
from monitor.checkpoints.project.repository import repository_of
from monitor.session import Session
from shared import paths
from shared.client import client, client_settings
from shared.files import files, lenient

_CLIENTS = ("claude", "claude.exe")
_SHELLS = ("sh", "bash", "dash", "zsh", "fish", "ksh", "cmd", "powershell", "pwsh")
_TOLERANCE = 2.0
"""Seconds by which two readings of a process's start may differ."""


class RunningClient(ClientProcess, frozen=True):
    """A running client of this person."""

    directory: str = ""
    """Empty if the system doesn't tell."""
    arguments: tuple[str, ...] = ()
    session_id: str = ""
    """The session it is in now, by its record; empty without one."""


class ClientRecord(lenient.LenientRecord):
    """What a client says of itself while it runs (docs/client.md, "Sessions")."""

    sessionId: str = ""
    startedAt: float = 0.0
    """Epoch milliseconds."""
    status: str = ""
    """`busy`, `waiting` (for its person) or `idle`; empty for a headless client."""
    statusUpdatedAt: float = 0.0
    """Epoch milliseconds."""


def program() -> str | None:
    """The client's program on PATH; None for one in a relative directory, which may be a repository's."""
    import shutil  # noqa: PLC0415  no hook needs it

    path = shutil.which(_CLIENTS[0])
    return path if path and os.path.isabs(path) else None


def own(environ: Mapping[str, str]) -> ClientProcess | None:
    """The client that started this process; None if unknown."""
    process = _own(environ)
    return None if process is None else ClientProcess(process.pid, process.started)


def begin_run(session: Session, session_id: str, started_at: float = 0.0) -> None:
    """Save how that client was started; `started_at` is in epoch seconds. Raises OSError."""
    process = _own(session.environ, has_arguments=True) or RunningClient(0, 0.0)
    is_newer, is_headless = client.PROCESS_VARIABLE in session.environ, client.is_headless(session.environ)
    repository = repository_of(session.project) if is_newer and session.project else None
    checkout = os.path.dirname(repository.common) if repository else ""
    run = client_settings.parse_run(started_at, process.arguments, process.directory, checkout, is_headless=is_headless)
    client_settings.write_run(paths.session_run(session.root, session_id), run)


def _own(environ: Mapping[str, str], *, has_arguments: bool = False) -> RunningClient | None:
    import psutil  # noqa: PLC0415  14 ms, which no tool use needs

    try:
        number = environ.get(client.PROCESS_VARIABLE, "")
        process = psutil.Process(int(number) if number.isdecimal() else os.getppid())
        # Older clients don't tell: theirs is the process that started the shell that runs hooks.
        while not number and process.name().lower().removesuffix(".exe") in _SHELLS and (parent := process.parent()):
            process = parent
        # The number may come from a project's settings, and another person's command line may be of any size.
        if not has_arguments or process.username() != psutil.Process().username():
            return RunningClient(process.pid, process.create_time())
        return RunningClient(process.pid, process.create_time(), process.cwd(), tuple(process.cmdline()))
    except (psutil.Error, OSError, OverflowError, ValueError):
        return None


def is_alive(process: ClientProcess) -> bool:
    import psutil  # noqa: PLC0415  see above

    try:
        return abs(psutil.Process(process.pid).create_time() - process.started) < _TOLERANCE
    except (psutil.Error, OSError, OverflowError, ValueError):
        return False


def is_open(
    session_id: str, saved_by: ClientProcess | None, client_directory: str, ours: ClientProcess | None = None
) -> bool:
    """Whether a client other than `ours` has a session open: the one that saved it, or one that has resumed it.

    The one that saved it may have left it since (`/clear`). Only the clients' records show either.
    """
    if saved_by and saved_by != ours and is_alive(saved_by):
        recorded = record_of(saved_by, client_directory).sessionId
        if recorded in ("", session_id):
            return True
    others = (process for process in _recorded(client_directory) if not ours or process.pid != ours.pid)
    return any(record_of(process, client_directory).sessionId == session_id for process in others)


def _recorded(client_directory: str) -> Iterator[ClientProcess]:
    """Yield the running processes that have a record's number; an earlier process may have left the record."""
    import psutil  # noqa: PLC0415  see above

    for path in glob(os.path.join(escape(client_directory), client.SESSIONS, "*.json")):
        with suppress(psutil.Error, OverflowError, ValueError):
            number = int(os.path.basename(path).removesuffix(".json"))
            yield ClientProcess(number, psutil.Process(number).create_time())


def record_of(process: ClientProcess, client_directory: str) -> ClientRecord:
    """A running client's record; an empty one if it keeps none there, or an earlier process left it."""
    path = os.path.join(client_directory, client.SESSIONS, f"{process.pid}.json")
    record = lenient.record_or_empty(files.read_or_none(path) or b"", ClientRecord)
    return record if record.startedAt / 1000 > process.started - _TOLERANCE else ClientRecord()


def running(client_directory: str) -> list[RunningClient]:
    """All running clients of this person that the system shows; `client_directory` holds the records of its own."""
    import psutil  # noqa: PLC0415  see above

    mine = psutil.Process().username()
    result = []
    for process in psutil.process_iter(["name", "username"]):
        if process.info["name"] not in _CLIENTS or process.info["username"] != mine:
            continue
        with suppress(psutil.Error):  # it has just ended
            details = process.as_dict(["cwd", "cmdline"])
            arguments = tuple(details["cmdline"] or ())
            started = process.create_time()
            session_id = record_of(ClientProcess(process.pid, started), client_directory).sessionId
            result.append(RunningClient(process.pid, started, details["cwd"] or "", arguments, session_id))
    return result
