"""Record the cases of `tidegauge conformance` with the real clients: `python -m tests.client.recording [CASE ...]`."""

import json
import shlex
import sys
import tempfile
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path

from tests.client.client import Client
from tests.client.clients import VERSIONS, binary
from tests.client.model import MAIN
from tests.client.recording import composed, snapshot
from tests.client.recording.redraws import Origin, Row, rows
from tests.client.recording.sessions import (
    FIRST_PARTY,
    ITERATED,
    SESSIONS,
    WIDE,
    Recording,
    filling,
    iterations,
    subagents,
)
from tests.client.remeasure.home import measured_home

CASES = Path(__file__).parents[3] / "commands" / "conformance" / "cases"
RECORDED = "recorded on {day} from Claude Code {version} with a scripted model; texts cut, ids and paths replaced"
HEADLESS = "a headless session, whose window is named nowhere in the payload"
SIDECHAINS = "a subagent's answers in the session's own transcript, as clients up to 2.0 wrote them"
START = "a session before its first answer, whose figures the client gives as null"
TORN = "an answer that is only half written when the client already shows it"


def recorded(version: str, session: str) -> list[Row]:
    """The rows of one of the sessions."""
    with tempfile.TemporaryDirectory() as folder:
        command = shlex.join([sys.executable, "-I", "-S", snapshot.__file__, folder])
        with measured_home(Client(version, binary(version), Path()), {}, command) as home:
            recording = Recording(home.client, home.project, Path(folder))
            SESSIONS[session].play(recording)
            return list(rows(recording.redraws(), Origin(home.client.home, home.project)))


def headless(version: str) -> list[Row]:
    """The rows of a headless session that goes on in a terminal: its transcript, and the client's own figure."""
    with tempfile.TemporaryDirectory() as folder:
        command = shlex.join([sys.executable, "-I", "-S", snapshot.__file__, folder])
        with measured_home(Client(version, binary(version), Path(), FIRST_PARTY), {}, command) as home:
            run = home.client.run_headless(home.project, {MAIN: WIDE}, model="claude-opus-4-8")
            recording = Recording(home.client, home.project, Path(folder))
            args = ("--resume", run.model.session_id())
            with recording.conversation({MAIN: []}, *args, model="claude-opus-4-8"):
                pass
            (window,) = run.windows.values()
            origin = Origin(home.client.home, home.project)
            used = round(WIDE[-1].tokens * 100 / window)
            return composed.without_window(list(rows(recording.redraws(), origin)), used)


def cases(version: str, names: Sequence[str]) -> Iterator[tuple[str, Row, list[Row]]]:
    """Name, head and rows of each requested case."""
    for name, session in SESSIONS.items():
        if name in names:
            whole = recorded(version, name)
            rows_of_answers = composed.without_start(whole)
            if session.play is iterations:
                note = "; 2.1.197 reports the sum, and what the last iteration held is accepted too"
                yield name, head(version, session.title, note), composed.with_answer(rows_of_answers, ITERATED)
                continue
            yield name, head(version, session.title), rows_of_answers
            if session.play is filling:
                yield "start", head(version, START), composed.start(whole)
                yield "torn", head(version, TORN, "; the last answer cut in half"), composed.torn(rows_of_answers)
            if session.play is subagents:
                note = "; the subagent's lines moved into the session's transcript"
                yield "sidechains", head(version, SIDECHAINS, note), composed.sidechains(rows_of_answers)
    if "headless" in names:
        note = "; context_window taken out of the payload, the percentage from the client's own modelUsage"
        yield "headless", head(version, HEADLESS, note), headless(version)


def head(version: str, title: str, note: str = "") -> Row:
    day = datetime.now(UTC).date().isoformat()
    return {"title": title, "client": version, "source": RECORDED.format(day=day, version=version) + note}


def main() -> int:
    for version in VERSIONS:
        for name, first, following in cases(version, sys.argv[1:] or [*SESSIONS, "headless"]):
            lines = [json.dumps(row, separators=(",", ":"), ensure_ascii=False) for row in (first, *following)]
            path = CASES / f"{name}.{version}.jsonl"
            path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
            reported = [row["accepted"] for row in following if "redraw" in row]
            sys.stdout.write(f"{path.name}: {len(reported)} redraws, {reported}\n")
            sys.stdout.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main())
