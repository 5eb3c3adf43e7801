"""`tidegauge resume`: what can be gone on with here, and the client started on it."""

import argparse
import os
import shlex
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator

from monitor.checkpoints import client_process, sections
from monitor.checkpoints.folder import CheckpointFolder, StoredCheckpoint, folder_of, listed, take
from monitor.checkpoints.resumption import resume_command
from monitor.commands.command import ALL_RIGHT, CommandError
from monitor.commands.terminal import safe
from monitor.numbered_folder import OutsideProjectError
from monitor.pivot.strategies.spawn import continuation
from monitor.session import Project, Session
from shared import settings
from shared.client import SESSION_VARIABLE
from shared.duration import duration_text
from shared.plain import one_line, plain
from shared.secrets.masking import masked

SUMMARY = "continue saved work in a new session"

_EPILOG = (
    "Without N it lists what was saved of this project's sessions, the newest of each. Inside the client it only "
    "prints the command. Exit code: 0 success; 1 there is no such checkpoint, it isn't ours, or the client is "
    "missing; 2 the command line is not understood."
)
_LONGEST = 70


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = _EPILOG
    parser.add_argument("number", metavar="N", type=int, nargs="?", help="the number of a checkpoint, as listed")
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--print", action="store_true", dest="is_printed", help="print the command that starts the client")
    how.add_argument("--prompt", action="store_true", help="print the new session's prompt")


def run(options: argparse.Namespace, root: str) -> int:
    session = Session(root, settings.load(root, os.environ, os.getcwd()).config, os.environ, time.time(), os.getcwd())
    folder, found = _here(session)
    if options.number is None:
        if options.is_printed or options.prompt:
            raise CommandError("--print and --prompt need the number of a checkpoint: tidegauge resume N --print")
        print(*_table(session, found), sep="\n")
        return ALL_RIGHT
    chosen = _numbered(found, options.number)
    prompt = masked(continuation(chosen.checkpoint, chosen.path, folder.project))
    command = resume_command(session, chosen.number)
    if options.prompt:
        print(*(plain(line, len(line)) for line in prompt.splitlines()), sep="\n")
    elif options.is_printed or os.environ.get(SESSION_VARIABLE):
        print(_shell_line(command, folder.project.directory))
    else:
        return _start(folder, chosen, prompt)
    return ALL_RIGHT


def _here(session: Session) -> tuple[CheckpointFolder, list[StoredCheckpoint]]:
    """The nearest project, from this directory upwards, that has any checkpoint. Raises CommandError."""
    at = os.getcwd()
    while True:
        project = Project(os.path.realpath(at), at)
        try:
            folder = folder_of(session, project)
        except OutsideProjectError as problem:
            raise CommandError(str(problem)) from None
        if found := list(listed(folder)):
            return folder, found
        if at == os.path.dirname(at):
            raise CommandError(f"nothing is saved of a session in {os.getcwd()} or above it")
        at = os.path.dirname(at)


def _numbered(found: list[StoredCheckpoint], number: int) -> StoredCheckpoint:
    for one in found:
        if one.number == number:
            if not one.is_proven:
                raise CommandError(f"{one.path} was not written by your Tidegauge, so it can't be resumed")
            return one
    raise CommandError(f"there is no checkpoint {number} here; `tidegauge resume` lists them")


def _table(session: Session, found: list[StoredCheckpoint]) -> Iterator[str]:
    """A line for each session's newest checkpoint, the newest first, and for each that isn't ours."""
    seen: set[str] = set()
    for one in found:
        checkpoint, info = one.checkpoint, one.checkpoint.session_info
        age = f"{duration_text(session.now - one.modified)} ago"
        if not one.is_proven:
            yield safe(f"{one.number:>5}  {age:<12} not written by your Tidegauge: {one.path}")
        elif info.session_id not in seen:
            seen.add(info.session_id)
            asked = checkpoint.goal.prompts[-1] if checkpoint.goal else f"session {info.session_id}"
            running = "still running; " if info.client and client_process.is_alive(info.client) else ""
            said = f"{running}{one_line(asked, _LONGEST)}"
            yield safe(f"{one.number:>5}  {age:<12} {sections.fill(checkpoint):>3}% used  {said}")
    if seen:
        yield f"To continue one in a new session: {resume_command(session, None)}"


def _shell_line(command: str, directory: str) -> str:
    if sys.platform == "win32":
        quoted = directory.replace("'", "''")
        return f"Set-Location '{quoted}'; claude ({command} --prompt | Out-String)"
    return f'cd {shlex.quote(directory)} && claude "$({command} --prompt)"'


def _start(folder: CheckpointFolder, chosen: StoredCheckpoint, prompt: str) -> int:
    program = shutil.which("claude")
    if program is None:
        raise CommandError("the client, `claude`, is not on your PATH")
    take(folder, os.path.basename(chosen.path))
    os.chdir(folder.project.directory)
    sys.stdout.flush()
    if sys.platform != "win32":  # there it would be a process beside ours
        os.execv(program, [program, prompt])  # noqa: S606  the client takes our place, and the terminal with it
    return subprocess.call([program, prompt])
