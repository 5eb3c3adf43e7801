"""The real processes, run on a made-up session in a temporary directory: nothing of the person's is changed."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

import msgspec

from commands.command import CommandError
from commands.demo import playback
from commands.demo.playback import PlaybackStep
from installer.checking import check, samples
from installer.install_error import InstallError
from shared import paths
from shared.client import client, client_settings
from shared.files import files
from shared.gauge.limit import Limit, limit_of
from shared.gauge.window import WindowSize, WindowSource

_SECONDS = 20
# As in the installer's entry scripts, plus the clone's path, which an isolated interpreter lacks.
_START = "import sys; sys.path.insert(0, sys.argv[3]); from shared.process.boundary import run; run(*sys.argv[1:3])"
_PACKAGES = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(files.__file__))))


class Stage(msgspec.Struct, frozen=True):
    """A separate Tidegauge with the person's configuration."""

    root: str
    transcript: str
    environ: Mapping[str, str]

    def limit(self, window: int) -> Limit:
        """The limit of a window of `window` tokens, for the simulated model."""
        settings = client_settings.read(samples.MODEL, samples.CLIENT, self.environ, os.path.dirname(self.root), ())
        limit = limit_of(samples.MODEL, WindowSize(window, WindowSource.BRIDGE), self.environ, samples.CLIENT, settings)
        return limit or Limit(window, "assumed", is_compacted=True)

    def draw(self, step: PlaybackStep | None, window: int) -> str:
        return self._answer("statusline", "line", playback.status_payload(step, window, self.transcript)).decode()

    def use_tool(self, step: PlaybackStep) -> str:
        """Advance the session by a step, and return the message to the agent, or an empty string."""
        with open(self.transcript, "ab") as file:
            file.write(playback.transcript_line(step))
        answer = self._answer("monitor", "dispatch", playback.hook_payload(step, self.transcript))
        try:
            return check.context(answer.decode(), "the monitor") or ""
        except InstallError as problem:
            raise CommandError(str(problem)) from None

    def _answer(self, process: str, module: str, payload: bytes) -> bytes:
        command = [sys.executable, "-I", "-c", _START, f"{process}.{module}", self.root, _PACKAGES]
        project, env = os.path.dirname(self.transcript), dict(self.environ)
        try:
            result = subprocess.run(
                command, input=payload, capture_output=True, env=env, cwd=project, timeout=_SECONDS, check=False
            )
        except subprocess.TimeoutExpired:
            raise CommandError(f"the {process} process did not answer within {_SECONDS} s") from None
        mark = files.read_or_none(paths.failure_mark(self.root, process))
        if result.returncode or mark is not None:
            text = (mark or result.stderr).decode(errors="replace").strip().rpartition("\n")[2]
            raise CommandError(f"the {process} process failed: {text} (see tidegauge doctor)")
        return result.stdout


@contextmanager
def stage(root: str, environ: Mapping[str, str]) -> Iterator[Stage]:
    with tempfile.TemporaryDirectory(prefix="tidegauge-demo-") as home:
        own = os.path.join(home, "client", "tidegauge")
        project = os.path.join(home, "shop")
        os.makedirs(paths.run_directory(own), files.PRIVATE_DIRECTORY)
        os.mkdir(project)
        directories = paths.Directories(paths.directories(root).config, home, home)
        files.write_atomic(os.path.join(own, "directories.json"), msgspec.json.encode(directories))
        private = {
            **samples.settings(paths.run_directory(own)),
            client.CONFIG_DIRECTORY_VARIABLE: os.path.dirname(own),
        }
        yield Stage(own, os.path.join(project, f"{playback.SESSION}.jsonl"), {**environ, **private})
