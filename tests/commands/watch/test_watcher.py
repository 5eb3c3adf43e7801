"""The running sessions and their figures; watching leaves no trace."""

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from commands.environment.environment import environment_at
from commands.session.projects import folder_name
from commands.watch.waiting import Waiting
from commands.watch.watcher import Watcher, occupancy
from shared.gauge.levels import Level
from tests.commands.person import Person
from tests.transcripts import Transcript

FIRST, SECOND = "5b0c6a1e-0000-4000-8000-000000000001", "5b0c6a1e-0000-4000-8000-000000000002"

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="plays the client by a copy of sleep")


@pytest.fixture
def client(person: Person) -> Iterator[Path]:
    """A client that runs in the person's project; its program, for others."""
    program = person.home / "claude"
    shutil.copy(shutil.which("sleep") or "/bin/sleep", program)
    with subprocess.Popen([str(program), "60"], cwd=person.project) as process:
        yield program
        process.terminate()


def session(person: Person, name: str = FIRST, *, directory: Path | None = None, tokens: int = 150_000) -> Transcript:
    folder = folder_name(os.path.realpath(directory or person.project))
    transcript = Transcript(person.client / "projects" / folder / f"{name}.jsonl")
    transcript.prompt("Fix the greeting")
    for part in range(1, 5):
        transcript.answer(tokens * part // 4)
        transcript.result()
    return transcript


def watcher(person: Person) -> Watcher:
    environ = {"HOME": str(person.home), "PATH": os.environ["PATH"]}
    return Watcher(environment_at(str(person.root), str(person.project), environ, time.time()))


def state(directory: Path) -> dict[str, tuple[int, int]]:
    return {str(path): (path.lstat().st_mtime_ns, path.lstat().st_size) for path in directory.rglob("*")}


def test_a_running_session_matches_its_status_line(person: Person, client: Path) -> None:
    transcript = session(person)
    limits = {"five_hour": {"used_percentage": 43, "resets_at": time.time() + 60}}
    person.write_bridge(transcript, 150_000, model_id="claude-opus-4-6", rate_limits=limits)

    (watched,) = watcher(person).look()

    assert watched.verdict is not None
    assert (watched.session_id, watched.model, watched.verdict.used) == (FIRST, "claude-opus-4-6", 75)
    assert watched.verdict.level is Level.CRITICAL
    assert watched.occupancy == (37_500, 75_000, 112_500, 150_000)
    assert watched.limits["5h"].used == 43
    assert [line.text for line in watched.summary if line.label == "asked"] == ["Fix the greeting"]


def test_only_running_sessions_are_shown_the_fullest_first(person: Person, client: Path, tmp_path: Path) -> None:
    other, missing = tmp_path / "other", tmp_path / "gone"
    other.mkdir()
    session(person, tokens=20_000)
    session(person, "5b0c6a1e-0000-4000-8000-000000000003", directory=missing)
    with subprocess.Popen([str(client), "60"], cwd=other) as process:
        session(person, SECOND, directory=other)
        ids = [session.session_id for session in watcher(person).look()]
        process.terminate()

    assert ids == [SECOND, FIRST]


def record(person: Person, process: subprocess.Popen[bytes], session_id: str, status: str, at: float = 0.0) -> None:
    """The record that the client keeps while it runs."""
    path = person.client / "sessions" / f"{process.pid}.json"
    path.parent.mkdir(exist_ok=True)
    fields = {"sessionId": session_id, "startedAt": time.time() * 1000, "status": status, "statusUpdatedAt": at * 1000}
    path.write_text(json.dumps(fields))


def test_a_waiting_session_comes_first(person: Person, client: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    session(person, tokens=170_000)
    with subprocess.Popen([str(client), "60"], cwd=other) as process:
        session(person, SECOND, directory=other, tokens=20_000).answer(20_000, tool_use_ids=())
        record(person, process, SECOND, "idle")
        first, second = watcher(person).look()
        process.terminate()

    assert (first.session_id, first.waiting and first.waiting.reason) == (SECOND, "turn finished")
    assert (second.session_id, second.waiting) == (FIRST, None)


def test_an_idle_session_is_watched_beside_a_newer_one_and_waits_at_once(person: Person, client: Path) -> None:
    """Whoever has run in the same directory since wrote later, and a prompt that is taken back gets no answer."""
    taken_back, newer = session(person), session(person, SECOND)
    taken_back.prompt("Paint the fence")
    os.utime(taken_back.path, (time.time() - 60,) * 2)
    with subprocess.Popen([str(client), "60"], cwd=person.project) as process:
        looks, observer = {}, watcher(person)
        for status in ("busy", "idle"):
            record(person, process, FIRST, status, at=5.0)
            looks[status] = {watched.session_id: watched.waiting for watched in observer.look()}
        record(person, process, "another", "idle", at=6.0)  # it has left the session since the last scan
        left = {watched.session_id: watched.waiting for watched in observer.look()}
        process.terminate()

    assert looks["busy"][FIRST] is None
    assert looks["idle"] == {FIRST: Waiting("turn finished", 5.0), newer.path.stem: None}
    assert left[FIRST] is None


def test_an_active_session_is_measured_again_at_the_next_refresh(person: Person, client: Path) -> None:
    transcript, looking = session(person), watcher(person)
    before = looking.look()
    same = looking.look()
    transcript.answer(170_000)
    transcript.prompt("And now the farewell")

    (after,) = looking.look()
    transcript.answer(171_000)
    (later,) = looking.look(time.time() + 11)

    assert same[0].occupancy is before[0].occupancy
    assert after.verdict is not None
    assert (after.verdict.reading.tokens, after.occupancy[-1]) == (170_000, 170_000)
    assert after.summary == before[0].summary  # for which git reads the project
    assert [line.text for line in later.summary if line.label == "asked last"] == ["And now the farewell"]


def test_changed_settings_apply_within_half_a_minute(person: Person, client: Path) -> None:
    session(person, tokens=100_000)
    looking, now = watcher(person), time.time()
    looking.look(now)

    person.configure("levels.warning.remaining = 60")

    (later,) = looking.look(now + 31)
    assert later.verdict is not None
    assert later.verdict.level.name == "WARNING"


def test_an_ended_session_is_gone_after_the_next_scan(person: Person, client: Path) -> None:
    transcript, looking = session(person), watcher(person)
    assert len(looking.look(now := time.time())) == 1
    transcript.path.unlink()

    assert looking.look(now + 6) == []


def test_watching_leaves_no_trace(person: Person, client: Path) -> None:
    person.write_bridge(session(person), 150_000)
    before = state(person.home), state(person.project)
    looking = watcher(person)

    for seconds in (0, 1, 11, 40):
        looking.look(time.time() + seconds)

    assert (state(person.home), state(person.project)) == before


def test_occupancy_covers_earlier_cycles_and_is_bounded(person: Person) -> None:
    transcript = session(person)
    transcript.boundary()
    transcript.answer(20_000)
    transcript.answer(20_000, id="same")
    transcript.answer(20_000, id="same")
    transcript.synthetic()

    assert occupancy(str(transcript.path), 100) == (37_500, 75_000, 112_500, 150_000, 20_000, 20_000)
    assert occupancy(str(transcript.path), 2) == (20_000, 20_000)
    assert occupancy(str(transcript.path) + ".gone", 2) == ()
