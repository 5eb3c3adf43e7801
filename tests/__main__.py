"""Run the tests: `python3 -m tests [arguments of pytest]`, in an environment of their own.

It is .venv; another Python gets its own beside it, such as .venv-3.13. The tests run on all processors at once, with
one extra worker, as many tests wait; `-n 0` runs them one after the other, as a debugger or `-s` needs it.
"""
# Every Python 3 must be able to read this file up to the version check.

import sys

if sys.version_info < (3, 11):  # noqa: UP036  whoever runs it may have an older one
    sys.exit("tests: Python 3.11 or newer is needed; this is %d.%d" % sys.version_info[:2])  # noqa: UP031  see above

import hashlib
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Sequence

from installer.install_error import InstallError
from installer.layout import python_of
from installer.program import environment, source

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
# Exact versions with hashes, made from pyproject.toml by tests/lock.py.
REQUIREMENTS = os.path.join(ROOT, "requirements", "dev.txt")
# Each file goes to a free worker, in the order of conftest.py: what its tests share is made once.
PARALLEL = ("-n", str((os.cpu_count() or 1) + 1), "--dist", "loadfile", "--no-loadscope-reorder")
# Marks of tests that are run by themselves; each is also the name of their folder.
LONG = ("client", "torture")
FIRST = ".venv"
# The mark of tests that are the same on every Python: they run on the first one alone.
OF_ANY_PYTHON = "any_python"
COMPILED = (*source.PACKAGES, "benchmarks", "docs")
MEMORY = "/dev/shm"  # noqa: S108  pytest makes a directory of the user's own in it
ROOM = 4 << 30
"""Bytes that must be free there, many times what a run takes."""
PURELIB = "import sysconfig; print(sysconfig.get_path('purelib'))"


def main(arguments: Sequence[str]) -> int:
    try:
        path = prepare()
    except InstallError as refusal:
        sys.stderr.write(f"tests: {refusal}\n")
        return 1
    # Otherwise thousands of processes would each compile what they import, and so would pytest at each run.
    environ = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    environ.setdefault("TMPDIR", temporary())
    compiling = [python_of(path), "-m", "compileall", "-q", "-j0", *COMPILED]
    subprocess.run(compiling, cwd=ROOT, env=environ, stdout=subprocess.DEVNULL, check=False)
    command = [
        python_of(path),
        "-m",
        "pytest",
        *PARALLEL,
        *default_selection(arguments, os.path.basename(path)),
        *arguments,
    ]
    return subprocess.run(command, cwd=ROOT, env=environ, check=False).returncode


def temporary(memory: str = MEMORY, room: int = ROOM) -> str:
    """The parent of the tests' directories: in memory where there is room, as otherwise each write waits for a disk."""
    try:
        system = os.statvfs(memory)
    except (OSError, AttributeError):  # no such directory; Windows, which can't be asked
        return tempfile.gettempdir()
    can_run = not system.f_flag & os.ST_NOEXEC  # a container often forbids it
    has_room = system.f_bavail * system.f_frsize > room
    return memory if can_run and has_room and os.access(memory, os.W_OK | os.X_OK) else tempfile.gettempdir()


def default_selection(arguments: Sequence[str], name: str = FIRST) -> list[str]:
    """Leave out the real client and the attacks, which take long, unless the arguments ask for them.

    In any Python's environment but the first one's, leave out what the first one runs for all.
    """
    if any(argument.startswith("-m") for argument in arguments):
        return []
    asked = {mark for mark in LONG for argument in arguments if argument.startswith(f"tests/{mark}")}
    left_out = [f"not {mark}" for mark in LONG if mark not in asked]
    if name != FIRST and not [argument for argument in arguments if not argument.startswith("-")]:
        left_out.append(f"not {OF_ANY_PYTHON}")
    return ["-m", " and ".join(left_out)] if left_out else []


def prepare() -> str:
    """Make this Python's environment, again if its requirements have changed; return its path.

    Raises InstallError.
    """
    path = environment_of(ROOT, sys.base_prefix, sys.version_info[:2])
    name, origin, stamp = os.path.basename(path), made_from(), stamp_of(path)
    if read(stamp) == origin:
        return path
    if sys.prefix == path:
        raise InstallError(f"requirements/dev.txt has changed: run this with the Python outside of {name}")
    previous = f"{path}.previous"
    shutil.rmtree(previous, ignore_errors=True)
    if os.path.exists(path):
        os.rename(path, previous)
    sys.stderr.write(f"Making {name}, which takes a moment ...\n")
    commands = os.environ.get("PATH", os.defpath)
    # The first environment has uv, which makes another in a tenth of pip's time.
    os.environ["PATH"] = os.pathsep.join((commands, os.path.dirname(python_of(os.path.join(ROOT, FIRST)))))
    try:
        environment.build(path, ["--require-hashes", "-r", REQUIREMENTS])
    finally:
        os.environ["PATH"] = commands
        if not os.path.exists(path) and os.path.exists(previous):
            os.rename(previous, path)
    shutil.rmtree(previous, ignore_errors=True)
    # Not an editable install: that needs the build backend. The tests also start processes with -I, which
    # look at nothing but the environment.
    packages = environment.run([python_of(path), "-I", "-c", PURELIB]).strip()
    write(os.path.join(packages, "tidegauge.pth"), ROOT + "\n")
    write(stamp, origin)
    return path


def environment_of(root: str, prefix: str, version: tuple[int, int]) -> str:
    """The path of a Python's environment: .venv, unless another version made it and is still installed."""
    path = os.path.join(root, FIRST)
    origin = re.match(r"(.+) (\d+)\.(\d+)\.\S+ \(", read(stamp_of(path)))
    if origin is None or origin[1] == prefix or not os.path.isdir(origin[1]):
        return path
    return path if (int(origin[2]), int(origin[3])) == version else f"{path}-{version[0]}.{version[1]}"


def stamp_of(path: str) -> str:
    """The file that says what an environment was made from; written last, so that a half-made one is made again."""
    return os.path.join(path, "made-from")


def made_from() -> str:
    with open(REQUIREMENTS, "rb") as file:
        digest = hashlib.sha256(file.read()).hexdigest()
    return f"{sys.base_prefix} {sys.version}\n{ROOT}\n{digest}\n"


def read(path: str) -> str:
    try:
        with open(path, encoding="utf-8") as file:
            return file.read()
    except FileNotFoundError:
        return ""


def write(path: str, text: str) -> None:
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
