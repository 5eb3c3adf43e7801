"""Our own state on the disk: is it private and writable, what has been learned, what is misconfigured."""

import os
import stat
import tempfile
from collections.abc import Iterator

from monitor.commands.diagnosis.finding import CheckFinding, ok, unknown, warning, wrong
from monitor.commands.diagnosis.surroundings import Surroundings
from shared import client_variables, learned, paths, settings


def configuration(place: Surroundings) -> Iterator[CheckFinding]:
    """Each setting that could not be used, and what is switched off."""
    loaded = settings.load(place.root, place.environ, place.directory)
    where = paths.config_file(place.root)
    for problem in loaded.problems:
        yield wrong("configuration", problem, "until it is mended, the next layer counts for this setting")
    for line in loaded.retired:
        yield warning("configuration", line, "take it out: nothing reads it")
    if not loaded.config.hooks.context_warnings:
        said = "hooks.context_warnings is false: the agent is told nothing"
        yield warning("configuration", said, f"set it to true in {where}")
    elif not loaded.problems and not loaded.retired:
        yield ok("configuration", where if os.path.exists(where) else f"defaults (there is no {where})")


def run_directory(place: Surroundings) -> Iterator[CheckFinding]:
    """Bridges, gates and memories lie here."""
    path = paths.run_directory(place.root)
    try:
        status = os.stat(path)
    except OSError:
        yield unknown("run directory", f"there is no {path} yet: the first event makes it")
        return
    if not stat.S_ISDIR(status.st_mode):
        yield wrong("run directory", f"{path} is not a directory", "move it away", silences=True)
    elif os.name != "nt" and status.st_mode & 0o077:
        said = f"others may look into {path} (mode {stat.S_IMODE(status.st_mode):04o})"
        yield warning("run directory", said, f'chmod 700 "{path}"')
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


def learned_facts(place: Surroundings) -> Iterator[CheckFinding]:
    """Window sizes by model, and where the client compacted by itself."""
    known = learned.read(place.root)
    windows = []
    for key, tokens in known.windows.items():
        model, client, disabled = key.split("|")
        given = f" with {client_variables.DISABLE_LONG}={disabled}" if disabled else ""
        windows.append(f"{model} has {tokens:,} tokens in {client}{given}")
    for key, tokens in known.compactions.items():
        model, client, window, limit, percent = key.split("|")
        variables = [f"{client_variables.COMPACT_WINDOW}={limit}"] if limit else []
        variables += [f"{client_variables.COMPACT_PERCENT}={percent}"] if percent else []
        given = f" with {' and '.join(variables)}" if variables else ""
        windows.append(f"{model} of {window} compacts by {tokens:,} in {client}{given}")
    yield ok("learned", "; ".join(windows) or "nothing yet: windows are learned from the status line")
