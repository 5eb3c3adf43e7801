"""Nothing outside the project is written or removed when a folder becomes a link between two of our steps."""

import json
import os
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from monitor.checkpoints import folder as checkpoints
from monitor.checkpoints.checkpoint import Checkpoint, ContextState, SessionInfo
from monitor.exporting import folder as exports
from monitor.exporting.folder import prune
from monitor.numbered_folder import OutsideProjectError
from monitor.session import Project, Session
from shared.project_files import CHECKPOINTS, RESUMED
from shared.settings.config import Config

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="names by path alone, and links need a privilege")
CALLS = ("open", "mkdir", "rename", "replace", "unlink", "rmdir", "listdir")
"""Of the system, before each of which another process may have its turn."""
MANY = 40
"""Calls: with fewer, something has kept us from writing at all."""


class Work:
    """Our work in a project, and a directory outside it with the same names."""

    def __init__(self, home: Path) -> None:
        home = Path(os.path.realpath(home))
        self.directory, self.outside = home / "shop", home / "outside"
        self.project = Project(str(self.directory), str(self.directory))
        self.session = Session(str(home / "root"), Config(), {}, time.time())
        self.directory.mkdir()
        (home / "root").mkdir()
        places = dict.fromkeys(("config", "log", "history"), str(home / "data"))  # else the person's own
        (home / "root" / "directories.json").write_text(json.dumps(places))
        self.work()
        self.work()
        for folder in ("", "checkpoints", "exports", "tidegauge/checkpoints", "tidegauge/exports"):
            (self.outside / folder / "001-export").mkdir(parents=True)
            (self.outside / folder / "001-export" / "session.md").write_text("theirs")
            for path in (self.directory / CHECKPOINTS).iterdir():
                (self.outside / folder / path.name).write_bytes(path.read_bytes())

    def work(self) -> None:
        """Replace the last checkpoint by a new one, mark it; write an export and remove the last one."""
        info = SessionInfo("shop", None, str(self.directory), "s", "auto", str(self.directory))
        checkpoint = Checkpoint("", "2026-01-01T00:00:00+00:00", 0, ContextState(), info)
        with suppress(OSError, OutsideProjectError):
            folder = checkpoints.folder_of(self.session, self.project)
            checkpoints.mark(folder, checkpoints.add(folder, checkpoint, 1).name, RESUMED)
        with (
            suppress(OSError, OutsideProjectError),
            exports.new_export(self.session.root, self.project, None, "export") as new,
            new.create("session.md") as file,
        ):
            file.write(b"ours")
        with suppress(OSError, OutsideProjectError):
            prune(self.session, self.project, 1, 1 << 20)

    def contents(self) -> dict[str, bytes]:
        return {str(path): path.read_bytes() for path in sorted(self.outside.rglob("*")) if path.is_file()}


class Intruder:
    """Puts a link in place of `path` before the call whose turn it is, until the next call if `is_brief`."""

    def __init__(self, path: Path, outside: Path, *, is_brief: bool) -> None:
        self._path, self._outside, self._is_brief = path, outside, is_brief
        self._real = {name: getattr(os, name) for name in CALLS}
        self.turn = self.calls = 0

    def watch(self, patch: pytest.MonkeyPatch) -> None:
        self.calls = 0
        for name in CALLS:
            patch.setattr(os, name, self._interrupted(name))

    def _interrupted(self, name: str) -> Callable[..., Any]:
        def call(*arguments: Any, **options: Any) -> Any:
            self._step()
            return self._real[name](*arguments, **options)

        return call

    def _step(self) -> None:
        self.calls += 1
        if self.calls == self.turn and self._path.exists():
            self._real["rename"](self._path, f"{self._path}.aside")
            os.symlink(self._outside, self._path)
        elif self.calls > self.turn and self._is_brief:
            self.leave()

    def leave(self) -> None:
        if self._path.is_symlink():
            self._real["unlink"](self._path)
            self._real["rename"](f"{self._path}.aside", self._path)


@pytest.mark.parametrize("link", ["tidegauge", "tidegauge/checkpoints", "tidegauge/exports"])
@pytest.mark.parametrize("is_brief", [False, True])
def test_nothing_is_written_outside_the_project_when_a_folder_becomes_a_link(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    link: str,
    is_brief: bool,
) -> None:
    work = Work(tmp_path)
    before = work.contents()
    intruder = Intruder(work.directory / ".claude" / link, work.outside, is_brief=is_brief)
    while intruder.turn <= intruder.calls:
        intruder.turn += 1
        with monkeypatch.context() as patch:
            intruder.watch(patch)
            work.work()
        intruder.leave()
        assert work.contents() == before, f"at call {intruder.turn} of {intruder.calls}"
    assert intruder.turn > MANY
