"""What the tutorial's commands print, from the real command in a home of its own."""

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks import payload, transcript
from commands.session.projects import folder_name
from docs.drawing.status_line import empty_home
from docs.markdown import block

_REPOSITORY = Path(__file__).parent.parent
_SESSION = "5b0c6a1e-0000-4000-8000-000000000001"
_START = "import sys; sys.path.insert(0, {source!r}); "
_COMMAND = _START + "from commands import run; sys.exit(run(sys.argv[1:], {root!r}))"
_LINE = _START + "from shared.process.boundary import run; run('statusline.line', {root!r})"
_CLOCK = re.compile(r"\d\d:\d\d:\d\d UTC")
_AGE = re.compile(r"\d+ ?m?s ago")
_TOKENS = 142_000


def demo() -> str:
    """A made-up session of twelve tool uses, up to the first message, and the count at its end."""
    rows = _printed("demo", "--fast", "--tool-uses", "12", "--columns", "70").splitlines()
    next_use = next(number for number, row in enumerate(rows) if row.startswith("  11  "))
    count = next(number for number, row in enumerate(rows) if row.startswith("12 tool uses."))
    return block("\n".join([*rows[:next_use], "  ...", *rows[count:]]))


def status() -> str:
    """What is measured of a session at 71 %, without its summary and the reasons of the advice."""
    rows = _printed("status").splitlines()
    labels = ("  usage ", "  measured ", "  limit ", "  forecast ", "  next ")
    return block("\n".join(row for row in rows if row.startswith(labels)))


def setting() -> str:
    """The answer to a changed setting."""
    return block(_printed("config", "set", "levels.warning.remaining", "40"))


def _printed(*arguments: str) -> str:
    with tempfile.TemporaryDirectory() as scratch:
        root, project = empty_home(scratch)
        environ = {"HOME": scratch, "PATH": os.defpath, "COLUMNS": "100", "LANG": "C.UTF-8"}
        record = Path(scratch, ".claude", "projects", folder_name(project), f"{_SESSION}.jsonl")
        record.parent.mkdir(parents=True)
        transcript.write(str(record), 0, _TOKENS)
        record.write_bytes(record.read_bytes().replace(b"/home/dev/shop", os.fsencode(project)))
        _run(_LINE, root, project, environ, stdin=payload.status(_SESSION, str(record), project, _TOKENS))
        printed = _run(_COMMAND, root, project, environ, *arguments).decode().replace(scratch, "/home/ada")
    return _AGE.sub("1s ago", _CLOCK.sub("15:20:30 UTC", printed))


def _run(
    program: str, root: str, directory: str, environ: dict[str, str], *arguments: str, stdin: bytes = b""
) -> bytes:
    command = [sys.executable, "-I", "-c", program.format(source=str(_REPOSITORY), root=root), *arguments]
    return subprocess.run(command, input=stdin, cwd=directory, env=environ, stdout=subprocess.PIPE, check=True).stdout
