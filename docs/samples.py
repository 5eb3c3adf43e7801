"""Samples of what the agent reads and the commands print, made by the program itself in a scratch home."""

import os
import re
import tempfile
from pathlib import Path

from benchmarks import payload, transcript
from commands.session.projects import folder_name
from docs.drawing import film
from docs.markdown import block
from docs.scratch import COMMAND, LINE, empty_home, run
from monitor.speakers.level import context_warning, frame
from shared.gauge.levels import Level
from shared.gauge.limit import Limit
from shared.gauge.verdict import Verdict
from shared.gauge.window import Reading, WindowSource
from shared.settings.config import Messages

SAMPLED_AT = 1_795_274_430
"""Epoch seconds; any fixed time does."""
_LIMIT = Limit(167_000, "catalogue", is_compacted=True)
_SESSION = "5b0c6a1e-0000-4000-8000-000000000001"
_CLOCK = re.compile(r"\d\d:\d\d:\d\d UTC")
_AGE = re.compile(r"\d+ ?m?s ago")
_TOKENS = 142_000


def warning() -> str:
    """The WARNING of the picture's session, as its process answers."""
    return block(film.warning())


def subagent_warning() -> str:
    """A CRITICAL for a subagent."""
    reading = Reading(24, 152_000, 200_000, "transcript", WindowSource.REQUEST, SAMPLED_AT)
    verdict = Verdict(reading, Level.CRITICAL, _LIMIT, is_subagent=True)
    return block(frame(context_warning(verdict, Messages())))


def demo() -> str:
    """A made-up session of twelve tool uses, up to the first message, and its end."""
    rows = _printed("demo", "--fast", "--tool-uses", "12", columns=70).splitlines()
    next_use = next(number for number, row in enumerate(rows) if row.startswith("  11  "))
    return block("\n".join([*rows[:next_use], "  ...", rows[-1]]))


def status() -> str:
    """The measurements of a session at 71%, without its summary and the reasons for the advice."""
    rows = _printed("status").splitlines()
    labels = ("  usage ", "  measured ", "  limit ", "  forecast ", "  next ")
    return block("\n".join(row for row in rows if row.startswith(labels)))


def setting() -> str:
    """The answer to a changed setting."""
    return block(_printed("config", "set", "levels.warning.remaining", "40"))


def _printed(*arguments: str, columns: int = 100) -> str:
    with tempfile.TemporaryDirectory() as scratch:
        root, project = empty_home(scratch)
        environ = {"HOME": scratch, "PATH": os.defpath, "COLUMNS": str(columns), "LANG": "C.UTF-8"}
        record = Path(scratch, ".claude", "projects", folder_name(project), f"{_SESSION}.jsonl")
        record.parent.mkdir(parents=True)
        transcript.write(str(record), 0, _TOKENS)
        record.write_bytes(record.read_bytes().replace(b"/home/dev/shop", os.fsencode(project)))
        run(LINE, root, project, environ, stdin=payload.status(_SESSION, str(record), project, _TOKENS))
        printed = run(COMMAND, root, project, environ, *arguments).replace(scratch, "/home/ada")
    return _AGE.sub("1s ago", _CLOCK.sub("15:20:30 UTC", printed))
