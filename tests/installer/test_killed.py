"""An installer killed at any of its writes leaves the old settings or the new ones, and can be run again."""

import errno
import itertools
import os
import shutil
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from installer import command, removal
from installer.checking import check
from installer.checking.check import Answers
from installer.program import environment, launchers, source
from tests.conftest import REPOSITORY
from tests.effort import share

if sys.platform == "win32":
    pytest.skip("needs fork", allow_module_level=True)

LINE = b'{ "type":"command", "command":"echo mine", "padding": 1.0 }'
CONTENTS = b'\xef\xbb\xbf{\r\n  "statusLine": ' + LINE + b',\r\n  "hooks": { }, "n": 1e5 }\r\n'
SETTINGS = ".claude/settings.json"
WRITES = {"os.rename", "os.remove", "os.mkdir", "os.rmdir", "os.chmod", "os.symlink", "os.link", "os.truncate"}
FREEING = {"os.remove", "os.rmdir"}
"""Those of them that a full disk allows."""
UNREACHED = 99

INSTALL = ["--yes"]
WITHOUT_LINE = ["--yes", "--no-statusline"]
UNINSTALL = ["--yes", "uninstall"]
# One write in so many, different ones on each Python; TORTURE=1 tries all of them.
SHARE = share(16)
# The operation done before, and the one that is killed.
OPERATIONS = {
    "install": ([], INSTALL),
    "leave the line out": ([INSTALL], WITHOUT_LINE),
    "take the line up again": ([INSTALL, WITHOUT_LINE], INSTALL),
    "reinstall": ([INSTALL], INSTALL),
    "uninstall": ([INSTALL], UNINSTALL),
}


Files = dict[str, bytes]


class Person:
    """A home, with the installer run in a fork of this process."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.stderr = home.with_name("stderr")
        self.settings = home / SETTINGS
        self.settings.parent.mkdir(parents=True)
        self.settings.write_bytes(CONTENTS)

    def run(self, arguments: list[str], number: int | None = None, by: signal.Signals | None = signal.SIGKILL) -> int:
        """The exit code, -9 if killed: `by` this signal at the write of this number.

        Without a signal, that write finds the disk full; the code is UNREACHED if fewer writes need room.
        """
        child = os.fork()
        if child == 0:
            code = 70
            try:
                null = os.open(os.devnull, os.O_RDWR)
                for descriptor in (0, 1, 2):
                    os.dup2(null, descriptor)
                sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115  until the end
                sys.stderr = self.stderr.open("w", encoding="utf-8", buffering=1)
                countdown = [] if number is None else [number]
                if countdown:
                    sys.addaudithook(_killer(str(self.home), countdown, by))
                code = command.main(arguments, str(REPOSITORY))
                if by is None and countdown[0] >= 0:
                    code = UNREACHED
            finally:
                os._exit(code)
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])

    def files(self) -> Files:
        """Every file but the backups, whose names contain the time."""
        file = (path for path in sorted(self.home.rglob("*")) if path.is_file() and path.suffix != ".bak")
        return {str(path.relative_to(self.home)): path.read_bytes() for path in file}

    def put_back(self, copy: Path) -> None:
        shutil.rmtree(self.home)
        shutil.copytree(copy, self.home)


def _killer(home: str, countdown: list[int], by: signal.Signals | None) -> Callable[[str, tuple[Any, ...]], None]:
    """An audit hook that decrements `countdown`, a single number, with each write."""

    def count(event: str, arguments: tuple[Any, ...]) -> None:
        writes = event in (WRITES if by is not None else WRITES - FREEING)
        if event == "open":
            writes = bool(arguments[2] & (os.O_WRONLY | os.O_RDWR | os.O_CREAT))
        # Within a tree that is removed, names are relative to a directory that is open.
        if writes and (str(arguments[0]).startswith(home) or not os.path.isabs(str(arguments[0]))):
            countdown[0] -= 1
            if countdown[0] == -1 and by is None:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), arguments[0])
            if countdown[0] == -1 and by is not None:
                os.kill(os.getpid(), by)

    return count


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Make the environment instantly and skip the self-check: only the writes matter here."""
    facts = {name: str(tmp_path / name) for name in ("packages", "config", "log", "history")}

    def build(path: str, *_: object) -> None:
        os.makedirs(os.path.join(path, "bin"))
        Path(path, "bin", "python").write_text("made")

    def copy(_: str, target: str) -> None:
        for name in launchers.PACKAGED.values():
            os.makedirs(os.path.dirname(os.path.join(target, name)), exist_ok=True)
            shutil.copy(REPOSITORY / name, os.path.join(target, name))

    monkeypatch.setattr(os, "fsync", lambda _: None)  # a killed process loses nothing that it has written
    monkeypatch.setattr(environment, "build", build)
    monkeypatch.setattr(environment, "run", lambda *_, **__: str(tmp_path))
    monkeypatch.setattr(source, "copy", copy)
    monkeypatch.setattr(removal, "_SETTLING", 0)
    monkeypatch.setattr(launchers, "ask", lambda *_: facts)
    monkeypatch.setattr(check, "run", lambda *_: Answers("line", "warning", (1, 1)))


