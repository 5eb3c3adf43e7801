"""Run one of our processes without its start-up, which is most of its time: a server that has loaded us forks it.

Such a process does what a started one does, down to its streams and exit code. It doesn't test how one starts (which
interpreter, which modules, in which order); tests of that start a real one (`IS_FORKED`, scratch.command).
"""

import atexit
import contextlib
import json
import os
import selectors
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

SERVER = Path(__file__).with_name("fork_server.py")
# Not on Windows, and not where coverage has to see what these processes reach: it enters them as they start.
IS_FORKED = hasattr(os, "fork") and not any(name.startswith("COVERAGE_") for name in os.environ)
# Variables that an interpreter reads as it starts.
_AT_START = ("PYTHON", "LC_", "LANG")


class Server:
    """The forking process, which takes one request at a time."""

    def __init__(self) -> None:
        self.control, theirs = socket.socketpair()
        with theirs:
            command = [sys.executable, "-I", str(SERVER), str(theirs.fileno())]
            self.process = subprocess.Popen(command, pass_fds=[theirs.fileno()], stdin=subprocess.DEVNULL)
        atexit.register(self.end)

    def end(self) -> None:
        self.control.close()
        self.process.wait()

    def start(self, request: Mapping[str, object], descriptors: Sequence[int]) -> int:
        """Start a process with these descriptors (directory, stdin, stdout, stderr) and return its pid."""
        text = json.dumps(request).encode()
        socket.send_fds(self.control, [len(text).to_bytes(8)], descriptors)
        self.control.sendall(text)
        return self._receive()

    def exit_code(self) -> int:
        """The process's exit code, once it has ended; a signal's number is negative, as in subprocess."""
        return self._receive()

    def _receive(self) -> int:
        number = self.control.recv(8, socket.MSG_WAITALL)
        assert len(number) == 8, "the server has ended"
        return int.from_bytes(number, signed=True)


_idle: list[Server] = []


def run(
    argv: Sequence[str],
    stdin: bytes,
    *,
    environ: Mapping[str, str],
    directory: str = os.curdir,
    timeout: float,
    module: str = "",
) -> subprocess.CompletedProcess[bytes]:
    """The result of `python -I -m module` with these arguments, or of the script argv[0] without `module`.

    Raises subprocess.TimeoutExpired; the process is killed.
    """
    request = {"argv": list(argv), "environ": dict(environ), "module": module}
    server = _idle.pop() if _idle else Server()
    with contextlib.ExitStack() as opened, tempfile.TemporaryFile() as file:
        file.write(stdin)
        file.seek(0)
        place = os.open(directory, os.O_RDONLY)
        (out, theirs), (errors, their_errors) = os.pipe(), os.pipe()
        for reader in (out, errors):
            opened.callback(os.close, reader)
        pid = server.start(request, [place, file.fileno(), theirs, their_errors])
        for descriptor in (place, theirs, their_errors):
            os.close(descriptor)
        try:
            stdout, stderr = _read([out, errors], timeout)
        except TimeoutError:
            os.kill(pid, signal.SIGKILL)
            raise subprocess.TimeoutExpired(list(argv), timeout) from None
        finally:
            code = server.exit_code()
            _idle.append(server)
    return subprocess.CompletedProcess(list(argv), code, stdout, stderr)


def can_run(environ: Mapping[str, str]) -> bool:
    """Whether a forked process behaves like a started one with `environ` added to its environment."""
    return IS_FORKED and not any(name.startswith(_AT_START) for name in environ)


def _read(readers: list[int], timeout: float) -> list[bytes]:
    """Everything written to these pipes. Raises TimeoutError."""
    ending = time.monotonic() + timeout
    texts = dict.fromkeys(readers, b"")
    with selectors.DefaultSelector() as waiting:
        for reader in readers:
            waiting.register(reader, selectors.EVENT_READ)
        while waiting.get_map():
            ready = waiting.select(ending - time.monotonic())
            if not ready and time.monotonic() >= ending:
                raise TimeoutError
            for key, _ in ready:
                text = os.read(key.fd, 65_536)
                texts[key.fd] += text
                if not text:
                    waiting.unregister(key.fd)
    return list(texts.values())
