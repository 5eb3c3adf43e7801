"""A process of its own for the copying of a transcript: a hook has seconds, and 200 MB take minutes."""

import os
import sys

from monitor.exporting.copy import copy
from shared.files.directory import Directory
from shared.process.boundary import attempt

_PROGRAM = "import sys; sys.path[:] = sys.argv[5:]; from monitor.exporting.background import main; main()"


def start(root: str, transcript: str, directory: Directory) -> None:
    """Have both copies written into `directory`; nobody waits for it. Raises OSError."""
    held = [] if directory.descriptor is None else [directory.descriptor]
    arguments = [root, transcript, directory.path, "".join(map(str, held)), *filter(os.path.isabs, sys.path)]
    import subprocess  # noqa: PLC0415  8 ms that only such an export pays

    # Searched for where this process, which is isolated, was started from. In a session of its own: a client that ends
    # takes along what its hooks have left running in theirs.
    started = subprocess.Popen(
        [sys.executable, "-I", "-c", _PROGRAM, *arguments],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        cwd=directory.path,
        pass_fds=held,
        start_new_session=True,
    )
    started.returncode = 0  # nobody waits for it, which Python would else complain of


def main() -> None:
    """The process."""
    root, transcript, path, descriptor = sys.argv[1:5]
    attempt("export", root, copy, transcript, Directory(path, int(descriptor) if descriptor else None))
