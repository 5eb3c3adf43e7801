"""The state of the project's repository according to git, within a time limit.

A repository's own configuration may name programs that git runs: filters, a file system monitor, a remote helper. So
git is never started in the repository, but in an empty one of ours that borrows its index and objects. It reads no
configuration that could name a program, and nothing but git runs.
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
_PROCESSOR_SECONDS, _LEAST_SECONDS, _MOST_BYTES = 1.0, 0.1, 256 << 20
"""The kernel's limits for git, where it has them: patterns, or a file to convert, may need any amount. Each git process
gets the least, even when our own time is over (shared.effort)."""
_MOST = 40
"""Dirty files that are named."""
_KEYS = "filemode|ignorecase|symlinks|precomposeunicode|autocrlf|eol"
"""Keys of `core` that affect how files are compared. None of them names a program."""
_STATUS = (
    "status",
    "--porcelain=v1",
    "-z",
    "--untracked-files=normal",
    "--ignore-submodules=dirty",
    "--find-renames=100%",  # by ids alone: git might fetch missing objects from a remote
)


class Worktree(msgspec.Struct, frozen=True):
    """The state of a worktree; empty without a repository, git or time."""

    branch: str | None = None
    head: str | None = None
    dirty: tuple[str, ...] = ()
    """The first entries of `git status`, as `XY path`."""
    count: int = 0
    operation: str = ""
    """The unfinished operation of git."""


def inspect(directory: str, working_directory: str = "") -> Worktree:
    """The state of the worktree of `directory`, or of `working_directory` if that is in the same repository."""
    import subprocess  # noqa: PLC0415  8 ms, only for a checkpoint
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
    """The output of git in our repository, bounded by `ends`: time.monotonic(), and the processor time of all gits.

    Without `environ` a failing exit code is accepted: the command reads settings, which may be missing. Raises OSError,
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
    """The processor time of all gits that have ended, and of any other child of this process."""
    times = os.times()
    return times.children_user + times.children_system


def _limit(seconds: float) -> None:
    """Set the limits of the new process before it executes git."""
    if sys.platform != "win32":
        import resource  # noqa: PLC0415  Windows has none
        import signal  # noqa: PLC0415  only here

        signal.setitimer(signal.ITIMER_PROF, seconds)  # setrlimit only knows whole seconds; exec keeps the timer
        resource.setrlimit(resource.RLIMIT_DATA, (_MOST_BYTES, _MOST_BYTES))


def _make(borrower: str, repository: Repository) -> None:
    """Create our repository, at the same commit."""
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
        return Worktree()  # a pipe, on which git would block
    environ = {
        "GIT_WORK_TREE": repository.worktree,
        "GIT_INDEX_FILE": index,
        "GIT_OBJECT_DIRECTORY": os.path.join(repository.common, "objects"),
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": os.devnull,
    }
    # How the person's configuration and then the repository's compare files.
    settings = git(["config", "-z", "--includes", "--get-regexp", f"^core[.]({_KEYS}|excludesfile)$"], {})
    settings += git(["config", "-z", "--no-includes", "--file", config, "--get-regexp", f"^core[.]({_KEYS})$"], {})
    options = [word for one in settings.split("\0") if one for word in ("-c", one.replace("\n", "=", 1))]
    dirty = _dirty(git([*options, "-C", repository.worktree, *_STATUS], environ).split("\0"))
    return Worktree(repository.branch, repository.head, tuple(dirty[:_MOST]), len(dirty), repository.operation)


def _dirty(entries: list[str]) -> list[str]:
    """The entries, with a dot for an unchanged side; a renamed file's previous name, a separate entry, is dropped."""
    dirty: list[str] = []
    rest = iter(filter(None, entries))
    for entry in rest:
        state = entry[:2].replace(" ", ".")
        dirty.append(state + entry[2:])
        if "R" in state or "C" in state:
            next(rest, "")
    return dirty


def _program() -> str | None:
    name = "git.exe" if sys.platform == "win32" else "git"
    paths = (os.path.join(directory, name) for directory in search_path.directories())
    return next((path for path in paths if os.access(path, os.X_OK) and os.path.isfile(path)), None)
