"""A home with nothing but a Tidegauge and a project, and our processes in it."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

_REPOSITORY = Path(__file__).parent.parent
LINE = "from shared.process.boundary import run; run('statusline.line', {root!r})"
COMMAND = "from commands import run; sys.exit(run(sys.argv[1:], {root!r}))"
"""The status line and `tidegauge`, as programs for `run`."""


def empty_home(scratch: str) -> tuple[str, str]:
    """Create our folder and a project in a home that has nothing else, and return their paths."""
    root, project = os.path.join(scratch, ".claude", "tidegauge"), os.path.join(scratch, "shop")
    os.makedirs(os.path.join(project, ".git"))
    os.makedirs(os.path.join(root, "run"), 0o700)
    Path(project, ".git", "HEAD").write_text("ref: refs/heads/main\n", encoding="utf-8")
    places = {"config": ".config", "log": ".local/state", "history": ".local/share"}
    directories = {name: os.path.join(scratch, place, "tidegauge") for name, place in places.items()}
    Path(root, "directories.json").write_text(json.dumps(directories), encoding="utf-8")
    return root, project


def run(
    program: str, root: str, directory: str, environ: Mapping[str, str], *arguments: str, stdin: bytes = b""
) -> str:
    """Run `program`, Python with a {root}, in a process of its own; return its output. Raises CalledProcessError."""
    code = f"import sys; sys.path.insert(0, {str(_REPOSITORY)!r}); {program.format(root=root)}"
    command = [sys.executable, "-I", "-c", code, *arguments]
    result = subprocess.run(command, input=stdin, cwd=directory, env=environ, stdout=subprocess.PIPE, check=True)
    return result.stdout.decode()
