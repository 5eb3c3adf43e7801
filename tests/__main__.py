"""Run the tests: `python3 -m tests [arguments of pytest]`, in an environment of their own in .venv.

On all processors at once; `-n 0` runs them one after the other, as a debugger or `-s` needs it.
"""

import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence

from installer import environment
from installer.install_error import InstallError
from installer.layout import python_of

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
ENVIRONMENT = os.path.join(ROOT, ".venv")
# Exact versions with hashes, made from pyproject.toml by tests/lock.py.
REQUIREMENTS = os.path.join(ROOT, "requirements-dev.txt")
# Names what .venv was made from; written last, so that a half-made one is made again.
STAMP = os.path.join(ENVIRONMENT, "made-from")
# Each test goes to a worker that is free; what shares a fixture made once stays together (conftest.py).
PARALLEL = ("-n", "auto", "--dist", "loadgroup")
# Marks of tests that are run by themselves, each the name of their folder too.
LONG = ("client", "torture")
PURELIB = "import sysconfig; print(sysconfig.get_path('purelib'))"


def main(arguments: Sequence[str]) -> int:
    try:
        prepare()
    except InstallError as refusal:
        sys.stderr.write(f"tests: {refusal}\n")
        return 1
    command = [python_of(ENVIRONMENT), "-m", "pytest", *PARALLEL, *default_marker(arguments), *arguments]
    return subprocess.run(command, cwd=ROOT, check=False).returncode


def default_marker(arguments: Sequence[str]) -> list[str]:
    """Leave out the real client and the attacks, which take long, unless they are what the arguments ask for."""
    if any(argument.startswith("-m") for argument in arguments):
        return []
    asked = {mark for mark in LONG for argument in arguments if argument.startswith(f"tests/{mark}")}
    left_out = [f"not {mark}" for mark in LONG if mark not in asked]
    return ["-m", " and ".join(left_out)] if left_out else []


def prepare() -> None:
    """Make .venv, or make it again when its requirements or the Python have changed. Raises InstallError."""
    origin = made_from()
    if read(STAMP) == origin:
        return
    if sys.prefix == ENVIRONMENT:
        raise InstallError(
            "requirements-dev.txt has changed: run this with the Python outside of .venv, which makes it again"
        )
    former = f"{ENVIRONMENT}.former"
    shutil.rmtree(former, ignore_errors=True)
    if os.path.exists(ENVIRONMENT):
        os.rename(ENVIRONMENT, former)
    sys.stderr.write("Making .venv, which takes a moment ...\n")
    try:
        environment.build(ENVIRONMENT, ["--require-hashes", "-r", REQUIREMENTS], ".venv")
    except BaseException:
        if os.path.exists(former):
            os.rename(former, ENVIRONMENT)
        raise
    shutil.rmtree(former, ignore_errors=True)
    # Not an editable install: that needs the build backend. The tests also start processes with -I, which
    # look at nothing but the environment.
    packages = environment.run([python_of(ENVIRONMENT), "-I", "-c", PURELIB]).strip()
    write(os.path.join(packages, "tidegauge.pth"), ROOT + "\n")
    write(STAMP, origin)


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
