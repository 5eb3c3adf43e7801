"""Our own state on the disk: whether it is private and writable, what is misconfigured, how the last runs ended."""

import importlib.util
import os
import re
import stat
import tempfile
from collections.abc import Iterator
from glob import escape, glob

import msgspec

from commands.command import CommandError
from commands.doctor.finding import REPAIR, CheckFinding, ok, unknown, unused, warning, wrong
from commands.environment.environment import Environment
from history.telemetry.destination import DestinationError, destination
from shared import paths
from shared.files import files
from shared.text.quantities import duration_text

_PATIENCE_SECONDS = 1.0
"""Seconds that the check of the history waits for a process that writes it."""
_BEFORE_REMEDY = re.compile(r"[:;] (?=(?:move|run|update) )")


def configuration(environment: Environment) -> Iterator[CheckFinding]:
    """Each setting that could not be used, and what is switched off."""
    loaded = environment.configuration
    where = paths.config_file(environment.root)
    for problem in loaded.problems:
        yield wrong("configuration", problem, "correct it there, or remove it")
    if not loaded.config.hooks.context_warnings:
        text = "hooks.context_warnings is false: the agent is told nothing"
        yield warning("configuration", text, f"set it to true in {where}")
    elif not loaded.problems:
        yield ok("configuration", where if os.path.exists(where) else f"defaults (there is no {where})")


def last_hook(environment: Environment) -> Iterator[CheckFinding]:
    """How each process last ended: a failure leaves a mark, which the next success removes."""
    for process in ("monitor", "statusline"):
        mark = paths.failure_mark(environment.root, process)
        if os.path.exists(mark):  # the badge asks the same
            contents = files.read_or_none(mark) or b"it gives no reason"
            ago = duration_text(environment.now - os.stat(mark).st_mtime)
            text = f"failed {ago} ago: {contents.decode(errors='replace')}"
            yield wrong(f"last {process}", text, f"the log: {paths.log_file(environment.root)}")
    run = escape(paths.run_directory(environment.root))
    if traces := [path for prefix in ("memory-", "gate-") for path in glob(os.path.join(run, f"{prefix}*"))]:
        ago = duration_text(environment.now - max(map(files.modified_at, traces)))
        yield ok("last monitor", f"last recorded run {ago} ago (the launcher leaves no trace)")
    else:
        yield unused("last monitor", "no tool use has been seen yet", "have the client run a tool")


def run_directory(environment: Environment) -> Iterator[CheckFinding]:
    path = paths.run_directory(environment.root)
    try:
        status = os.stat(path)
    except OSError:
        yield unused("run directory", f"there is no {path} yet: the first event creates it")
        return
    if not stat.S_ISDIR(status.st_mode):
        yield wrong("run directory", f"{path} is not a directory", "move it away", silences=True)
    elif os.name != "nt" and status.st_mode & 0o077:
        text = f"others can read {path} (mode {stat.S_IMODE(status.st_mode):04o})"
        yield warning("run directory", text, REPAIR)
    else:
        try:
            with tempfile.TemporaryFile(dir=path) as probe:
                probe.write(bytes(4096))
        except OSError as problem:
            yield wrong("run directory", f"{path} cannot be written: {problem.strerror!s}", silences=True)
            return
        yield ok("run directory", f"{path} is private and can be written")


def unreadable(environment: Environment) -> Iterator[CheckFinding]:
    """Whether the installer's own records can be read."""
    layout, damaged = environment.layout, list[CheckFinding]()
    if _is_damaged(layout.record):
        # It holds the previous contents of settings.json, so --fix may not replace it unasked.
        text = f"{layout.record} cannot be read: the previous contents of settings.json are unknown"
        damaged.append(wrong("state", text, f"keep a copy of it, then {REPAIR}"))
    for path in filter(_is_damaged, (layout.choices, layout.directories)):
        damaged.append(wrong("state", f"{path} cannot be read", f"{REPAIR} (it writes the file again)"))
    yield from damaged or [ok("state", f"the installer's records in {environment.root} can be read")]


def _is_damaged(path: str) -> bool:
    """Whether the file exists but holds no JSON object; an empty file may exist for its lock alone."""
    contents = files.read_or_none(path) if os.path.lexists(path) else b""
    try:
        return contents is None or (contents != b"" and not isinstance(msgspec.json.decode(contents), dict))
    except (msgspec.DecodeError, RecursionError):
        return True


def history(environment: Environment) -> Iterator[CheckFinding]:
    """Whether the history can be opened, if there is one; all of it isn't read."""
    path = paths.history_store(environment.root)
    if not os.path.lexists(path):
        return
    from commands.asking import store_problems  # noqa: PLC0415  no other check needs SQLite, which a Python may lack

    try:
        with store_problems(environment.root):
            is_free = _can_open_history(environment.root)
    except CommandError as problem:
        text, _, remedy = _BEFORE_REMEDY.sub("\n", str(problem), 1).partition("\n")
        finding = warning if remedy.startswith("run") else wrong  # a sync brings an older one up to date
        yield finding("history", text, remedy)
    else:
        in_use = unknown("history", f"{path} is locked by another process")
        yield ok("history", f"{path} can be opened") if is_free else in_use


def _can_open_history(root: str) -> bool:
    import sqlite3  # noqa: PLC0415  as above

    from history.store import store  # noqa: PLC0415  as above

    try:
        with store.for_reading(root, _PATIENCE_SECONDS):
            return True
    except sqlite3.OperationalError as problem:
        if not store.is_locked(problem):
            raise
        return False


def collector(environment: Environment) -> Iterator[CheckFinding]:
    """A team's collector: its address and headers, and the packages that send there; nothing is sent."""
    chosen = environment.configuration.config.telemetry
    if chosen.endpoint is None:
        return
    try:
        where = destination(chosen, paths.config_file(environment.root), environment.environ)
    except DestinationError as problem:
        remedy = "correct it in your config.toml (docs/team.md): until then nothing is sent"
        yield warning("collector", str(problem), remedy)
        return
    if importlib.util.find_spec("opentelemetry") is None:
        text = "the packages that send the figures aren't installed"
        yield warning("collector", text, "run: tidegauge install --otlp")
    else:
        yield ok("collector", f"{where.endpoint}, at each `tidegauge history sync`")
