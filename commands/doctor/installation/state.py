"""Our own state on the disk: whether it is private and writable, what has been learned, what is misconfigured."""

import importlib.util
import os
import stat
import tempfile
from collections.abc import Iterator
from contextlib import suppress

import msgspec

from commands.doctor.finding import REPAIR, CheckFinding, Fix, ok, unknown, warning, wrong
from commands.environment.environment import Environment
from history.telemetry.destination import DestinationError, destination
from shared import paths
from shared.client import client
from shared.files import files
from shared.gauge.limit import read_learned
from shared.settings import toml_file


def configuration(environment: Environment) -> Iterator[CheckFinding]:
    """Each setting that could not be used, and what is switched off."""
    loaded = environment.configuration
    where = paths.config_file(environment.root)
    for problem in loaded.problems:
        yield wrong("configuration", problem, _remedy(problem, where))
    if not loaded.config.hooks.context_warnings:
        text = "hooks.context_warnings is false: the agent is told nothing"
        yield warning("configuration", text, f"set it to true in {where}")
    elif not loaded.problems:
        yield ok("configuration", where if os.path.exists(where) else f"defaults (there is no {where})")


def _remedy(problem: str, where: str) -> str:
    """What to do about a setting, or a file of them, that could not be used; `where` is the person's own."""
    broken: list[str] = []
    with suppress(OSError):
        toml_file.values(files.open_regular(where), where, broken)
    if problem in broken:  # no command can change it: none knows what it says
        return f"correct it in an editor; until then no setting in {where} counts"
    is_own = problem.startswith(f"{where}: ")  # unset would take a good value out of it for another file's bad one
    return "correct it there, or remove it: tidegauge config unset KEY" if is_own else "correct it there"


def run_directory(environment: Environment) -> Iterator[CheckFinding]:
    path = paths.run_directory(environment.root)
    try:
        status = os.stat(path)
    except OSError:
        yield unknown("run directory", f"there is no {path} yet: the first event creates it")
        return
    if not stat.S_ISDIR(status.st_mode):
        yield wrong("run directory", f"{path} is not a directory", "move it away", silences=True)
    elif os.name != "nt" and status.st_mode & 0o077:
        text = f"others can read {path} (mode {stat.S_IMODE(status.st_mode):04o})"
        yield warning("run directory", text, f'chmod 700 "{path}"', fix=Fix.PRIVATE, path=path)
    else:
        try:
            with tempfile.TemporaryFile(dir=path) as probe:
                probe.write(bytes(4096))
        except OSError as problem:
            yield wrong("run directory", f"{path} cannot be written: {problem.strerror!s}", silences=True)
            return
        yield ok("run directory", f"{path} is private and can be written")


def unreadable(environment: Environment) -> Iterator[CheckFinding]:
    """State that is ignored because it is damaged or someone else's; hooks are silent about it."""
    layout, damaged = environment.layout, list[CheckFinding]()
    if _is_damaged(layout.record):
        # It holds what stood in settings.json before us, so no --fix may replace it unasked.
        text = f"{layout.record} cannot be read: the previous contents of settings.json are unknown"
        damaged.append(wrong("state", text, f"keep a copy of it, then {REPAIR}"))
    for path in filter(_is_damaged, (layout.choices, layout.client_files, layout.directories)):
        damaged.append(wrong("state", f"{path} cannot be read", f"{REPAIR} (it writes the file again)"))
    run = paths.run_directory(environment.root)
    names = sorted(os.listdir(run)) if os.path.isdir(run) else []
    own = [name for name in names if name.endswith(".json") and not name.startswith("claude-ctx-")]
    state = [paths.learned(environment.root), *(os.path.join(run, name) for name in own)]  # of bridges, the newest is
    for path in filter(_is_damaged, state):
        text, remedy = f"{path} cannot be read, and is ignored", "remove it; its contents will be worked out again"
        damaged.append(warning("state", text, remedy, fix=Fix.REMOVE, path=path))
    yield from damaged or [ok("state", f"the files in {environment.root} can be read")]


def _is_damaged(path: str) -> bool:
    """Whether it is there without a JSON object in it; an empty file may be there for its lock alone."""
    contents = files.read_or_none(path) if os.path.lexists(path) else b""
    try:
        return contents is None or (contents != b"" and not isinstance(msgspec.json.decode(contents), dict))
    except (msgspec.DecodeError, RecursionError):
        return True


def learned_facts(environment: Environment) -> Iterator[CheckFinding]:
    """Window sizes by model, and where the client compacted by itself."""
    learned, texts = read_learned(environment.root), []
    for key, tokens in (*learned.windows.items(), *learned.compactions.items()):
        match key.split("|"):  # anything else is of a damaged file
            case model, version, disabled:
                text, variables = f"{model} has {tokens:,} tokens", {client.DISABLE_LONG_VARIABLE: disabled}
            case model, version, window, limit, percent:
                text = f"{model} of {window} compacts by {tokens:,}"
                variables = {client.COMPACT_WINDOW_VARIABLE: limit, client.COMPACT_PERCENT_VARIABLE: percent}
            case _:
                continue
        conditions = " and ".join(f"{name}={value}" for name, value in variables.items() if value)
        texts.append(f"{text} in {version}" + (f" with {conditions}" if conditions else ""))
    yield ok("learned", "; ".join(texts) or "nothing yet: windows are learned from the status line")


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
