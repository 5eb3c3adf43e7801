"""Write requirements/*.txt: `python3 -m tests.lock`, or with --upgrade for newer versions.

They name exact versions with the hashes of all their files, from pyproject.toml, for every system and every Python
that we support. The installer installs program.txt and, for each chosen extra, the file of its name; the tests and CI
install dev.txt, which has all of it and the build backend. CI adds clickhouse.txt: 180 MB for one test, so it isn't in
everyone's .venv.
"""

import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Sequence

from installer.layout import python_of
from tests import __main__ as tests

# The same on every machine; --no-config: whatever its own settings say.
FORM = ("--universal", "--python-version", "3.11", "--generate-hashes", "--no-annotate", "--no-config")
HEADER = "# Made by `python3 -m tests.lock` from pyproject.toml.\n"


def main(arguments: Sequence[str]) -> int:
    program = compiled("program.txt", arguments)
    with open(os.path.join(tests.ROOT, "pyproject.toml"), "rb") as file:
        extras = list(tomllib.load(file)["project"]["optional-dependencies"])
    pins = ["-c", "requirements/program.txt"]
    for extra in extras:
        name = f"{extra}.txt"
        whole = compiled(name, ["--extra", extra, *pins, *arguments])
        write(name, "".join(part for part in parts(whole) if part not in parts(program)))
        pins += ["-c", f"requirements/{name}"]
    compiled("dev.txt", ["--all-extras", "--group", "dev", *pins, *arguments])
    # --no-deps: it asks for pandas and pyarrow, which only its other interfaces need
    compiled("clickhouse.txt", ["--group", "clickhouse", "--no-deps", *arguments], project=())
    return 0


def compiled(name: str, arguments: Sequence[str], project: Sequence[str] = ("pyproject.toml",)) -> str:
    """Write the file `name` with uv; return its text."""
    path = os.path.join("requirements", name)
    uv = os.path.join(os.path.dirname(python_of(tests.prepare())), "uv")
    command = [uv, "pip", "compile", "--quiet", *FORM, "--no-header", *arguments, *project, "-o", path]
    subprocess.run(command, cwd=tests.ROOT, check=True)
    text = tests.read(os.path.join(tests.ROOT, path)).removeprefix(HEADER)
    write(name, text)
    return text


def parts(text: str) -> list[str]:
    """Each package, with its hashes."""
    return re.findall(r"^\S.*\n(?:[ ].*\n)*", text, re.MULTILINE)


def write(name: str, text: str) -> None:
    tests.write(os.path.join(tests.ROOT, "requirements", name), HEADER + text)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
