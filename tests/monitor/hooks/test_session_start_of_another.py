"""What a new session is told of an earlier one's work."""

import json
import os
import time
from datetime import UTC, datetime
from pathlib import Path

import pytest

from monitor.checkpoints import client_process
from tests.monitor.workshop import Workshop


def age(workshop: Workshop, name: str, days: float) -> None:
    moment = time.time() - days * 24 * 3600
    os.utime(workshop.folder / f"{name}-checkpoint.json", (moment, moment))


def leave(workshop: Workshop, *, pid: int | None = None, started: float = 5.0) -> None:
    """Have the newest checkpoint come from another client: one that has exited, or the process `pid`."""
    path = max(workshop.folder.glob("cx-*-checkpoint.json"))
    checkpoint = json.loads(path.read_bytes())
    checkpoint["session_info"]["client"] = {"pid": pid or 2**22 - 3, "started": started}
    workshop.rewrite(path, checkpoint)


def test_a_new_session_is_told_in_one_line_of_an_ended_sessions_work(workshop: Workshop) -> None:
    workshop.edit("src/app.py")
    workshop.compact()
    leave(workshop)
    second = workshop.session("session-2")
    for source in ("startup", "clear"):
        message = second.start(source)
        assert message.startswith("Unfinished work of an earlier session of this project is saved: checkpoint cx-001, ")
        assert "`~/.claude/tidegauge/bin/tidegauge resume 1`" in message
        assert "src/app.py" not in message
        assert "\n" not in message


def test_a_fork_already_has_the_earlier_sessions_work_in_its_window(workshop: Workshop) -> None:
    workshop.edit("src/app.py")
    workshop.compact()
    leave(workshop)
    assert workshop.session("session-2").start("fork") == ""


def test_a_cleared_session_resumes_its_work_from_before(workshop: Workshop) -> None:
    """The client is the same one, so nobody else can be working on it."""
    workshop.compact()
    assert "cx-001" in workshop.session("session-2").start("clear")


def test_a_session_at_work_elsewhere_keeps_its_checkpoint(workshop: Workshop) -> None:
    workshop.compact()
    alive = os.getpid()  # the test itself stands for another client, the hooks' parent for ours
    leave(workshop, pid=alive, started=started(alive))
    assert workshop.session("session-2").start("startup") == ""


@pytest.mark.parametrize(("left_for", "is_told"), [("session-1", False), ("session-3", True)])
def test_a_session_that_its_client_has_left_may_be_taken_up(
    workshop: Workshop, left_for: str, *, is_told: bool
) -> None:
    workshop.compact()
    alive = os.getpid()
    leave(workshop, pid=alive, started=started(alive))
    record(workshop, alive, left_for)
    assert ("cx-001" in workshop.session("session-2").start("startup")) is is_told


@pytest.mark.parametrize(("is_own", "is_told"), [(False, False), (True, True)])
def test_a_session_that_another_client_has_resumed_is_not_offered(
    workshop: Workshop, *, is_own: bool, is_told: bool
) -> None:
    workshop.compact()
    leave(workshop)
    own = client_process.own({})
    assert own
    record(workshop, own.pid if is_own else os.getpid(), "session-1")
    record(workshop, 2**22 - 3, "session-1", 9e9)  # one that was killed
    (workshop.root.parent / "sessions" / "9\u0663x.json").touch()
    assert ("cx-001" in workshop.session("session-2").start("clear")) is is_told


def record(workshop: Workshop, pid: int, session_id: str, since: float | None = None) -> None:
    """Write the record of a client that is in a session."""
    path = workshop.root.parent / "sessions" / f"{pid}.json"
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps({"sessionId": session_id, "startedAt": 1000 * (since or started(pid))}))


def started(pid: int) -> float:
    import psutil  # noqa: PLC0415  only this helper asks

    return float(psutil.Process(pid).create_time())


def test_a_reused_process_id_does_not_count_as_a_client(workshop: Workshop) -> None:
    workshop.compact()
    leave(workshop, pid=os.getpid(), started=started(os.getpid()) - 500)
    assert "cx-001" in workshop.session("session-2").start("startup")


