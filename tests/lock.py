"""Write requirements.txt and requirements-dev.txt: `python3 -m tests.lock`, or with --upgrade for newer versions.

They name exact versions with the hashes of all their files, from pyproject.toml, for every system and every Python
that we support. The installer installs the first, the tests and CI the second, which has the build backend too.
"""

import os
import subprocess
import sys
from collections.abc import Sequence

from installer.layout import python_of
from tests import __main__ as tests

UV = (os.path.join(os.path.dirname(python_of(tests.ENVIRONMENT)), "uv"), "pip", "compile", "--quiet")
# Whatever the machine that this runs on; --no-config: nor whatever its own settings say.
FORM = ("--universal", "--python-version", "3.11", "--generate-hashes", "--no-annotate", "--no-config")
HEADER = "# Made by `python3 -m tests.lock` from pyproject.toml.\n"


def main(arguments: Sequence[str]) -> int:
    tests.prepare()
    for name, extra in (
        ("requirements.txt", ()),
        ("requirements-dev.txt", ("--group", "dev", "-c", "requirements.txt")),
    ):
        command = [*UV, *FORM, "--no-header", *extra, *arguments, "pyproject.toml", "-o", name]
        subprocess.run(command, cwd=tests.ROOT, check=True)
        path = os.path.join(tests.ROOT, name)
        tests.write(path, HEADER + tests.read(path))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
