"""The peak memory of a process, as POSIX's wait4 reports it."""

import subprocess
import sys
from collections.abc import Mapping, Sequence

_MEASURE = """
import os, sys
child = os.fork()
if not child:
    os.execv(sys.argv[1], sys.argv[1:])
_, status, usage = os.wait4(child, 0)
sys.stderr.write(f"{os.waitstatus_to_exitcode(status)} {usage.ru_maxrss * (1 if sys.platform == 'darwin' else 1024)}")
"""


def measure(command: Sequence[str], stdin: bytes = b"", env: Mapping[str, str] | None = None) -> tuple[bytes, int, int]:
    """Run `command`; return its output, its exit code and its peak memory in bytes.

    A small helper process starts it: a child begins with the peak of the process that it was forked from.
    """
    words = [sys.executable, "-I", "-S", "-c", _MEASURE, *command]
    result = subprocess.run(words, input=stdin, capture_output=True, env=env, timeout=60, check=True)
    code, peak = result.stderr.split()[-2:]
    return result.stdout, int(code), int(peak)