@pytest.mark.parametrize("source", ["compact", "resume"])
def test_a_continuing_session_never_resumes_anothers_work(workshop: Workshop, source: str) -> None:
    workshop.compact()
    leave(workshop)
    assert workshop.session("session-2").start(source) == ""


def test_each_of_two_sessions_resumes_its_own_work(workshop: Workshop) -> None:
    other = workshop.session("session-2")
    workshop.edit("src/mine.py")
    workshop.compact()
    other.edit("src/theirs.py")
    other.compact()
    assert "src/mine.py" in workshop.start("compact")
    assert "src/theirs.py" not in workshop.start("compact")
    assert "src/theirs.py" in other.start("compact")


def test_another_projects_checkpoint_is_not_resumed(workshop: Workshop, tmp_path: Path) -> None:
    workshop.configure(f'checkpoint.directory = "{tmp_path}/all"')
    workshop.compact()
    assert workshop.start("compact") != ""
    market = workshop.elsewhere(tmp_path / "market")
    assert [market.start(source) for source in ("startup", "clear", "compact", "resume")] == [""] * 4


def test_a_checkpoint_that_comes_with_a_repository_is_not_resumed(workshop: Workshop, tmp_path: Path) -> None:
    workshop.compact()
    market = workshop.elsewhere(tmp_path / "market")
    market.folder.parent.mkdir(parents=True)
    workshop.folder.rename(market.folder)
    assert market.start("startup") == ""


def test_work_resumed_by_one_session_is_not_offered_to_the_next(workshop: Workshop) -> None:
    workshop.compact()
    leave(workshop)
    second, third = workshop.session("session-2"), workshop.session("session-3")
    assert second.start() == third.start() != ""  # nobody has worked on it yet
    second.prompt("<task-notification>")
    assert workshop.session("session-4").start() != ""
    second.prompt("Go on")
    assert workshop.marks(".resumed") == ["cx-001"]
    assert workshop.session("session-5").start() == ""
    assert "cx-001" in workshop.start("resume")


def test_nothing_older_than_resumed_work_is_offered(workshop: Workshop) -> None:
    for _ in range(2):
        workshop.compact()
        leave(workshop)
    second = workshop.session("session-2")
    assert "cx-002" in second.start()
    second.prompt("Go on")
    assert workshop.marks(".resumed") == ["cx-002"]
    assert workshop.session("session-3").start() == ""


def test_a_headless_run_takes_no_ones_work(workshop: Workshop, monkeypatch: pytest.MonkeyPatch) -> None:
    workshop.compact()
    leave(workshop)
    monkeypatch.setenv("CLAUDE_CODE_ENTRYPOINT", "sdk-cli")
    scripted = workshop.session("session-2")
    assert scripted.start() != ""
    scripted.prompt("Write the commit's message")
    assert workshop.session("session-3").start() != ""


def test_an_old_checkpoint_is_not_offered_to_a_new_session(workshop: Workshop) -> None:
    workshop.compact()
    leave(workshop)
    age(workshop, "cx-001", 6.9)
    assert workshop.session("session-2").start() != ""
    age(workshop, "cx-001", 7.1)
    assert workshop.session("session-3").start() == ""
    assert workshop.start("resume") != ""


@pytest.mark.parametrize(("days", "is_offered"), [(6.9, True), (7.1, False)])
def test_a_checkout_does_not_make_an_old_checkpoint_younger(
    workshop: Workshop, days: float, *, is_offered: bool
) -> None:
    workshop.compact()
    leave(workshop)
    path = workshop.folder / "cx-001-checkpoint.json"
    saved_at = datetime.fromtimestamp(time.time() - days * 24 * 3600, UTC)
    workshop.rewrite(path, json.loads(path.read_bytes()) | {"timestamp": saved_at.isoformat()})
    assert time.time() - path.stat().st_mtime < 600
    assert bool(workshop.session("session-2").start()) == is_offered


def test_a_session_that_continues_its_own_work_takes_nothing_else(workshop: Workshop) -> None:
    workshop.compact()
    assert "cx-001" in workshop.start("startup")
    workshop.prompt("Go on")
    assert workshop.marks(".resumed") == []
