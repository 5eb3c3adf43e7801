"""Where a failure stops: a process of ours answers or is silent, and exits 0.

The client takes exit 2 as "block" and shows any other failure as a red line under every tool call, so nothing
but an answer may leave this file. A guard that blocks on purpose says so in its answer; a failure never does.
"""

import gc
import os
import sys
import time
from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

Result = TypeVar("Result")
LOG_LIMIT = 64 * 1024
"""Bytes of the log before it is rotated; there are never more than two files."""
_failures: list[str] = []
"""The names of the parts that failed in this process."""
PATIENCE_SECONDS = {"statusline": 2.5}
"""How long a process reads stdin at most: the client wants a line within three seconds, a hook within ten."""
BLOCK = 2
"""The exit code at which the client doesn't run the tool, and shows the model our stderr."""


class ProcessAnswer(NamedTuple):
    """A process's output for the client."""

    stdout: bytes = b""
    stderr: bytes = b""
    is_blocking: bool = False


def run(module: str, root: str) -> None:
    """Answer this process's stdin with `module`.main(stdin, root), bytes or a ProcessAnswer; exit 0, or 2 to block.

    `root` is Tidegauge's own directory (shared.paths). The module is imported inside the boundary, so that a
    half-replaced installation also fails open.
    """
    gc.disable()  # 2 ms of start-up; a process this short has nothing to collect
    name = module.partition(".")[0]
    code = 0
    try:
        start = time.process_time()
        __import__("shared.effort")
        __import__("shared.process.stdin")
        __import__(module)
        stdin = sys.modules["shared.process.stdin"].read(PATIENCE_SECONDS.get(name, 9.0))
        with sys.modules["shared.effort"].limited(start):
            answer = sys.modules[module].main(stdin, root)
        answer = answer if isinstance(answer, ProcessAnswer) else ProcessAnswer(answer)
        _write(2, answer.stderr)
        _write(1, answer.stdout)
        code = BLOCK if answer.is_blocking else 0
        if not _failures:
            _clear_failure(name, root)
    except Exception as problem:  # noqa: BLE001  the one boundary: a failure of ours must block nothing
        report(name, root, problem)
    # Not sys.exit: shutting the interpreter down costs 3 ms at every tool call, and nothing is left to do.
    os._exit(code)


def attempt(name: str, root: str, step: Callable[..., Result], *arguments: Any) -> Result | None:
    """Return what `step` returns; if it fails, report that and return None, so the rest of the process continues."""
    try:
        return step(*arguments)
    except Exception as problem:  # noqa: BLE001  the boundary's second half: one part of a process fails open
        report(name, root, problem)
    return None


def report(name: str, root: str, problem: Exception) -> None:
    """Add a line about `problem` to the bounded log, and leave the mark that the status line shows."""
    _failures.append(name)
    try:
        from shared import paths  # noqa: PLC0415  may itself be what failed to import
        from shared.files import files  # noqa: PLC0415  may itself be what failed to import

        where = _innermost(problem)
        line = f"{time.strftime('%Y-%m-%d %H:%M:%S')} {name}: {type(problem).__name__}: {problem} ({where})"
        line = "".join(c if c.isprintable() else " " for c in line)[:500]
        files.append_bounded(paths.log_file(root), line.encode("utf-8", "replace") + b"\n", LOG_LIMIT)
        files.write_atomic(paths.failure_mark(root, name), line.encode("utf-8", "replace"))
    except Exception:  # noqa: BLE001  a failure to report has nowhere left to go
        pass


def _innermost(problem: Exception) -> str:
    """The file and line where `problem` was raised. The traceback module would cost 2 ms."""
    step, where = problem.__traceback__, "?"
    while step is not None:
        where = f"{os.path.basename(step.tb_frame.f_code.co_filename)}:{step.tb_lineno}"
        step = step.tb_next
    return where


def _clear_failure(name: str, root: str) -> None:
    """Remove the mark of an earlier failure: the badge is about the last run only."""
    try:
        os.unlink(sys.modules["shared.paths"].failure_mark(root, name))
    except (OSError, KeyError):
        pass


def _write(descriptor: int, data: bytes) -> None:
    try:
        while data:
            data = data[os.write(descriptor, data) :]
    except OSError:  # the client has cancelled this run and no longer reads
        pass
