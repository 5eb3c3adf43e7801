"""The state of the project's repository, as git says it within a time limit.

A repository's own configuration may name programs that git runs: filters, a monitor of changes, a remote's helper. So
git is never started in the repository, but in an empty one of ours that borrows its index and its objects. It reads
no configuration that could name a program, and nothing but git runs.
"""

import functools
import os
import sys
import time
from collections.abc import Callable

import msgspec

from monitor.checkpoints.project.repository import Repository, repository_of, text_of
from shared import effort
from shared.files import search_path

SECONDS = 3.0
_PROCESSOR_SECONDS, _LEAST_SECONDS, _MOST_BYTES = 1.0, 0.2, 256 << 20
"""What the kernel lets git have, where it can: patterns, or a file to convert, may call for any amount. Each git has
the least, also when the process's own time is over (shared.effort)."""
_MOST = 40
"""Dirty files that are named."""
_KEYS = "filemode|ignorecase|symlinks|precomposeunicode|autocrlf|eol"
"""Keys of `core` by which files are compared. None of them names a program."""
_STATUS = (
    "status",
    "--porcelain=v1",
    "-z",
    "--untracked-files=normal",
    "--ignore-submodules=dirty",
    "--find-renames=100%",  # by their ids alone: a part of the objects may lie in a place that git would ask for them
)


class Worktree(msgspec.Struct, frozen=True):
    """Nothing is known where there is no repository, no git, or no time."""

    branch: str | None = None
    head: str | None = None
    dirty: tuple[str, ...] = ()
    """`XY path` as git has it, the first of them."""
    count: int = 0
    operation: str = ""
    """What git has begun and not finished."""


def inspect(directory: str, working_directory: str = "") -> Worktree:
    """The worktree in which `directory` lies, or the one of the same repository that is worked in."""
    import subprocess  # noqa: PLC0415  8 ms that only a checkpoint pays
    import tempfile  # noqa: PLC0415  the same

    repository, program = repository_of(directory), _program()
    if repository is None or program is None:
        return Worktree()
    current = repository_of(os.path.realpath(working_directory)) if working_directory else None
    if current is not None and current.common == repository.common:
        repository = current
    try:
        with tempfile.TemporaryDirectory(prefix="tidegauge-git-", ignore_cleanup_errors=True) as borrower:
            _make(borrower, repository)
            until = _processor_seconds_of_gits() + min(_PROCESSOR_SECONDS, effort.left())
            git = functools.partial(_output, program, borrower, (time.monotonic() + SECONDS, until))
            return _worktree(repository, git)
    except (OSError, ValueError, subprocess.SubprocessError):
        return Worktree()


def _output(program: str, borrower: str, ends: tuple[float, float], words: list[str], environ: dict[str, str]) -> str:
    """What git says in our repository before it `ends`, by time.monotonic() and by the processor time of every git.

    Without an `environ` of its own it may fail: that asks for settings, of which there may be none. Raises OSError,
    subprocess.SubprocessError.
    """
    import subprocess  # noqa: PLC0415  see above

    deadline, until = ends
    seconds = max(_LEAST_SECONDS, until - _processor_seconds_of_gits())
    result = subprocess.run(
        [program, *words],
        cwd=borrower,  # since a `PATH` may hold `.`
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=max(0.0, deadline - time.monotonic()),
        check=bool(environ),
        preexec_fn=functools.partial(_limit, seconds) if sys.platform != "win32" else None,
        env={name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
        | {"GIT_DIR": borrower, "GIT_OPTIONAL_LOCKS": "0", "GIT_NO_LAZY_FETCH": "1", "LC_ALL": "C"}
        | environ,
    )
    return result.stdout.decode("utf-8", "replace")


def _processor_seconds_of_gits() -> float:
    """The processor time of each git that has ended, and of whatever else this process has started."""
    times = os.times()
    return times.children_user + times.children_system


def _limit(seconds: float) -> None:
    """Bound what the new process may take, before git takes its place."""
    if sys.platform != "win32":
        import resource  # noqa: PLC0415  not there
        import signal  # noqa: PLC0415  only here

        signal.setitimer(signal.ITIMER_PROF, seconds)  # a resource's limit knows only whole seconds; exec keeps this
        resource.setrlimit(resource.RLIMIT_DATA, (_MOST_BYTES, _MOST_BYTES))


def _make(borrower: str, repository: Repository) -> None:
    """Make our repository, at the same commit."""
    for name in ("refs", "objects", "info"):
        os.mkdir(os.path.join(borrower, name))
    contents = {
        "HEAD": repository.head or "ref: refs/heads/none",
        "config": "",
        "info/exclude": text_of(os.path.join(repository.common, "info", "exclude")),
    }
    for name, text in contents.items():
        with open(os.path.join(borrower, name), "w", encoding="utf-8", errors="surrogateescape") as file:
            file.write(text)


def _worktree(repository: Repository, git: Callable[[list[str], dict[str, str]], str]) -> Worktree:
    index, config = os.path.join(repository.directory, "index"), os.path.join(repository.common, "config")
    if any(os.path.lexists(path) and not os.path.isfile(path) for path in (index, config)):
        return Worktree()  # a pipe, for which git would wait
    environ = {
        "GIT_WORK_TREE": repository.worktree,
        "GIT_INDEX_FILE": index,
        "GIT_OBJECT_DIRECTORY": os.path.join(repository.common, "objects"),
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": os.devnull,
    }
    # What the person and then the repository say of how files are compared.
    settings = git(["config", "-z", "--includes", "--get-regexp", f"^core[.]({_KEYS}|excludesfile)$"], {})
    settings += git(["config", "-z", "--no-includes", "--file", config, "--get-regexp", f"^core[.]({_KEYS})$"], {})
    options = [word for one in settings.split("\0") if one for word in ("-c", one.replace("\n", "=", 1))]
    dirty = _dirty(git([*options, "-C", repository.worktree, *_STATUS], environ).split("\0"))
    return Worktree(repository.branch, repository.head, tuple(dirty[:_MOST]), len(dirty), repository.operation)


def _dirty(entries: list[str]) -> list[str]:
    """The entries, with a dot for what is unchanged; a renamed file's previous name is an entry of its own."""
    dirty: list[str] = []
    rest = iter(filter(None, entries))
    for entry in rest:
        state = entry[:2].replace(" ", ".")
        dirty.append(state + entry[2:])
        if "R" in state or "C" in state:
            next(rest, "")
    return dirty


def _program() -> str | None:
    """git, by its absolute path."""
    name = "git.exe" if sys.platform == "win32" else "git"
    paths = (os.path.join(directory, name) for directory in search_path.directories())
    return next((path for path in paths if os.access(path, os.X_OK) and os.path.isfile(path)), None)
