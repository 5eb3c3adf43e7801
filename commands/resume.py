"""`tidegauge resume`: list the work that can be continued here, or start the client on it."""

import argparse
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from glob import escape, glob

import msgspec

from commands.command import ALL_RIGHT, CommandError, add_session
from commands.environment.environment import environment_here
from commands.session import transcripts
from commands.session.projects import really_upwards
from commands.session.target import target_of
from commands.terminal import safe, shell_word
from monitor import command_line
from monitor.activity.reader import activity_of
from monitor.checkpoints import client_process
from monitor.checkpoints.checkpoint import Checkpoint
from monitor.checkpoints.folder import CheckpointFolder, StoredCheckpoint, folder_of, mark, newest
from monitor.checkpoints.project.repository import repository_of, workplace
from monitor.checkpoints.save import describe, with_present_state
from monitor.checkpoints.texts import sections
from monitor.checkpoints.texts.requests import newest_task
from monitor.numbered_folder import OutsideProjectError
from monitor.pivot.strategies.spawn import continuation
from monitor.session import Project, Session
from shared.client import client
from shared.client.client import SESSION_VARIABLE
from shared.files import files
from shared.project_files import CHECKPOINTS, RESUMED
from shared.secrets.masking import masked
from shared.settings import settings
from shared.text.plain import one_line, plain
from shared.text.quantities import duration_text

SUMMARY = "continue saved work in a new session"
EXAMPLES = (
    ("tidegauge resume", "what can be continued here"),
    ("tidegauge resume 3", "continue checkpoint 3 in a new session"),
    ("tidegauge resume 3 --print", "print the command that does so"),
    ("tidegauge resume --session 5b0c", "what can be continued in that session's project"),
)
FAILURE = "there is no such checkpoint, it isn't ours, or the client is missing"
NOTE = "Inside the client it only prints the command."


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("number", metavar="N", type=int, nargs="?", help="the number of a checkpoint, as listed")
    add_session(parser, "the project of ")
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--print", action="store_true", dest="is_printed", help="print the command that starts the client")
    how.add_argument("--prompt", action="store_true", help="print the new session's prompt")


def run(options: argparse.Namespace, root: str) -> int:
    session = _session(root, options.session)
    if options.number is None:
        if options.is_printed or options.prompt:
            raise CommandError("--print and --prompt need the number of a checkpoint: tidegauge resume N --print")
        print(*_listing(session, options.session or ""), sep="\n")
        return ALL_RIGHT
    folder, result = _checkpoints(session)
    chosen = next((stored for stored in result if stored.number == options.number), None)
    if chosen is None:
        raise CommandError(f"there is no checkpoint {options.number} here; `tidegauge resume` lists them")
    if not chosen.is_proven:
        raise CommandError(f"{chosen.path} has no proof that your Tidegauge wrote it, so it isn't resumed")
    if not options.prompt and (options.is_printed or os.environ.get(SESSION_VARIABLE)):
        place = workplace(_project(folder, chosen.checkpoint))
        is_elsewhere = place != folder.project.directory
        command = command_line.resume(session, chosen.number, _session_id(chosen) if is_elsewhere else "")
        print(_shell_line(command, place))
        return ALL_RIGHT
    last = next(stored for stored in result if stored.is_proven and _session_id(stored) == _session_id(chosen))
    checkpoint = _refresh(chosen, last, folder.project, root)
    project = _project(folder, checkpoint)
    prompt = masked(continuation(checkpoint, chosen.path, project))
    if not options.prompt:
        return _start(folder, {chosen.name, last.name}, workplace(project), prompt)
    print(*(plain(line, len(line)) for line in prompt.splitlines()), sep="\n")
    return ALL_RIGHT


def _session_id(stored: StoredCheckpoint) -> str:
    return stored.checkpoint.session_info.session_id


def _project(folder: CheckpointFolder, checkpoint: Checkpoint) -> Project:
    """The project, with the directory in which the checkpoint's session worked."""
    return Project(folder.project.directory, checkpoint.session_info.working_directory)


def _refresh(chosen: StoredCheckpoint, last: StoredCheckpoint, project: Project, root: str) -> Checkpoint:
    """The chosen checkpoint as its session would save it now: a session continues after it is told the number.

    A checkpoint from before a compaction stays as it was, unless it is the session's `last`: whoever asks for an older
    one wants what the compaction left out.
    """
    checkpoint = chosen.checkpoint
    info, saved = checkpoint.session_info, checkpoint.words
    try:
        target = target_of(environment_here(root), info.session_id)
    except CommandError:
        return checkpoint
    conversation, session = target.conversation, target.session
    # The client moves a transcript into a worktree's folder; a copy in another project's folder has the same name.
    is_another = conversation.transcript != info.transcript_path and os.path.lexists(info.transcript_path)
    if is_another or files.size(conversation.transcript) <= info.transcript_size:
        return checkpoint
    at = transcripts.origin(conversation.transcript).cwd
    project = Project(project.directory, at if os.path.isdir(at) else info.working_directory)
    activity = activity_of(conversation, session)
    if activity.compacted_at != checkpoint.compacted_at and chosen is not last:
        return checkpoint
    if saved is None:
        return with_present_state(checkpoint, conversation, session, project)
    measurement = target.measurement()
    verdict = measurement.verdict if measurement else None
    present = describe(conversation, session, project, "spawn", verdict, activity=activity)
    if present.words is None or not present.words.follow(saved):
        return checkpoint
    return msgspec.structs.replace(present, words_path=checkpoint.words_path)


