import hashlib
import json
import re
import sys
import time
from pathlib import Path

import msgspec
import pytest

from commands.doctor import finding
from commands.doctor.finding import CheckFinding, CheckStatus
from commands.doctor.installation import thresholds
from commands.terminal import TableRow, table
from shared.gauge.levels import LevelRules
from shared.settings.config import Config
from tests.commands.person import Person, findings
from tests.levels import FIRST, FIRST_REMAINING, FIRST_RULE


def contents(directory: Path) -> dict[str, tuple[str, int]]:
    return {
        str(path): (hashlib.sha256(path.read_bytes()).hexdigest(), path.stat().st_mtime_ns)
        for path in sorted(directory.rglob("*"))
        if path.is_file() and "environment" not in path.parts
    }


def test_a_healthy_installation_passes(person: Person) -> None:
    transcript = person.transcript()
    transcript.answer(60_000, at=time.time())
    person.write_bridge(transcript, 60_000)

    result = person.doctor("-v")

    assert result.returncode == 0
    assert result.stderr == ""
    unsettled = [one for row in findings(result.stdout).values() for one in row if one.status not in {"ok", "unknown"}]
    assert [finding for finding in unsettled if "only after" not in finding.message] == []  # the machine may be busy


def test_a_missing_installation_is_an_error(person: Person) -> None:
    person.settings.unlink()

    result = person.doctor()

    assert result.returncode == 1
    assert findings(result.stdout)["PostToolUse entry"][0].message.startswith(
        "no settings file has our PostToolUse entry for every tool"
    )
    assert "→ run: ~/.claude/tidegauge/bin/tidegauge repair" in result.stdout


def test_piped_output_has_no_colours(person: Person) -> None:
    assert "\033" not in person.doctor().stdout


@pytest.mark.skipif(sys.platform in {"darwin", "win32"}, reason="names there are text")
def test_json_names_a_directory_that_is_not_utf_8(person: Person) -> None:
    person = person._replace(project=person.project / "caf\udce9")
    person.project.mkdir()
    person.write_project_settings(disableAllHooks=True)
    document = json.loads(person.doctor("--json").stdout)

    assert any("caf\\udce9" in finding["message"] for finding in document["findings"])


def test_json_holds_the_findings_and_the_thresholds(person: Person) -> None:
    (person.root / "bin" / "monitor.py").unlink()

    result = person.doctor("--json")

    report = json.loads(result.stdout)
    assert result.returncode == 1
    assert {"status", "subject", "message"} <= report["findings"][0].keys()
    assert any(finding["subject"] == "launchers" and finding["status"] == "wrong" for finding in report["findings"])
    warning = next(row for row in report["thresholds"] if row["setting"] == "levels.warning")
    assert (warning["used"], warning["before_limit"]) == (65, 20_000)
    assert warning["tokens"] == {"200000": 129_000, "1000000": 850_000}


def test_the_table_holds_the_thresholds_in_force(person: Person) -> None:
    person.configure(f"[levels.{FIRST.name.lower()}]\nremaining = 50\nevery = 3\nmax_tokens = 190000\n")

    table = [" ".join(line.split()) for line in person.doctor("-v").stdout.splitlines()]

    margin, setting = f"{FIRST_RULE.compact_margin_tokens:,}", f"levels.{FIRST.name.lower()}"
    assert f"50% 99,000 810,000 {margin} {FIRST.name}, ≤ 190,000 left: every 3 uses {setting}" in table
    often = LevelRules().critical.every
    assert f"75% 149,000 900,000 10,000 CRITICAL, ≤ 100,000 left: every {often} uses levels.critical" in table
    assert any(line.startswith("40% 80,000 ") and line.endswith(" ceiling guard ceiling.percentage") for line in table)


def test_the_table_follows_a_configured_window(person: Person) -> None:
    person.configure("[window]\nsize = 500000\n")

    assert "of 500,000" in person.doctor("-v").stdout


def test_the_table_holds_the_projects_settings(person: Person) -> None:
    (person.project / ".claude").mkdir()
    (person.project / ".claude" / "tidegauge.toml").write_text(f"{FIRST_REMAINING} = 50\n")

    rows = json.loads(person.doctor("--json").stdout)["thresholds"]

    assert next(row["used"] for row in rows if row["setting"] == f"levels.{FIRST.name.lower()}") == 50


def test_nothing_of_the_persons_files_is_changed(person: Person) -> None:
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


def test_the_samples_leave_nothing_in_configured_places(person: Person) -> None:
    own = person.home / "own"
    own.mkdir()
    critical = "levels.warning.remaining = 60\nlevels.critical.remaining = 50\n"  # the sample's 29% are below it
    person.configure(f"{critical}bridge.directory = '{own}'\ncheckpoint.directory = '{own}'\n")
    before = contents(person.home)

    person.doctor()

    assert contents(person.home) == before


def test_text_from_outside_cannot_steer_the_terminal(person: Person) -> None:
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


def test_a_healthy_installation_is_reported_in_a_few_lines(person: Person) -> None:
    lines = person.doctor().stdout.splitlines()

    assert len(lines) == 2
    assert lines[0].endswith(f" in {person.root}")
    assert lines[1] == "  No problems found; not used yet (-v lists all)."


def test_only_problems_are_shown_if_there_are_any(person: Person) -> None:
    (person.client / "commands" / "token-status.md").unlink()

    result = person.doctor()

    assert list(findings(result.stdout)) == ["companions"]
    assert "tidegauge doctor --fix applies the safe fixes." in result.stdout
    assert result.stdout.endswith("; -v lists all.\n")
    statuses = re.findall(r"\d+ (wrong|warning|unknown|ok)\b", result.stdout.splitlines()[-1])
    assert statuses == ["warning", "unknown", "ok"]  # the most urgent first


def test_a_report_names_the_system_and_shows_no_keys(person: Person) -> None:
    key = f"sk-ant-api03-{'k9Qz7Xw2' * 11}AA"
    (person.root / "wrapped.json").write_bytes(msgspec.json.encode({"type": "command", "command": f"KEY={key} false"}))

    result = person.doctor("--json")

    assert {"version", "python", "system"} <= json.loads(result.stdout).keys()
    assert "exit code 1" in result.stdout
    assert key not in result.stdout


@pytest.mark.parametrize("columns", [40, 80, 120])
def test_lines_are_folded_for_the_terminal(columns: int) -> None:
    result = [
        CheckFinding(CheckStatus.OK, "interpreter", "Python 3.13 in the private environment, as it should be " * 3),
        CheckFinding(CheckStatus.WRONG, "hooks allowed", "disableAllHooks is true", "set it to false " * 9),
    ]
    rows = [TableRow(cells) for cells in thresholds.cells(thresholds.rows(Config()))]

    lines = [*finding.lines(result, columns), *table(rows, columns)]

    assert max(map(len, lines)) <= columns
    assert "".join(" ".join(lines).split()).count("privateenvironment") == 3
