"""Print the paths of this machine's other CPythons that can run the tests: `python3 -m tests.pythons`."""

import glob
import os
import re
import subprocess
import sys
from collections.abc import Iterable

import install

QUESTION = "import sys, venv, ensurepip; print(sys.implementation.name, '%d.%d' % sys.version_info[:2])"
NONE = "tests: this machine has no second CPython from 3.11 on; the tests run on this one alone"


def others(candidates: Iterable[str], version: tuple[int, int]) -> list[str]:
    """The first candidate of each version other than this one, oldest version first."""
    pythons: dict[tuple[int, int], str] = {}
    for path in candidates:
        candidate = version_of(path)
        if candidate is not None and candidate >= install.NEEDED and candidate != version:
            pythons.setdefault(candidate, path)
    return [path for _, path in sorted(pythons.items())]


def version_of(path: str) -> tuple[int, int] | None:
    """The version of a CPython; None for any other Python, one that doesn't run, and one without ensurepip."""
    try:
        result = subprocess.run([path, "-I", "-c", QUESTION], capture_output=True, text=True, check=False, timeout=30)
    except (OSError, subprocess.TimeoutExpired):
        return None
    answer = re.fullmatch(r"cpython (\d+)\.(\d+)\n", result.stdout)
    return (int(answer[1]), int(answer[2])) if answer and result.returncode == 0 else None


def candidates() -> list[str]:
    """The interpreters on PATH, and those of pyenv and uv, which need not be on it."""
    pyenv = os.environ.get("PYENV_ROOT") or os.path.expanduser("~/.pyenv")
    places = (os.path.join(pyenv, "versions"), os.path.expanduser("~/.local/share/uv/python"))
    return install.candidates() + [path for place in places for path in glob.glob(f"{place}/*/bin/python3.*[0-9]")]


def main() -> int:
    pythons = others(candidates(), sys.version_info[:2])
    sys.stdout.writelines(f"{path}\n" for path in pythons)
    if not pythons:
        sys.stderr.write(f"{NONE}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