def _session(root: str, session_id: str | None) -> Session:
    """Return a Session for this directory, or for the session called `session_id`. Raises CommandError."""
    if session_id is None:
        here = os.getcwd()
        return Session(root, settings.load(root, os.environ, here).config, os.environ, time.time(), here)
    target = target_of(environment_here(root), session_id)
    if target.project is None:
        raise CommandError(f"the directory of session {target.conversation.session_id} is gone: {target.directory}")
    return target.session


def _checkpoints(session: Session) -> tuple[CheckpointFolder, list[StoredCheckpoint]]:
    """Find the checkpoints of the project that the session's directory is in. Raises CommandError if there are none.

    A session that has entered a worktree is saved in the main checkout.
    """
    checkpoints = os.path.expanduser(session.config.checkpoint.directory or CHECKPOINTS)
    for at, real in _places(session.project):
        if os.path.lexists(os.path.join(at, checkpoints)):
            try:
                folder = folder_of(session, Project(real, at))
            except OutsideProjectError as problem:
                raise CommandError(str(problem)) from None
            if result := list(newest(folder, has_foreign=True)):
                return folder, result
    raise CommandError(f"nothing is saved of a session in {session.project}, or in the project that it belongs to")


def _places(directory: str) -> Iterator[tuple[str, str]]:
    """Yield `directory` and its parents in the project, then the repository's main checkout, with their real paths.

    A project begins at a directory with a `.git` or `.claude` of its own: above it lies another one.
    """
    for at, real in really_upwards(directory):
        yield at, real
        if any(os.path.lexists(os.path.join(at, name)) for name in (".git", client.DIRECTORY)):
            break
    repository = repository_of(directory)
    if repository and repository.main_checkout not in {"", repository.worktree}:
        yield repository.main_checkout, os.path.realpath(repository.main_checkout)


def _listing(session: Session, session_id: str) -> list[str]:
    """The lines on the checkpoints of the project, and of its worktrees. Raises CommandError if there are none."""
    in_worktrees = [*_in_worktrees(session)]
    try:
        _, checkpoints = _checkpoints(session)
    except CommandError:
        if in_worktrees:
            return in_worktrees
        raise
    return [*_table(session, checkpoints, session_id), *in_worktrees]


def _in_worktrees(session: Session) -> Iterator[str]:
    """Yield a line for each of the client's worktrees in which a session was started, and saved."""
    places = dict(_places(session.project))
    for at, real in places.items():
        for path in sorted(glob(escape(at) + os.path.join(client.WORKTREES, "*", ""))):
            worktree = os.path.dirname(path)
            if worktree in places or os.path.realpath(worktree) != real + worktree.removeprefix(at):
                continue  # a repository may bring a link, which would lead elsewhere
            with suppress(OutsideProjectError):
                folder = folder_of(session, Project(real + worktree.removeprefix(at), worktree))
                if any(newest(folder)):
                    command = command_line.resume(session, "")
                    yield f"Saved in a worktree: cd {shell_word(worktree)} && {command}"


def _table(session: Session, checkpoints: list[StoredCheckpoint], session_id: str) -> Iterator[str]:
    """Yield a line for each session's newest checkpoint, newest first, and for each that isn't proven to be ours."""
    sessions: set[str] = set()
    for stored in checkpoints:
        checkpoint, info = stored.checkpoint, stored.checkpoint.session_info
        age = f"{duration_text(session.now - stored.saved_at)} ago"
        if not stored.is_proven:
            yield safe(f"{stored.number:>5}  {age:<12} no proof that your Tidegauge wrote it: {stored.path}")
        elif info.session_id not in sessions:
            sessions.add(info.session_id)
            title = newest_task(checkpoint.words) if checkpoint.words else f"session {info.session_id}"
            is_running = client_process.is_open(info.session_id, info.client, session.client_directory)
            text = f"{'still running; ' if is_running else ''}{one_line(title, 70)}"
            yield safe(f"{stored.number:>5}  {age:<12} {sections.fill(checkpoint):>3}% used  {text}")
    if sessions:
        yield f"To continue one in a new session: {command_line.resume(session, 'N', session_id)}"


def _shell_line(command: str, directory: str) -> str:
    if sys.platform == "win32":
        quoted = safe(directory).replace("'", "''")
        return f"Set-Location '{quoted}'; claude ({command} --prompt | Out-String)"
    return f'cd {shell_word(directory)} && claude "$({command} --prompt)"'


def _start(folder: CheckpointFolder, names: set[str], directory: str, prompt: str) -> int:
    """Start the client in `directory`; mark the checkpoints called `names` as resumed, so they aren't offered again."""
    program = client_process.program()
    if program is None:
        raise CommandError("the client, `claude`, is not on your PATH")
    os.chdir(directory)
    for name in names:
        mark(folder, name, RESUMED)
    sys.stdout.flush()
    if sys.platform != "win32":  # there, exec starts a second process
        os.execv(program, [program, prompt])  # noqa: S606  the client takes our place, and the terminal with it
    return subprocess.call([program, prompt])
