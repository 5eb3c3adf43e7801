"""What real sessions left: the newest bridge, and how the last hook ended."""

import os
from collections.abc import Iterator
from glob import escape, glob
from itertools import chain

from commands.doctor.finding import CheckFinding, Fix, ok, unknown, warning, wrong
from commands.environment.environment import Environment
from commands.session.transcripts import modified
from shared import paths
from shared.files import files
from shared.gauge import bridge
from shared.text.quantities import duration_text

_BRIDGE, _END = "claude-ctx-", ".json"
_HOOKS = ("memory-", "gate-")


def newest_bridge(environment: Environment) -> Iterator[CheckFinding]:
    """A stale one is no fault: a session that rests draws nothing."""
    subject = "bridge"
    directory = environment.configuration.config.bridge.directory or paths.run_directory(environment.root)
    path = _newest(directory, _BRIDGE)
    if path is None:
        message = f"none in {directory}: no status line has been drawn yet (headless runs draw none)"
        yield unknown(subject, message, "start the client and send a prompt")
        return
    session_id = os.path.basename(path).removeprefix(_BRIDGE).removesuffix(_END)
    result = bridge.read(path, session_id)
    if result is None:
        remedy = "remove it; the next status line writes a new one"
        yield wrong(subject, f"{path} cannot be read", remedy, fix=Fix.REMOVE, path=path)
        return
    age = environment.now - result.timestamp
    text = f"session {session_id}: {result.used_pct} % used, sampled {duration_text(age)} ago"
    if age < -bridge.FRESH_SECONDS:
        yield wrong(subject, f"session {session_id} is {duration_text(-age)} ahead of the clock", "set the clock")
    elif bridge.is_fresh(result, environment.now, files.size(result.transcript_path) if result.transcript_path else -1):
        yield ok(subject, f"{text}: fresh")
    else:
        yield ok(subject, f"{text}: no longer fresh, so the monitor reads the transcript instead")


def last_hook(environment: Environment) -> Iterator[CheckFinding]:
    """The mark that a failed process leaves and the next success takes away."""
    for process in ("monitor", "statusline"):
        mark = paths.failure_mark(environment.root, process)
        if os.path.exists(mark):  # what the badge asks
            contents = files.read_or_none(mark) or b"it gives no reason"
            ago = duration_text(environment.now - os.stat(mark).st_mtime)
            text = f"failed {ago} ago: {contents.decode(errors='replace')}"
            yield wrong(f"last {process}", text, f"the log: {paths.log_file(environment.root)}")
    newest = _newest(paths.run_directory(environment.root), *_HOOKS)
    if newest is None:
        yield unknown("last hook", "no tool use has been seen yet", "have the client run a tool")
    else:
        ago = duration_text(environment.now - modified(newest))
        yield ok("last hook", f"last recorded run {ago} ago (the launcher leaves no trace)")


def log(environment: Environment) -> Iterator[CheckFinding]:
    """The log's last line, whatever became of the process since."""
    path = paths.log_file(environment.root)
    try:
        with open(path, "rb") as file:
            file.seek(max(0, files.size(path) - 4096))
            lines = file.read().decode(errors="replace").splitlines()
    except OSError:
        yield ok("log", f"nothing has failed (there is no {path})")
        return
    last = lines[-1] if lines else "empty"
    ago = environment.now - os.stat(path).st_mtime
    note = ok if ago > 24 * 3600 else warning
    yield note("log", f"{path}, last line {duration_text(ago)} ago: {last}")


def _newest(directory: str, *prefixes: str) -> str | None:
    """The newest file whose name begins so."""
    files_of = (glob(os.path.join(escape(directory), f"{prefix}*")) for prefix in prefixes)
    return max(chain.from_iterable(files_of), key=modified, default=None)