@pytest.fixture
def person(quick: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Person:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.delenv("CLAUDE_CONFIG_DIR", raising=False)
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    return Person(tmp_path / "home")


def _tried(name: str, person: Person, backup: Path) -> tuple[list[str], Files, Files]:
    """An operation, with the person's files before it (copied to `backup`) and after it."""
    before, operation = OPERATIONS[name]
    for arguments in before:
        assert person.run(arguments) == 0
    shutil.copytree(person.home, backup)
    old = person.files()
    assert person.run(operation) == 0
    return operation, old, person.files()


@pytest.mark.parametrize("name", OPERATIONS)
def test_killed_at_any_write_it_leaves_old_or_new_and_the_persons_line(
    name: str, person: Person, tmp_path: Path
) -> None:
    operation, old, new = _tried(name, person, tmp_path / "before")
    for number in itertools.count(SHARE.start, SHARE.step):
        person.put_back(tmp_path / "before")
        code = person.run(operation, number)
        if code == 0:
            break
        assert code == -signal.SIGKILL
        shutil.copytree(person.home, tmp_path / "killed")

        assert person.files()[SETTINGS] in (old[SETTINGS], new[SETTINGS])
        assert person.run(operation) == 0
        assert person.files() == new  # a second run comes to the same end
        _leave(person)
        person.put_back(tmp_path / "killed")
        _leave(person)
        person.put_back(tmp_path / "killed")
        _leave_after_an_edit(person)
        shutil.rmtree(tmp_path / "killed")
    assert number > 15


@pytest.mark.parametrize("name", [name for name in OPERATIONS if name != "uninstall"])
def test_a_signal_at_any_write_undoes_everything_or_it_is_done(name: str, person: Person, tmp_path: Path) -> None:
    operation, old, new = _tried(name, person, tmp_path / "before")
    for number in itertools.count(SHARE.start, SHARE.step):
        person.put_back(tmp_path / "before")
        code = person.run(operation, number, signal.SIGTERM)
        if code == 0:
            break
        assert code == 1
        assert person.files() in (old, new)
        assert person.run(UNINSTALL) == 0
        assert person.settings.read_bytes() == CONTENTS
    assert number > 15


@pytest.mark.parametrize("name", OPERATIONS)
def test_a_full_disk_at_any_write_undoes_everything_or_it_is_done(name: str, person: Person, tmp_path: Path) -> None:
    operation, old, new = _tried(name, person, tmp_path / "before")
    for number in itertools.count(SHARE.start, SHARE.step):
        person.put_back(tmp_path / "before")
        code = person.run(operation, number, None)
        if code == UNREACHED:
            break
        assert (code, person.files()) in ((0, new), (1, old)), number
        _leave(person)
    assert number > (15 if name != "uninstall" else 0)


@pytest.mark.parametrize("name", [name for name in OPERATIONS if name != "uninstall"])
def test_if_renames_fail_it_says_what_is_not_restored(
    name: str, person: Person, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From some rename on all fail, as on a network disk whose server has gone."""
    operation, old, new = _tried(name, person, tmp_path / "before")
    few = share(4)
    for number in itertools.count(few.start, few.step):
        person.put_back(tmp_path / "before")
        with monkeypatch.context() as broken:
            left = [number]
            for rename in ("rename", "replace"):
                broken.setattr(os, rename, _failing(getattr(os, rename), left))
            code = person.run(operation)
        if code == 0:
            break
        problem = person.stderr.read_text("utf-8")
        assert "; not all is as it was before: " in problem or person.files() == old, problem
        assert (
            name == "install" or "/environment: " in problem or (person.home / ".claude/tidegauge/environment").exists()
        )
        assert person.run(operation) == 0
        assert person.files() == new
        _leave(person)
    assert number > 5


def _failing(rename: Callable[..., None], left: list[int]) -> Callable[..., None]:
    """A `rename` that works a limited number of times."""

    def failing(source: str, target: str, **at: Any) -> None:
        if left[0] == 0:
            raise OSError(errno.EIO, os.strerror(errno.EIO), source, None, target)
        left[0] -= 1
        rename(source, target, **at)

    return failing


def _leave(person: Person) -> None:
    assert person.run(UNINSTALL) == 0
    assert {str(path.relative_to(person.home)) for path in person.home.rglob("*")} == {".claude", SETTINGS}
    assert person.settings.read_bytes() == CONTENTS


def _leave_after_an_edit(person: Person) -> None:
    """Check that the person's line comes back from the record too, not just because the whole file does."""
    person.settings.write_bytes(person.settings.read_bytes() + b"\r\n")
    assert person.run(UNINSTALL) == 0
    assert b'"statusLine": ' + LINE in person.settings.read_bytes()
    assert b"tidegauge" not in person.settings.read_bytes()
