"""A home, and an installer that doesn't wait for the network: a stand-in for uv links this machine's libraries."""

import os
import pty
import shlex
import stat
import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import Any

import pytest

from installer.program import source
from tests import forks
from tests.conftest import REPOSITORY, environ_of

# It copies an environment of links: `python -m venv` takes longer than what most tests are about.
UV = """#!/bin/sh
# uv venv ... PATH; uv pip install --quiet --python PYTHON ...
[ -z "$FAKE_UV_FAILS" ] || { echo "error: $FAKE_UV_FAILS" >&2; exit 1; }
[ -z "$FAKE_UV_WAITS" ] || { : >"$FAKE_UV_WAITS"; sleep 60; }
[ "$1" = venv ] || exit 0
for path; do :; done
cp -RP ENVIRONMENT "$path"
[ -z "$FAKE_UV_SPOILS" ] || mkdir "$path/$FAKE_UV_SPOILS"
"""
NOWHERE: dict[str, Any] = {
    "PIP_INDEX_URL": "http://127.0.0.1:9/",
    "PIP_EXTRA_INDEX_URL": "",
    "PIP_FIND_LINKS": "",
    "PIP_CONFIG_FILE": os.devnull,
    "PIP_RETRIES": "1",
    "PIP_NO_CACHE_DIR": "1",
}
"""An environment in which pip finds nothing, and soon."""
LINKING = Path(__file__).with_name("linking.py")
_TIMEOUT = 300
"""Seconds that no installer takes."""
LIBRARIES = ("msgspec", "platformdirs", "psutil", "tomlkit", "wcwidth", "yaml")


class Home:
    """A person's home and a project in it, in which the installer is run."""

    def __init__(self, path: Path, commands: Path) -> None:
        self.path = path
        self.client = path / ".claude"
        self.settings = self.client / "settings.json"
        self.installer = LINKING
        self.root = self.client / "tidegauge"
        self.project = path / "project"
        self.project.mkdir(parents=True)
        self.environ = environ_of(path) | {"PATH": f"{commands}:{os.environ['PATH']}"}

    def write(self, contents: bytes) -> None:
        self.client.mkdir(exist_ok=True)
        self.settings.write_bytes(contents)

    def configure(self, toml: str) -> None:
        path = self.path / ".config" / "tidegauge" / "config.toml"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(toml, encoding="utf-8")

    def install(self, *arguments: str, source: Path | None = None, **environ: str) -> subprocess.CompletedProcess[str]:
        """Run the installer of the directory `source`, of ours by default."""
        script = source / "install.py" if source else self.installer
        return self.run([sys.executable, str(script), *arguments], environ)

    def tidegauge(self, *arguments: str, **environ: str) -> subprocess.CompletedProcess[str]:
        """Run the installed command."""
        return self.run([str(self.root / "bin" / "tidegauge"), *arguments], environ)

    def installed(self, *arguments: str) -> str:
        result = self.install(*arguments)
        assert (result.returncode, result.stderr) == (0, "")
        return result.stdout

    def answer(self, *answers: str) -> str:
        """Install on a terminal with these answers, a line each; return the output."""
        result = self.answering(*answers)
        assert (result.returncode, result.stderr) == (0, "")
        return result.stdout

    def answering(self, *answers: str) -> subprocess.CompletedProcess[str]:
        """Run an installer on a terminal with these answers, a line each."""
        ours, theirs = pty.openpty()
        os.write(ours, "".join(f"{answer}\n" for answer in answers).encode())
        try:
            command = [sys.executable, str(self.installer)]
            return subprocess.run(
                command, cwd=self.project, env=self.environ, stdin=theirs, capture_output=True, text=True, check=False
            )
        finally:
            os.close(ours)
            os.close(theirs)

    def refused(self, *arguments: str, source: Path | None = None, code: int = 1, **environ: str) -> str:
        """The single line of an installer that refuses and changes nothing."""
        before = self.tree()
        result = self.install(*arguments, source=source, **environ)
        assert result.returncode == code
        assert result.stderr.count("\n") == 1
        assert self.tree() == before
        return result.stderr.removesuffix("\n")

    def run(self, command: list[str], environ: dict[str, str]) -> subprocess.CompletedProcess[str]:
        everything = self.environ | environ
        if command[1:2] == [str(LINKING)] and forks.can_run(environ):
            directory = str(self.project)
            result = forks.run(command[1:], b"", environ=everything, directory=directory, timeout=_TIMEOUT)
            output = [stream.decode().replace("\r\n", "\n") for stream in (result.stdout, result.stderr)]
            return subprocess.CompletedProcess(command, result.returncode, *output)
        return subprocess.run(
            command,
            cwd=self.project,
            env=everything,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )

    def tree(self) -> dict[str, tuple[int, bytes | str]]:
        """Every file, link and directory with its mode and contents, except pip's traces."""
        paths = (path for path in sorted(self.path.rglob("*")) if not {".cache", ".rustup"} & set(path.parts))
        return {str(path.relative_to(self.path)): _state(path) for path in paths}


def clone(path: Path) -> Path:
    """A clone for a test to change."""
    source.copy(str(REPOSITORY), str(path))
    return path


def _state(path: Path) -> tuple[int, bytes | str]:
    mode = stat.S_IMODE(path.lstat().st_mode)
    if path.is_symlink():
        return mode, os.readlink(path)
    return mode, path.read_bytes() if path.is_file() else ""


def _environment(path: Path) -> Path:
    """The source of the stand-in for uv, made once: an environment of this Python, with links to our libraries."""
    if path.exists():
        return path
    libraries = Path(sysconfig.get_path("purelib"))
    packages = path / libraries.relative_to(sys.prefix)
    packages.mkdir(parents=True)
    for name in LIBRARIES:
        (packages / name).symlink_to(libraries / name)
    python = Path(sys.executable).resolve()
    (path / "bin").mkdir()
    (path / "bin" / "python").symlink_to(python)
    (path / "pyvenv.cfg").write_text(f"home = {python.parent}\ninclude-system-site-packages = false\n", "utf-8")
    return path


@pytest.fixture
def home(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Home:
    commands = tmp_path / "commands"
    commands.mkdir()
    environment = _environment(tmp_path_factory.getbasetemp() / "environment of links")
    uv = commands / "uv"
    uv.write_text(UV.replace("ENVIRONMENT", shlex.quote(str(environment))), encoding="utf-8")
    uv.chmod(0o755)
    return Home(tmp_path / "ann's home", commands)


@pytest.fixture
def copying(home: Home) -> None:
    """The real installer, for tests that depend on the installed program."""
    home.installer = REPOSITORY / "install.py"


@pytest.fixture
def trying(home: Home) -> None:
    """An installer that tries the commands of the program, which it links."""
    home.environ["INSTALLER_TRIES"] = "1"


@pytest.fixture
def broken(tmp_path: Path) -> Path:
    """A clone whose status line doesn't start."""
    directory = clone(tmp_path / "broken")
    (directory / "statusline" / "line.py").write_text("raise ValueError('broken')", encoding="utf-8")
    return directory
