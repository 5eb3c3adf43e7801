"""A virtual environment with packages in it, made by uv or by venv and pip, whichever there is."""

import contextlib
import importlib.util
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence

from installer.install_error import InstallError
from installer.layout import python_of
from shared.client import client

# Messages of pip, uv and the system if the package index cannot be reached.
_NO_NETWORK = re.compile(
    r"NewConnectionError|ConnectTimeout|ReadTimeout|ProxyError|SSLError|Temporary failure in name resolution"
    r"|Name or service not known|nodename nor servname|getaddrinfo failed|Network is unreachable"
    r"|Connection refused|timed out|dns error|[Ff]ailed to fetch|error sending request",
)
# The variables of pip and uv that are kept: where packages come from, each with its hash, and how to get there; and
# what a person may have set in their own shell.
_INDEX_VARIABLES = (
    "(?:DEFAULT_|EXTRA_)?INDEX(?:_URL)?|FIND_LINKS|NO_INDEX|TRUSTED_HOST|INSECURE_HOST|PROXY|(?:CLIENT_)?CERT|NATIVE_TLS"
    "|OFFLINE|RETRIES|(?:DEFAULT_|HTTP_)?TIMEOUT|NO_CACHE(?:_DIR)?"
)
_PERSONAL_VARIABLES = "CONFIG_FILE|CACHE_DIR|LINK_MODE|INDEX_.*"
_ROOM = 40
"""Millions of bytes that an environment takes while it is made, with room to spare."""
# pip's frame around the output of a build says nothing itself; uv gives the cause in a line of its own.
_ERROR = re.compile(r"(error(?!: subprocess-)|cause|fatal|\S*Error)\b.*:", re.IGNORECASE)


class ProcessError(InstallError):
    """A command that failed: `what` doesn't work because of it, and the line of its output that says why."""

    def __init__(self, output: str, what: str = "") -> None:
        super().__init__(f"{what}: {reason(output)}" if what else reason(output))
        self.output = output


def refuse_path(path: str) -> None:
    """Raise InstallError if Python can't have an environment at `path`: its `.pth` files have one path per line."""
    first = path.splitlines()[0]
    character = path[len(first) :][:1] or (os.pathsep if os.pathsep in path and not shutil.which("uv") else "")
    if character:
        without = "install uv, or set" if character == os.pathsep else "set"
        raise InstallError(
            f"{path!r}: Python can have no environment in a directory with {character!r} in its name; {without} "
            f"{client.CONFIG_DIRECTORY_VARIABLE}, for the client too, to one without it"
        )


def build(path: str, requirements: Sequence[str]) -> None:
    """Create an environment at the free `path` with pip's `requirements`. Raises InstallError, leaving nothing."""
    problem: ProcessError | None = None
    for way in _ways():
        try:
            with contextlib.ExitStack() as undo:
                undo.callback(shutil.rmtree, path, ignore_errors=True)
                way(path, requirements)
                undo.pop_all()
                return
        except ProcessError as error:
            problem = error
    if problem is None or (not _importable("pip") and "ensurepip" in problem.output):
        raise InstallError(f"the environment cannot be created: {missing_ensurepip()}")
    free = shutil.disk_usage(os.path.dirname(path)).free // 10**6
    reason = f"only {free:,} MB are free in {os.path.dirname(path)}" if free < _ROOM else problem
    raise InstallError(f"the environment cannot be created: {reason}")


def run(command: Sequence[str], what: str = "", *, cwd: str | None = None) -> str:
    """Run the command, and return what it prints. Raises ProcessError, which says that `what` doesn't work."""
    try:
        result = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            env=_safe_variables(os.environ),
            cwd=cwd,
            check=False,
            encoding="utf-8",
            errors="replace",
        )
    except OSError as error:
        raise ProcessError(f"{command[0]}: {error.strerror}", what) from None
    if result.returncode != 0:
        raise ProcessError(result.stdout + result.stderr, what)
    return result.stdout


def packages(path: str) -> str:
    """The directory of packages in the environment at `path`. Raises ProcessError."""
    question = "import sysconfig; print(sysconfig.get_path('purelib'))"
    return run([python_of(path), "-I", "-c", question], "the environment does not run").strip()


def reason(output: str) -> str:
    """The one line of a failed command's output that says why."""
    if _NO_NETWORK.search(output):
        return "the package index cannot be reached; check the network and try again"
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    return ([line for line in lines if _ERROR.match(line)] or lines or ["no reason given"])[-1][:300]


def missing_ensurepip(os_release: str = "/etc/os-release") -> str:
    """What to do about a Python without ensurepip, as Debian and its derivatives ship it."""
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    sudo = "" if getattr(os, "geteuid", lambda: 1)() == 0 else "sudo "
    try:
        with open(os_release, encoding="utf-8") as file:
            debian = re.search(r"^ID(_LIKE)?=.*\b(debian|ubuntu)\b", file.read(), re.MULTILINE) is not None
    except OSError:
        debian = False
    if debian:
        return f"this Python has no ensurepip; run: {sudo}apt install python{version}-venv"
    return f"{sys.executable} has no ensurepip; install pip or uv for it, then run this again"


def _ways() -> Iterator[Callable[[str, Sequence[str]], None]]:
    if shutil.which("uv"):
        yield _with_uv
    if _importable("pip") and _importable("venv"):
        yield _with_outer_pip
    if _importable("ensurepip") and _importable("venv"):
        yield _with_own_pip


def _with_uv(path: str, requirements: Sequence[str]) -> None:
    above = os.path.dirname(path)  # uv obeys a uv.toml in the directory that it is started in, even a repository's
    run(["uv", "venv", "--quiet", "--no-project", "--python", sys.executable, path], cwd=above)
    run(["uv", "pip", "install", "--quiet", "--python", python_of(path), *requirements], cwd=above)


def _with_own_pip(path: str, requirements: Sequence[str]) -> None:
    run([sys.executable, "-I", "-m", "venv", path])
    run([python_of(path), "-I", "-m", "pip", "install", "--quiet", "--no-compile", *requirements])
    # Only what runs stays: the client's hooks never install anything, and half of the bytes were pip's.
    run([python_of(path), "-I", "-m", "pip", "uninstall", "--quiet", "--yes", "pip", "setuptools"])


def _with_outer_pip(path: str, requirements: Sequence[str]) -> None:
    run([sys.executable, "-I", "-m", "venv", "--without-pip", path])
    pip = [sys.executable, "-I", "-m", "pip", "--python", python_of(path)]
    run([*pip, "install", "--quiet", "--no-compile", *requirements])


def _importable(module: str) -> bool:
    return importlib.util.find_spec(module) is not None


def _safe_variables(environ: Mapping[str, str]) -> dict[str, str]:
    """Return the variables without those that would run another program, or write outside of the new environment.

    Within the client a project's settings may set them: then no file of theirs is read either (`PIP_CONFIG_FILE`).
    """
    is_within = "CLAUDECODE" in environ or client.SESSION_VARIABLE in environ
    harmless = _INDEX_VARIABLES if is_within else f"{_INDEX_VARIABLES}|{_PERSONAL_VARIABLES}"
    misleading = re.compile(rf"PYTHONHOME|PYTHONPATH|VIRTUAL_ENV|(?:PIP|UV)_(?!(?:{harmless})$).*")
    clean = {name: value for name, value in environ.items() if not misleading.fullmatch(name.upper())}
    # pip's own configuration file may say user = true, which an environment refuses.
    return clean | {"PIP_USER": "0", "PIP_REQUIRE_VIRTUALENV": "0", "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
