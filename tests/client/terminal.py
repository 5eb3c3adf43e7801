"""A tmux terminal on a private socket, which a person types into and reads."""

import contextlib
import os
import re
import shlex
import signal
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

import psutil

ROWS = 45
SPINNER = r"\n. [^\s…]+…"
"""What the client shows above the prompt while it waits for an answer."""


class Terminal:
    """One command in one pane, `columns` wide; closing it ends the command."""

    def __init__(self, folder: Path, command: Sequence[str], env: Mapping[str, str], columns: int = 140) -> None:
        settings = folder / "tmux.conf"
        settings.write_text("set -g remain-on-exit on\n")  # keeps a command's last output readable
        self._tmux = ["tmux", "-S", str(folder / "socket"), "-f", str(settings)]
        words = shlex.join(["env", "-i", *(f"{name}={value}" for name, value in env.items()), *command])
        self._start = ["new-session", "-d", "-x", str(columns), "-y", str(ROWS), f"exec {words}"]

    def __enter__(self) -> Self:
        self._run(*self._start)
        self._pid = int(self._ask("pane_pid"))
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Ask the command to end, and let it finish writing before the terminal goes."""
        try:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self._pid, signal.SIGTERM)
            deadline = time.monotonic() + 10
            while self._is_running() and time.monotonic() < deadline:
                time.sleep(0.02)
        finally:
            subprocess.run([*self._tmux, "kill-server"], check=False, capture_output=True)

    def screen(self) -> str:
        """The text on the screen, lines as the terminal shows them."""
        return self._run("capture-pane", "-p")

    def wait(self, shows: Callable[[str], bool], what: str, seconds: float = 30) -> str:
        """The first screen for which `shows` holds."""
        deadline, pause = time.monotonic() + seconds, 0.05
        while not shows(screen := self.screen()):
            if time.monotonic() > deadline or (not self._is_running() and self._ask("pane_dead") == "1"):
                raise AssertionError(f"not on the screen (given {seconds} s): {what}\n{screen}")
            time.sleep(pause)
            pause = min(pause * 1.25, 0.15)  # each check starts a process, and three terminals share two processors
        return screen

    def wait_for(self, pattern: str, seconds: float = 30) -> str:
        return self.wait(lambda screen: re.search(pattern, screen) is not None, pattern, seconds)

    def resize(self, columns: int) -> None:
        self._run("resize-window", "-x", str(columns), "-y", str(ROWS))

    def type(self, text: str) -> None:
        """Type a line, and press Enter once the screen shows it, as the client may drop an earlier one."""
        self._run("send-keys", "-l", text)
        self.wait(lambda screen: text in screen, text)
        self.press("Enter")

    def press(self, key: str) -> None:
        self._run("send-keys", key)

    def press_until(self, key: str, shows: Callable[[str], bool], what: str) -> None:
        """Press a key, again every five seconds: the client may drop it while it draws a dialog."""
        deadline = time.monotonic() + 30
        while True:
            self.press(key)
            try:
                self.wait(shows, what, seconds=5)
            except AssertionError:
                if time.monotonic() > deadline:
                    raise
            else:
                return

    def _is_running(self) -> bool:
        """Whether the command still runs; tmux sometimes reaps an ended one only at its own exit."""
        try:
            return psutil.Process(self._pid).status() != psutil.STATUS_ZOMBIE
        except psutil.NoSuchProcess:
            return False

    def _ask(self, name: str) -> str:
        return self._run("display-message", "-p", f"#{{{name}}}").strip()

    def _run(self, *words: str) -> str:
        return subprocess.run([*self._tmux, *words], check=True, capture_output=True, text=True).stdout
