import hashlib
import json
import time
from pathlib import Path

import msgspec

from tests.monitor.commands.person import Person, findings


def contents(directory: Path) -> dict[str, tuple[str, int]]:
    return {
        str(path): (hashlib.sha256(path.read_bytes()).hexdigest(), path.stat().st_mtime_ns)
        for path in sorted(directory.rglob("*"))
        if path.is_file() and "environment" not in path.parts
    }


def test_an_installation_with_nothing_wrong_passes(person: Person) -> None:
    transcript = person.transcript()
    transcript.answer(60_000, at=time.time())
    person.write_bridge(transcript, 60_000)

    done = person.doctor()

    assert done.returncode == 0
    assert done.stderr == ""
    assert {one.status for found in findings(done.stdout).values() for one in found} <= {"ok", "unknown"}


def test_nothing_installed_is_something_wrong(person: Person) -> None:
    person.settings.unlink()

    done = person.doctor()

    assert done.returncode == 1
    assert findings(done.stdout)["PostToolUse entry"] == [("wrong", "no settings file has our PostToolUse entry")]
    assert "→ run: tidegauge repair" in done.stdout


def test_what_is_piped_has_no_colours(person: Person) -> None:
    assert "\033" not in person.doctor().stdout


def test_json_holds_the_findings_and_the_thresholds(person: Person) -> None:
    (person.root / "bin" / "monitor.py").unlink()

    done = person.doctor("--json")

    report = json.loads(done.stdout)
    assert done.returncode == 1
    assert {"status", "subject", "said"} <= report["findings"][0].keys()
    assert any(found["subject"] == "launchers" and found["status"] == "wrong" for found in report["findings"])
    warning = next(row for row in report["thresholds"] if row["setting"] == "levels.warning")
    assert (warning["used"], warning["before_limit"]) == (65, 20_000)
    assert warning["tokens"] == {"200000": 129_000, "1000000": 645_000}


def test_the_table_holds_the_thresholds_in_force(person: Person) -> None:
    person.configure("[levels.warning]\nremaining = 50\nevery = 3\nmax_tokens = 90000\n")

    table = [" ".join(line.split()) for line in person.doctor().stdout.splitlines()]

    assert "50 % 110,000 910,000 20,000 WARNING, ≤ 90,000 left: every 3 tool uses levels.warning" in table
    assert "75 % 149,000 900,000 10,000 CRITICAL, ≤ 100,000 left: every 2 tool uses levels.critical" in table
    assert "40 % 80,000 400,000 ceiling guard ceiling.percentage" in table


def test_the_table_is_of_a_configured_window(person: Person) -> None:
    person.configure("[window]\nsize = 500000\n")

    assert "of 500,000" in person.doctor().stdout


def test_nothing_of_the_persons_is_changed(person: Person) -> None:
    transcript = person.transcript()
    for number, tokens in enumerate((120_000, 132_000)):
        transcript.answer(tokens, tool_use_ids=[f"toolu_{number}"], model="claude-new", at=time.time())
        person.use_tool(transcript, f"toolu_{number}")
    # A hook would learn the window of this model from its measurement.
    person.write_bridge(transcript, 132_000, model_id="claude-new")
    (person.root / "run" / "failed-monitor").write_text("it failed")
    before = contents(person.home)

    person.doctor()
    person.doctor("--session", transcript.path.stem)

    assert contents(person.home) == before


def test_the_samples_leave_no_state(person: Person) -> None:
    person.doctor()

    assert list((person.root / "run").iterdir()) == []
    assert not (person.root / "learned.json").exists()


def test_what_comes_from_outside_cannot_steer_the_terminal(person: Person) -> None:
    evil = "\033]0;owned\a\u202e"
    person.write_project_settings(
        hooks={"PostToolUse": [{"hooks": [{"type": "command", "command": f"gsd-context-monitor.js {evil}"}]}]}
    )
    (person.root / "run" / "failed-monitor").write_text(f"failed {evil}")
    (person.root / "wrapped.json").write_bytes(msgspec.json.encode({"type": "command", "command": f"true {evil}"}))
    transcript = person.transcript()
    transcript.answer(60_000, model=f"model{evil}", top={"cwd": f"/x{evil}", "version": evil})

    output = person.doctor().stdout + person.doctor("--session", transcript.path.stem).stdout

    assert not any(character in output for character in "\033\a\u202e")
    assert "gsd-context-monitor.js" in output
