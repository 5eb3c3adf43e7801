"""The self-check: two commands as they stand in settings.json, run as the client runs them."""

import contextlib
import glob
import json
import os
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Iterator
from typing import NamedTuple

from installer import configuration, files
from installer.checking import samples
from installer.install_error import InstallError
from installer.layout import Layout
from installer.settings import entries, hooks, status_line
from shared.client.client import SESSION_VARIABLE, TOOL_USES

# Seconds; the client would not wait as long, but a cold disk is no reason to refuse.
_TIMEOUT = 20


class Commands(NamedTuple):
    status_line: str | None
    hook: str | None  # the one that runs at every tool use


class Answers(NamedTuple):
    """The line that the person sees, and the warning that the agent reads; None if there is no such command."""

    line: str | None
    warning: str | None
    milliseconds: tuple[int, int]


def commands(text: str, layout: Layout) -> Commands:
    """Our status line, and the hook that warns, as the client will read them from the settings.

    The launchers of the other hooks start the same script as this one. A project's settings may come with a repository:
    from those, only what we write is run.
    """
    line, used = status_line.command(text, layout), tool_uses(text, layout)
    if layout.project:
        line = line if line and entries.is_as_written(line, layout) else None
        used = [command for command in used if entries.is_as_written(command, layout)]
    return Commands(line, next(iter(used), None))


def tool_uses(text: str, layout: Layout) -> list[str]:
    used = [handler.command for handler in hooks.find(text, layout) if handler.event in TOOL_USES]
    return [command for command in used if not entries.argument(command)]


def run(wanted: Commands, layout: Layout) -> Answers:
    """Run our commands and return their answers. Raises InstallError, naming the command, if one does not answer."""
    with _scratch_session(layout) as (session, transcript):
        line, warning, times = None, None, [0, 0]
        if wanted.status_line is not None:
            line, times[0] = _ask(wanted.status_line, samples.status(session, transcript), session, layout)
            if not line.strip() and not os.path.exists(layout.wrapped):
                raise InstallError(f"the status line stays empty: {_failure(layout, 'statusline')}")
        if wanted.hook is not None:
            answer, times[1] = _ask(wanted.hook, samples.hook(session, transcript), session, layout)
            warning = context(answer, wanted.hook)
            # A configuration of the person's may have switched the monitor off.
            if not warning and not os.path.exists(configuration.path(layout)):
                raise InstallError(f"the monitor stays silent at 29% remaining: {_failure(layout, 'monitor')}")
        return Answers(line, warning, (times[0], times[1]))


def _ask(command: str, payload: bytes, session: str, layout: Layout) -> tuple[str, int]:
    """Run a command; return its output, and the time it took in milliseconds. Raises InstallError."""
    environ = {name: value for name, value in os.environ.items() if not name.startswith("TIDEGAUGE_")}
    environ |= samples.settings(layout.run) | {"TIDEGAUGE_HOOKS__CHECKPOINT": "false"}
    environ |= {"CLAUDECODE": "1", SESSION_VARIABLE: session, "COLUMNS": "100", "LINES": "30"}
    if not sys.stdout.isatty():
        environ["NO_COLOR"] = "1"
    start = time.monotonic()
    try:
        result = subprocess.run(
            command if sys.platform == "win32" else ["sh", "-c", command],
            shell=sys.platform == "win32",
            input=payload,
            capture_output=True,
            env=environ,
            timeout=_TIMEOUT,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise InstallError(f"{command} did not answer within {_TIMEOUT} s") from None
    if result.returncode != 0:
        errors = result.stderr.decode(errors="replace").strip().splitlines() or ["nothing on stderr"]
        raise InstallError(f"{command} ends with exit code {result.returncode}: {errors[-1]}")
    return result.stdout.decode(errors="replace"), round((time.monotonic() - start) * 1000)


def context(answer: str, command: str) -> str | None:
    """The text for the agent in a hook's answer; None if there is none. Raises InstallError, naming the command."""
    if not answer.strip():
        return None
    try:
        reply = json.loads(answer)
        is_for_person = "hookSpecificOutput" not in reply and bool(reply.keys() & {"systemMessage", "terminalSequence"})
        context = None if is_for_person else str(reply["hookSpecificOutput"]["additionalContext"])
    except (ValueError, TypeError, KeyError, AttributeError):
        raise InstallError(f"{command} answers what the client does not read: {answer.strip()[:80]}") from None
    return context


def _failure(layout: Layout, process: str) -> str:
    """The reason that a process of ours left behind when it failed open."""
    mark = files.read(os.path.join(layout.run, f"failed-{process}"))
    return mark.decode(errors="replace") if mark else "it gives no reason"


@contextlib.contextmanager
def _scratch_session(layout: Layout) -> Iterator[tuple[str, str]]:
    """Yield a session's id and transcript; afterwards remove what it has left in our run-time state."""
    session = f"selfcheck-{uuid.uuid4().hex}"
    # Neither what a made-up model taught us nor the mark of a failed check says anything about real sessions.
    shared = [os.path.join(layout.root, "learned.json")]
    shared += [os.path.join(layout.run, f"failed-{process}") for process in ("statusline", "monitor")]
    before = {path: (files.read(path), os.stat(path)) for path in shared if os.path.exists(path)}
    with tempfile.TemporaryDirectory(prefix="tidegauge-") as directory:
        project = os.path.join(directory, "project")
        os.mkdir(project)
        transcript = os.path.join(project, f"{session}.jsonl")
        files.write(transcript, samples.transcript(session), 0o600)
        try:
            yield session, transcript
        finally:
            for folder in (layout.run, tempfile.gettempdir()):
                for path in glob.glob(os.path.join(glob.escape(folder), f"*{session}*")):
                    os.unlink(path)
            for path in shared:
                if path not in before:
                    files.remove(path)
                    continue
                contents, status = before[path]
                if contents is not None and files.read(path) != contents:
                    files.write(path, contents, 0o600)
                os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))  # a mark's age is shown, too
