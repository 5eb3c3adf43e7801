import os
import time

from tests.commands.person import SESSION, Person


def test_a_fresh_bridge_is_ok(person: Person) -> None:
    transcript = person.transcript()
    transcript.answer(60_000)
    person.write_bridge(transcript, 60_000, age=20)

    finding = person.finding("bridge")

    assert finding.status == "ok"
    assert finding.message.startswith(f"session {SESSION}: 30 % used, sampled 2")
    assert finding.message.endswith(": fresh")


def test_a_stale_bridge_says_what_the_monitor_does(person: Person) -> None:
    transcript = person.transcript()
    person.write_bridge(transcript, 60_000, age=400)

    assert person.finding("bridge").message.endswith(": no longer fresh, so the monitor reads the transcript instead")


def test_of_several_bridges_the_newest_is_told(person: Person) -> None:
    old = person.write_bridge(person.transcript("old"), 60_000)
    os.utime(old, (0, 0))
    person.write_bridge(person.transcript("new"), 60_000)

    assert person.finding("bridge").message.startswith("session new: ")


def test_an_unreadable_bridge_is_wrong(person: Person) -> None:
    (person.root / "run" / f"claude-ctx-{SESSION}.json").write_text("{")

    assert person.finding("bridge").status == "wrong"


def test_a_bridge_from_the_future_is_wrong(person: Person) -> None:
    person.write_bridge(person.transcript(), 60_000, age=-600)

    assert "ahead of the clock" in person.finding("bridge").message


def test_a_bridge_is_looked_for_where_it_is_configured(person: Person) -> None:
    elsewhere = person.home / "bridges"
    elsewhere.mkdir()
    person.configure(f"[bridge]\ndirectory = '{elsewhere}'\n")
    bridge = person.write_bridge(person.transcript(), 60_000)
    bridge.rename(elsewhere / bridge.name)

    assert person.finding("bridge").message.startswith(f"session {SESSION}: 30 % used")


def test_the_last_failure_is_told_with_its_reason(person: Person) -> None:
    (person.root / "run" / "failed-statusline").write_text("statusline: ValueError: boom (line.py:3)")

    result = person.doctor()

    assert result.returncode == 1
    assert "ValueError: boom (line.py:3)" in person.finding("last statusline").message


def test_the_last_line_of_the_log_is_told(person: Person) -> None:
    (person.home / "log").mkdir()
    (person.home / "log" / "tidegauge.log").write_text("first\nsecond\n")

    finding = person.finding("log")

    assert finding.status == "warning"
    assert finding.message.endswith(": second")


def test_the_last_hook_is_dated(person: Person) -> None:
    transcript = person.transcript()
    transcript.answer(140_000, at=time.time())
    person.use_tool(transcript, "toolu_1")

    assert person.finding("last hook").message.startswith("last recorded run ")
