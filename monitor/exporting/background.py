"""A process of its own for the copying of a long transcript: a hook has seconds, and 200 MB take a minute."""

import os
import sys

from monitor.exporting.copy import copy
from shared.boundary import attempt

_PROGRAM = "import sys; sys.path[:] = sys.argv[4:]; from monitor.exporting.background import main; main()"


def start(root: str, transcript: str, directory: str) -> None:
    """Have both copies written into `directory`; nobody waits for it. Raises OSError."""
    import subprocess  # noqa: PLC0415  8 ms that only such an export pays

    # Searched for where this process, which is isolated, has found us. In a session of its own: a client that ends
    # takes along what its hooks have left running in theirs.
    started = subprocess.Popen(
        [sys.executable, "-I", "-c", _PROGRAM, root, transcript, directory, *filter(os.path.isabs, sys.path)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        cwd=directory,
        start_new_session=True,
    )
    started.returncode = 0  # nobody waits for it, which Python would else complain of


def main() -> None:
    """The process."""
    root, transcript, directory = sys.argv[1:4]
    attempt("export", root, copy, transcript, directory)
