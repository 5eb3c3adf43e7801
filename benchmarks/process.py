"""One fresh process, started and fed as by the client: its time, its answer, its peak memory."""

import os
import select
import socket
import subprocess
import sys
import time
from typing import NamedTuple

from benchmarks.case import Case, check

PEAK = os.path.join(os.path.dirname(os.path.abspath(__file__)), "peak.py")
PATIENCE_SECONDS = 30


class TimedRun(NamedTuple):
    """One process's run."""

    seconds: float
    """From before it was started until it was reaped."""
    processor_seconds: float
    """Of the process and its children, system time included."""
    output: bytes


def run(case: Case, *, is_checked: bool = True) -> TimedRun:
    """Run `case` once. Raises Unexpected for another answer than the expected one, when it `is_checked`."""
    case.prepare()
    ours, stdin = socket.socketpair()  # the client's hooks find a socket there, not a pipe
    readable, stdout = os.pipe()
    with ours, stdin, open(os.devnull, "wb") as stderr:
        ours.sendall(case.stdin)
        ours.shutdown(socket.SHUT_WR)
        redirected = [(os.POSIX_SPAWN_DUP2, from_, to) for from_, to in ((stdin.fileno(), 0), (stdout, 1))]
        redirected.append((os.POSIX_SPAWN_DUP2, stderr.fileno(), 2))
        started = time.perf_counter()
        child = os.posix_spawnp(case.command[0], case.command, case.environment, file_actions=redirected)
        os.close(stdout)
        _, status, usage = os.wait4(child, 0)
        seconds = time.perf_counter() - started
    output = _rest(readable)
    if is_checked:
        check(case, os.waitstatus_to_exitcode(status), output)
    return TimedRun(seconds, usage.ru_utime + usage.ru_stime, output)


def peak(case: Case) -> float:
    """The peak memory of one run, in MiB; a small helper starts it: a child's peak counts its parent's pages."""
    case.prepare()
    command = [sys.executable, "-I", "-S", PEAK, *case.command]
    result = subprocess.run(
        command,
        input=case.stdin,
        env=dict(case.environment),
        capture_output=True,
        timeout=PATIENCE_SECONDS,
        check=False,
    )
    check(case, result.returncode, result.stdout)
    return int(result.stderr.split()[-1]) / (1 << 20)


def _rest(readable: int) -> bytes:
    """What is in the pipe now; a process left behind by the command may still hold it open."""
    output = b""
    while select.select([readable], [], [], 0)[0] and (data := os.read(readable, 1 << 16)):
        output += data
    os.close(readable)
    return output
