"""A foreign command, run in a shell as the client would, for a bounded time and without leaving processes behind."""

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from threading import Thread
from types import FrameType
from typing import IO

import msgspec

from shared.client import client
from shared.settings.config import WRAPPED_BYTES

_POLL_SECONDS = 0.01
_ENDINGS = ("SIGTERM", "SIGHUP", "SIGINT")


class CommandResult(msgspec.Struct, frozen=True):
    stdout: bytes = b""
    status: int | None = None
    """The exit code; None if it took too long or printed too much."""


class Command:
    """A running command. The client ends us when it wants a newer line; the command then ends too."""

    def __init__(
        self,
        command: str,
        stdin: bytes,
        environ: Mapping[str, str] | None = None,
        directory: str | None = None,
        *,
        is_ended_with_us: bool = True,
    ) -> None:
        """Start it, with our environment and directory unless others are given.

        Without `is_ended_with_us`, our signal handlers stay as they are. Raises OSError, ValueError for a command that
        can't be passed to a shell, and RuntimeError if no thread can be started to feed it.
        """
        self._started = time.monotonic()
        self._is_cancelled = False
        for name in _ENDINGS:
            if is_ended_with_us and hasattr(signal, name):
                signal.signal(getattr(signal, name), self._cancel)
        self._process = subprocess.Popen(
            _in_shell(command),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environ,
            cwd=directory,
            start_new_session=True,  # a group of its own, which can be ended whole
        )
        if self._is_cancelled:
            self._cancel(0, None)
        pipe, self._process.stdin = self._process.stdin, None
        try:
            Thread(target=_feed, args=(pipe, stdin), daemon=True).start()
        except RuntimeError:
            self.kill()
            for open_pipe in (pipe, self._process.stdout):
                if open_pipe is not None:
                    open_pipe.close()
            raise

    def output(self, seconds: float) -> bytes:
        """Its output within `seconds` of its start; empty if it takes longer, fails or prints too much."""
        result = self.result(seconds)
        return result.stdout if result.status == 0 else b""

    def result(self, seconds: float) -> CommandResult:
        """Its result within `seconds` of its start; it is killed if it takes longer or prints too much."""
        deadline = self._started + seconds
        try:
            if sys.platform == "win32":
                printed, _ = self._process.communicate(timeout=max(0, deadline - time.monotonic()))
            else:
                printed = self._read(deadline)
            status = self._process.wait(max(0, deadline - time.monotonic()))
        except subprocess.TimeoutExpired:
            self.kill()
            return CommandResult()
        finally:
            if self._process.stdout is not None:
                self._process.stdout.close()
        return CommandResult(printed, status)

    def kill(self) -> None:
        """Kill the command and all processes that it has started."""
        if sys.platform == "win32":
            subprocess.run(["taskkill", "/T", "/F", "/PID", str(self._process.pid)], capture_output=True, check=False)
            return
        try:
            os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait(_POLL_SECONDS)
        except (OSError, subprocess.TimeoutExpired):
            pass

    def _cancel(self, _signal: int, _frame: FrameType | None) -> None:
        self._is_cancelled = True
        if hasattr(self, "_process"):  # otherwise it is just being started
            self.kill()
            os._exit(0)

    def _read(self, deadline: float) -> bytes:
        """Read to the output's end or the command's exit: a child may keep the pipe open. Raises TimeoutExpired."""
        import select  # noqa: PLC0415  doesn't work on Windows' pipes

        assert self._process.stdout is not None  # noqa: S101  for mypy: it is a pipe
        source, received = self._process.stdout.fileno(), b""
        while (seconds := deadline - time.monotonic()) > 0 and len(received) <= WRAPPED_BYTES:
            has_exited = self._process.poll() is not None
            readable, _, _ = select.select([source], [], [], min(seconds, _POLL_SECONDS))
            if readable:
                data = os.read(source, 1 << 16)
                received += data
                if not data:
                    return received
            elif has_exited:
                return received
        raise subprocess.TimeoutExpired("", 0)


def _feed(pipe: IO[bytes], stdin: bytes) -> None:
    try:
        with pipe:
            pipe.write(stdin)
    except OSError:  # the command doesn't read its stdin
        pass


def _in_shell(command: str) -> list[str]:
    """The command as the client runs it: with sh; on Windows with Git's, or else with PowerShell."""
    if sys.platform != "win32":
        return ["/bin/sh", "-c", command]
    shell = os.environ.get(client.SHELL_VARIABLE) or shutil.which("sh")
    return [shell, "-c", command] if shell else ["powershell", "-NoProfile", "-Command", command]
