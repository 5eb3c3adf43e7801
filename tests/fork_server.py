"""A process that loads our modules once and forks for each request: `python -I fork_server.py DESCRIPTOR`.

Each fork becomes one of our processes with its own environment, directory and streams, and ends like any other.
Nothing runs in the server itself, so no request can leave anything for the next.
"""

import atexit
import gc
import importlib
import json
import os
import runpy
import socket
import sys
import time
from pathlib import Path
from typing import Any

REPOSITORY = Path(__file__).parents[1]
ROOMS = ("shared", "statusline", "monitor", "history", "commands", "installer")


def main() -> None:
    control = socket.socket(fileno=int(sys.argv[1]))
    load()
    gc.freeze()
    while True:
        size, descriptors, *_ = socket.recv_fds(control, 8, 4)
        if not size:
            return
        request = json.loads(control.recv(int.from_bytes(size), socket.MSG_WAITALL))
        child = os.fork()
        if child == 0:
            control.close()
            become(request, descriptors)
            return
        for descriptor in descriptors:
            os.close(descriptor)
        control.sendall(child.to_bytes(8, signed=True))
        _, status = os.waitpid(child, 0)
        control.sendall(os.waitstatus_to_exitcode(status).to_bytes(8, signed=True))


def load() -> None:
    """Import what our processes import, except the screen of `watch`, whose libraries are large."""
    sys.path.insert(0, str(REPOSITORY))
    for room in ROOMS:
        for path in sorted((REPOSITORY / room).rglob("*.py")):
            name = ".".join(path.relative_to(REPOSITORY).with_suffix("").parts).removesuffix(".__init__")
            if not name.endswith(".__main__") and not name.startswith("commands.watch."):
                importlib.import_module(name)


def become(request: dict[str, Any], descriptors: list[int]) -> None:
    """Run as the requested process until it ends."""
    directory, *streams = descriptors
    os.fchdir(directory)
    for number, (name, mode) in enumerate((("stdin", "r"), ("stdout", "w"), ("stderr", "w"))):
        os.dup2(streams[number], number)
        start = getattr(
            sys, name
        )  # encoding as the interpreter derived it from the locale, perhaps from the stream it writes to
        stream = open(number, mode, encoding=start.encoding, errors=start.errors, closefd=False)  # noqa: SIM115  the process's own
        setattr(sys, name, stream)
    for descriptor in descriptors:
        os.close(descriptor)
    os.environ.clear()
    os.environ.update(request["environ"])
    time.tzset()
    sys.argv[:] = request["argv"]
    try:
        if request["module"]:
            runpy.run_module(request["module"], run_name="__main__", alter_sys=True)
        else:
            runpy.run_path(sys.argv[0], run_name="__main__")
    except SystemExit as leaving:
        if not isinstance(leaving.code, int):
            raise
        # Exit as the interpreter does, without tearing down what the server has loaded, which takes 30 ms.
        atexit._run_exitfuncs()  # noqa: SLF001  has no public name
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(leaving.code)


if __name__ == "__main__":
    main()
