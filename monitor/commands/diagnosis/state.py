"""Our own state on the disk: whether it is private and writable, what has been learned, what is misconfigured."""

import os
import stat
import tempfile
from collections.abc import Iterator

import msgspec

from monitor.commands.diagnosis.finding import REPAIR, CheckFinding, Fix, fixable, ok, unknown, warning, wrong
from monitor.commands.diagnosis.surroundings import Surroundings
from shared import client, files, learned, paths, settings


def configuration(place: Surroundings) -> Iterator[CheckFinding]:
    """Each setting that could not be used, and what is switched off."""
    loaded = settings.load(place.root, place.environ, place.directory)
    where = paths.config_file(place.root)
    for problem in loaded.problems:
        yield wrong("configuration", problem, "correct it there, or remove it: tidegauge config unset KEY")
    for line in loaded.retired:
        yield warning("configuration", line, "remove it: nothing reads it")
    if not loaded.config.hooks.context_warnings:
        said = "hooks.context_warnings is false: the agent is told nothing"
        yield warning("configuration", said, f"set it to true in {where}")
    elif not loaded.problems and not loaded.retired:
        yield ok("configuration", where if os.path.exists(where) else f"defaults (there is no {where})")


def run_directory(place: Surroundings) -> Iterator[CheckFinding]:
    """The directory of bridges, gates and memories."""
    path = paths.run_directory(place.root)
    try:
        status = os.stat(path)
    except OSError:
        yield unknown("run directory", f"there is no {path} yet: the first event creates it")
        return
    if not stat.S_ISDIR(status.st_mode):
        yield wrong("run directory", f"{path} is not a directory", "move it away", silences=True)
    elif os.name != "nt" and status.st_mode & 0o077:
        said = f"others can read {path} (mode {stat.S_IMODE(status.st_mode):04o})"
        yield fixable(warning("run directory", said, f'chmod 700 "{path}"'), Fix.PRIVATE, path)
    else:
        yield from _writable(path)


def _writable(path: str) -> Iterator[CheckFinding]:
    try:
        with tempfile.TemporaryFile(dir=path) as probe:
            probe.write(bytes(4096))
    except OSError as problem:
        yield wrong("run directory", f"{path} cannot be written: {problem.strerror!s}", silences=True)
    else:
        yield ok("run directory", f"{path} is private and can be written")


def unreadable(place: Surroundings) -> Iterator[CheckFinding]:
    """State that counts as none because it is damaged, or of somebody else; hooks are silent about it."""
    layout, found = place.layout, False
    if os.path.lexists(layout.record) and not _is_object(layout.record):
        found = True
        # It holds what stood in settings.json before us, so no --fix may replace it unasked.
        said = f"{layout.record} cannot be read: the previous contents of settings.json are unknown"
        yield wrong("state", said, f"keep a copy of it, then {REPAIR}")
    for path in (layout.choices, layout.companions, layout.directories):
        if os.path.lexists(path) and not _is_object(path):
            found = True
            yield wrong("state", f"{path} cannot be read", f"{REPAIR} (it writes the file again)")
    run = paths.run_directory(place.root)
    names = sorted(os.listdir(run)) if os.path.isdir(run) else []
    for path in [paths.learned(place.root), *(os.path.join(run, name) for name in names if _is_state(name))]:
        if os.path.lexists(path) and not _is_object(path):
            found = True
            said = f"{path} cannot be read, and is ignored"
            yield fixable(warning("state", said, "remove it; its contents will be worked out again"), Fix.REMOVE, path)
    if not found:
        yield ok("state", f"the files in {place.root} can be read")


def _is_state(name: str) -> bool:
    return name.endswith(".json") and not name.startswith("claude-ctx-")  # of bridges, the newest is checked


def _is_object(path: str) -> bool:
    """Whether a JSON object is in it, or nothing: a file may be there for its lock alone."""
    contents = files.read_or_none(path)
    try:
        return contents is not None and (not contents or isinstance(msgspec.json.decode(contents), dict))
    except (msgspec.DecodeError, RecursionError):
        return False


def learned_facts(place: Surroundings) -> Iterator[CheckFinding]:
    """Window sizes by model, and where the client compacted by itself."""
    known = learned.read(place.root)
    windows = []
    for key, tokens in known.windows.items():
        model, version, disabled = key.split("|")
        given = f" with {client.DISABLE_LONG_VARIABLE}={disabled}" if disabled else ""
        windows.append(f"{model} has {tokens:,} tokens in {version}{given}")
    for key, tokens in known.compactions.items():
        model, version, window, limit, percent = key.split("|")
        variables = [f"{client.COMPACT_WINDOW_VARIABLE}={limit}"] if limit else []
        variables += [f"{client.COMPACT_PERCENT_VARIABLE}={percent}"] if percent else []
        given = f" with {' and '.join(variables)}" if variables else ""
        windows.append(f"{model} of {window} compacts by {tokens:,} in {version}{given}")
    yield ok("learned", "; ".join(windows) or "nothing yet: windows are learned from the status line")
