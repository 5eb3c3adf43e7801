"""The location of everything: the client's directory, our folder in it, and the settings to edit."""

import os
import shutil
import sys
from collections.abc import Mapping
from typing import NamedTuple

from installer.install_error import InstallError
from shared.client.client import CONFIG_DIRECTORY_VARIABLE, DIRECTORY, LOCAL_SETTINGS, SETTINGS, SHELL_VARIABLE

# Endings of a directory that is replaced as a whole: the one that is being made, and the one that it replaces.
NEW, PREVIOUS = ".new", ".previous"
# The name of our folder in the client's directory, and of each of our directories elsewhere.
NAME = "tidegauge"
# Most bytes of a project's settings: a repository may bring 60,000 hooks, and each is looked at.
PROJECT_LIMIT = 512 << 10


class _Fields(NamedTuple):
    root: str  # our folder in the client's configuration directory
    settings: str  # the settings.json to edit, the person's or a project's
    project: bool = False
    windows: bool = False
    powershell: bool = False  # Windows without Git Bash: the client's commands run in PowerShell
    team: bool = False  # a project's settings that are committed, for people whose homes are elsewhere


class _PathInRoot:
    """A descriptor for a path in our folder."""

    def __init__(self, *names: str) -> None:
        self._names = names

    def __get__(self, layout: _Fields, _: object) -> str:
        return os.path.join(layout.root, *self._names)


class Layout(_Fields):
    __slots__ = ()

    environment = _PathInRoot("environment")
    program = _PathInRoot("environment", "program")
    bundle = _PathInRoot("environment", "startup.bundle")
    spare = _PathInRoot("program")  # a copy, from which it is repaired or removed when the environment is gone
    launchers = _PathInRoot("bin")
    run = _PathInRoot("run")
    directories = _PathInRoot("directories.json")
    record = _PathInRoot("installed.json")
    choices = _PathInRoot("choices.json")
    client_directories = _PathInRoot("companions.json")
    wrapped = _PathInRoot("wrapped.json")

    @property
    def python(self) -> str:
        return python_of(self.environment, windows=self.windows)

    @property
    def command(self) -> str:
        return os.path.join(self.launchers, "tidegauge.cmd" if self.windows else "tidegauge")

    @property
    def personal_settings(self) -> str:
        return os.path.join(os.path.dirname(self.root), SETTINGS)


def python_of(environment: str, *, windows: bool = sys.platform == "win32") -> str:
    return os.path.join(environment, *(("Scripts", "python.exe") if windows else ("bin", "python")))


def find(environ: Mapping[str, str], *, project: str | None = None, team: bool = False) -> Layout:
    """The layout for the person; with the directory `project`, for its settings, the person's own or the `team`'s."""
    windows = sys.platform == "win32"
    powershell = windows and not _has_git_bash(environ)
    client = _client_directory(environ, windows=windows)
    root = os.path.join(client, NAME)
    if any("\ud800" <= character <= "\udfff" for character in root):
        raise InstallError(f"{client!a} is not valid UTF-8, so settings.json cannot name it")
    if project is None:
        return Layout(root, os.path.join(client, SETTINGS), windows=windows, powershell=powershell)
    directory = os.path.join(project, DIRECTORY)
    if os.path.realpath(directory) == os.path.realpath(client):
        raise InstallError(f"{project} isn't a project: {directory} is your own directory; leave --project out")
    settings = os.path.join(directory, SETTINGS if team else LOCAL_SETTINGS)
    return for_project(Layout(root, "", windows=windows, powershell=powershell), settings)


def for_project(layout: Layout, settings: str) -> Layout:
    """The layout for a project's settings file. Raises InstallError for what a repository may have put in its place."""
    project = os.path.dirname(os.path.dirname(settings))
    target, inside = os.path.realpath(settings), os.path.join(os.path.realpath(project), "")
    if not target.startswith(inside):  # a link to a file that the repository can't read itself
        raise InstallError(f"{settings} leads out of the project, to {target}; put a file of its own there")
    if os.path.isfile(settings) and os.path.getsize(settings) > PROJECT_LIMIT:
        raise InstallError(f"{settings} is larger than 512 KiB, more than is read of a project's settings; shorten it")
    return layout._replace(settings=settings, project=True, team=os.path.basename(settings) == SETTINGS)


def _has_git_bash(environ: Mapping[str, str]) -> bool:
    """Whether the client, on Windows, will find a Git Bash to run commands in."""
    if environ.get(SHELL_VARIABLE):
        return True
    usual = os.path.join(environ.get("ProgramFiles", "C:\\Program Files"), "Git", "bin", "bash.exe")
    return os.path.exists(usual) or shutil.which("git", path=environ.get("PATH", "")) is not None


def refuse_another_home(layout: Layout) -> None:
    """Raise InstallError for root in another person's directory: its owner could not change what root leaves there."""
    if sys.platform == "win32" or os.geteuid() != 0:
        return
    path = os.path.dirname(layout.settings if layout.team else layout.root)
    while not os.path.exists(path):
        path = os.path.dirname(path)
    owner = os.stat(path).st_uid
    if owner != 0:
        name = user_name(owner)
        raise InstallError(f"{path} belongs to {name}: run this as {name}, not as root")


def user_name(uid: int) -> str:
    import pwd  # noqa: PLC0415  Windows has none

    try:
        return pwd.getpwuid(uid).pw_name
    except KeyError:
        return f"user {uid}"


def _client_directory(environ: Mapping[str, str], *, windows: bool) -> str:
    if chosen := environ.get(CONFIG_DIRECTORY_VARIABLE):
        if not os.path.isabs(chosen):
            raise InstallError(f"{CONFIG_DIRECTORY_VARIABLE} is {chosen!r}: it must be an absolute path")
        return os.path.normpath(chosen)
    # Not the password file's entry: a process without HOME is in a stripped environment, and whose
    # settings it should change is a guess.
    variable = "USERPROFILE" if windows else "HOME"
    home = environ.get(variable, "")
    if not os.path.isabs(home):
        raise InstallError(
            f"{variable} is {'not set' if not home else repr(home)}: set it, or {CONFIG_DIRECTORY_VARIABLE}"
        )
    if not os.path.isdir(home):
        raise InstallError(
            f"{variable} is {home!r}, which is not a directory: correct it, or set {CONFIG_DIRECTORY_VARIABLE}"
        )
    return os.path.join(os.path.normpath(home), DIRECTORY)
