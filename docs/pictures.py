"""`python -m docs.pictures`: draws docs/images/ from what the status line's process really answers."""

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from benchmarks import payload, transcript
from docs.terminal import animate, draw

REPOSITORY = Path(__file__).parent.parent
IMAGES = REPOSITORY / "docs" / "images"
SESSION = "picture"
FILM = "session"
_ENTRY = """\
import sys
sys.path.insert(0, {source!r})
from shared.boundary import run
run({module!r}, {root!r})
"""


class Picture(NamedTuple):
    """One state of a session, as a person would see it."""

    title: str
    tokens: int | None
    columns: int = 116
    settings: Mapping[str, str] = MappingProxyType({})


class PictureSession(NamedTuple):
    """Where the session of a picture lies."""

    root: str
    project: str
    record: str
    """Its transcript."""
    environ: Mapping[str, str]


PICTURES = {
    "normal": Picture("The line at 42 %, NORMAL", 84_000),
    "warning": Picture("The line at 71 %, WARNING", 142_000),
    "critical": Picture("The line at 78 %, CRITICAL", 156_000),
    "exhausted": Picture("The line at 88 %, EXHAUSTED", 176_000),
    "unknown": Picture("The line before the first answer", None),
    "narrow": Picture("The line at 71 % in 44 columns", 142_000, columns=44),
    "ascii": Picture(
        "The line at 71 % without colours, in ASCII",
        142_000,
        settings={"TIDEGAUGE_STATUSLINE__COLOR": "none", "TIDEGAUGE_STATUSLINE__ASCII": "true"},
    ),
    "ember": Picture("The theme ember", 142_000, settings={"TIDEGAUGE_STATUSLINE__THEME": "ember"}),
    "plain": Picture("The theme plain", 142_000, settings={"TIDEGAUGE_STATUSLINE__THEME": "plain"}),
    "two-lines": Picture(
        "The line at 71 %, set to two lines",
        142_000,
        columns=84,
        settings={"TIDEGAUGE_STATUSLINE__LINES": "model,directory,cost,changes,duration;context,forecast,limits"},
    ),
    "badge": Picture("A setting that cannot be used", 84_000, settings={"TIDEGAUGE_STATUSLINE__THEME": "none"}),
}


_FILM = (12_000, 40_000, 64_000, 84_000, 104_000, 122_000, 142_000, 156_000, 176_000)
"""Tokens in a window of 200,000."""
_FILM_TITLE = "A session that fills up: the status line, and what the agent is told"


def picture(name: str) -> str:
    """The SVG of one picture."""
    if name == FILM:
        return film()
    return draw(line(PICTURES[name]), PICTURES[name].title)


def film() -> str:
    """The SVG of a session that fills up: what the agent is told with a tool's result, above the line."""
    return animate([_frame(tokens) for tokens in _FILM], _FILM_TITLE, seconds=1.6, still=_FILM.index(142_000))


def _frame(tokens: int) -> str:
    shown, told = _told(Picture(_FILM_TITLE, tokens))
    # What stands there first: the heading, the numbers, then the steps.
    said = [row for row in told.splitlines() if row.startswith(("CONTEXT WINDOW", "1.", "2."))]
    rows = [f"  \x1b[2m⎿\x1b[0m  {row}" for row in said] or ["  \x1b[2m⎿  nothing to say yet\x1b[0m"]
    rows += [""] * (3 - len(rows))
    return "\n".join(["\x1b[1m● What the agent reads with the result of its tool use\x1b[0m", *rows, "", shown])


def line(chosen: Picture) -> str:
    """What the status line's process answers."""
    with _session(chosen) as session:
        return _line(chosen, session)


def _told(chosen: Picture) -> tuple[str, str]:
    """The same, and what the monitor's process then has the agent told; empty when that is nothing."""
    with _session(chosen) as session:
        shown = _line(chosen, session)
        event = payload.tool_use(SESSION, session.record, session.project, transcript.tool_use_id(transcript.TURNS))
        told = _run("monitor.dispatch", session, event)
    found = json.loads(told or "{}").get("hookSpecificOutput", {})
    return shown, found.get("additionalContext", "")


def _line(chosen: Picture, session: PictureSession) -> str:
    return _run("statusline.line", session, json.dumps(_status(chosen, session.record, session.project)).encode())


@contextmanager
def _session(chosen: Picture) -> Iterator[PictureSession]:
    with tempfile.TemporaryDirectory() as scratch:
        root = os.path.join(scratch, ".claude", "tidegauge")
        project = os.path.join(scratch, "shop")
        os.makedirs(os.path.join(project, ".git"))
        os.makedirs(os.path.join(root, "run"), 0o700)
        Path(project, ".git", "HEAD").write_text("ref: refs/heads/main\n", encoding="utf-8")
        directories = dict.fromkeys(("config", "log", "history"), os.path.join(scratch, "none"))
        Path(root, "directories.json").write_text(json.dumps(directories), encoding="utf-8")
        record = os.path.join(scratch, f"{SESSION}.jsonl")
        transcript.write(record, 0, chosen.tokens or transcript.GROWTH * transcript.TURNS)
        environ = {"COLUMNS": str(chosen.columns), "COLORTERM": "truecolor", "HOME": scratch, **chosen.settings}
        yield PictureSession(root, project, record, environ)


def _run(module: str, session: PictureSession, stdin: bytes) -> str:
    source = _ENTRY.format(source=str(REPOSITORY), root=session.root, module=module)
    command = [sys.executable, "-I", "-c", source]
    done = subprocess.run(command, input=stdin, env=session.environ, stdout=subprocess.PIPE, check=True)
    return done.stdout.decode()


def _status(chosen: Picture, record: str, project: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(payload.status(SESSION, record, project, chosen.tokens or 0))
    now = int(time.time())
    # Half a minute more, so that the time left is the same however long the process takes to start.
    found["rate_limits"]["five_hour"]["resets_at"] = now + 2 * 3600 + 10 * 60 + 30
    found["rate_limits"]["seven_day"]["resets_at"] = now + 3 * 86_400 + 4 * 3600 + 30
    if chosen.tokens is None:
        found["context_window"] |= {
            "current_usage": None,
            "used_percentage": None,
            "remaining_percentage": None,
        }
        del found["prompt_cache"], found["rate_limits"]
        found["cost"] = {}
    return found


def main() -> int:
    """Draw every picture again."""
    IMAGES.mkdir(exist_ok=True)
    for name in (*PICTURES, FILM):
        path = IMAGES / f"{name}.svg"
        after = picture(name)
        if not path.exists() or path.read_text(encoding="utf-8") != after:
            path.write_text(after, encoding="utf-8")
            sys.stdout.write(f"{path.relative_to(REPOSITORY)}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
