"""Breakages on a person's machine: doctor names each with a fix, and never says less than the badge."""

import json
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from shared import paths
from tests import scratch
from tests.commands.person import Person


def hook(command: str) -> list[dict[str, object]]:
    return [{"matcher": "*", "hooks": [{"type": "command", "command": command}]}]


def install_plugin(person: Person, name: str, command: str, *, is_enabled: bool = True) -> None:
    """Write the client's records of an installed plugin."""
    place = person.client / "plugins" / "cache" / name
    (place / "hooks").mkdir(parents=True)
    (place / "hooks" / "hooks.json").write_text(json.dumps({"hooks": {"PostToolUse": hook(command)}}))
    installed = {"version": 2, "plugins": {name: [{"scope": "user", "installPath": str(place), "version": "0.1.0"}]}}
    (person.client / "plugins" / "installed_plugins.json").write_text(json.dumps(installed))
    person.change_settings(enabledPlugins={name: is_enabled})


def wrap(person: Person, command: str) -> None:
    (person.root / "wrapped.json").write_bytes(msgspec.json.encode({"type": "command", "command": command}))


def trust_nothing(person: Person) -> None:
    (person.home / ".claude.json").write_text('{"projects": {}}')


def break_interpreter(person: Person) -> None:
    (person.root / "environment").unlink()  # a link to the environment of these tests
    (person.root / "environment" / "bin").mkdir(parents=True)
    (person.root / "environment" / "bin" / "python").symlink_to("/gone/python3")


def history(person: Person, data: bytes) -> None:
    path = Path(paths.history_store(str(person.root)))
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)


def another_database() -> bytes:
    with closing(sqlite3.connect(":memory:")) as store:
        store.execute("CREATE TABLE notes (text)")
        return store.serialize()


BREAKAGES: dict[str, tuple[Callable[[Person], object], str, str, str, str]] = {
    "a name in hide that nothing has": (
        lambda person: person.configure('[statusline]\nhide = ["costs"]\n'),
        "configuration", "wrong", "statusline.hide: expected model, directory", "correct it there",
    ),
    "a key of the wrong type": (
        lambda person: person.configure('[levels.warning]\nremaining = "many"\n'),
        "configuration", "wrong", "levels.warning.remaining: expected a number", "correct it there",
    ),
    "a file that isn't TOML": (
        lambda person: person.configure("[hooks]\nnotices = maybe\n"),
        "configuration", "wrong", "config.toml: Invalid value (at line 2, column 11)", "correct it there",
    ),
    "headers for a collector that aren't there": (
        lambda person: person.configure(
            '[telemetry]\nendpoint = "http://127.0.0.1:9"\nheaders_variable = "COLLECTOR_HEADERS"\n'
        ),
        "collector", "warning", "COLLECTOR_HEADERS isn't set", "config.toml",
    ),
    "a damaged history": (
        lambda person: history(person, b"junk" * 4_000),
        "history", "wrong", "history.sqlite is not a Tidegauge store (file is not a database)", "move it away",
    ),
    "a history of another program": (
        lambda person: history(person, another_database()),
        "history", "wrong", "history.sqlite belongs to another program", "move it away",
    ),
    "a history of an older version": (
        lambda person: history(person, b""),
        "history", "warning", "history.sqlite is of version 0", "run `tidegauge history sync`",
    ),
    "a missing companion": (
        lambda person: (person.client / "commands" / "token-status.md").unlink(),
        "companions", "warning", "commands/token-status.md", "tidegauge repair",
    ),
    "a removed interpreter": (
        break_interpreter, "interpreter", "wrong", "leads to a Python that no longer exists", "tidegauge repair",
    ),
    "a damaged record": (
        lambda person: (person.root / "choices.json").write_text("{"),
        "state", "wrong", "choices.json cannot be read", "tidegauge repair",
    ),
    "a launcher that may not be executed": (
        lambda person: (person.root / "bin" / "monitor").chmod(0o644),
        "launchers", "wrong", "bin/monitor may not be executed", "tidegauge repair",
    ),
    "a run directory that others may read": (
        lambda person: (person.root / "run").chmod(0o755),
        "run directory", "warning", "others can read", "tidegauge repair",
    ),
    "another monitor": (
        lambda person: person.write_project_settings(hooks={"PostToolUse": hook("node ~/gsd-context-monitor.js")}),
        "other monitors", "warning", "79% here is 95% there", "keep one of the two",
    ),
    "another monitor from a plugin": (
        lambda person: install_plugin(person, "gsd@gsd", "node gsd-context-monitor.js"),
        "other monitors", "warning", "gsd-context-monitor.js", "keep one of the two",
    ),
    "our hooks from a foreign plugin": (
        lambda person: install_plugin(person, "copy@x", '"/elsewhere/.claude/tidegauge/bin/monitor"'),
        "second copy", "wrong", "PostToolUse runs 2 monitors of ours", "remove all but one",
    ),
    "our hooks in the settings and from our plugin": (
        lambda person: install_plugin(person, "tidegauge@tidegauge", 'sh "${CLAUDE_PLUGIN_ROOT}/hooks/run" monitor'),
        "second copy", "warning", "and in the plugin tidegauge@tidegauge", "tidegauge install --no-hooks",
    ),
    "a wrapped line that fails": (
        lambda person: wrap(person, "exit 3"),
        "wrapped status line", "warning", "exit code 3", "run it by hand",
    ),
    "all hooks switched off": (
        lambda person: person.change_settings(disableAllHooks=True),
        "hooks allowed", "wrong", "disableAllHooks is true", "set it to false",
    ),
    "a project that the client doesn't trust": (
        trust_nothing, "trust", "warning", "is not trusted", "answer its question",
    ),
    "a setting of the client's that contradicts us": (
        lambda person: person.change_settings(totalTokensReminder="fixed"),
        "<total_tokens>", "warning", "isn't the window's", '"totalTokensReminder": "countdown"',
    ),
}  # fmt: skip


@pytest.mark.parametrize("breakage", BREAKAGES)
def test_a_breakage_is_named_with_its_fix(person: Person, breakage: str) -> None:
    make, subject, status, text, remedy = BREAKAGES[breakage]
    make(person)

    result = person.doctor("--json")

    matching = [finding for finding in json.loads(result.stdout)["findings"] if finding["subject"] == subject]
    worst = [one for one in matching if one["status"] == status]
    assert worst, matching
    assert text in worst[0]["message"]
    assert remedy in worst[0]["remedy"]
    assert result.returncode == (
        1 if any(finding["status"] == "wrong" for finding in json.loads(result.stdout)["findings"]) else 0
    )


def test_a_switched_off_plugin_does_not_count(person: Person) -> None:
    install_plugin(person, "copy@x", '"/elsewhere/.claude/tidegauge/bin/monitor"', is_enabled=False)

    assert person.finding("second copy").status == "ok"


def test_the_hooks_may_come_from_our_plugin_alone(person: Person) -> None:
    install_plugin(person, "tidegauge@tidegauge", 'sh "${CLAUDE_PLUGIN_ROOT}/hooks/run" monitor')
    person.change_settings(hooks={})

    assert person.finding("hook entries") == ("ok", "from the plugin tidegauge@tidegauge")


def test_hooks_left_out_on_purpose_are_a_warning(person: Person) -> None:
    choices = json.loads((person.root / "choices.json").read_text())
    (person.root / "choices.json").write_text(json.dumps(choices | {"hooks": False}))
    person.change_settings(hooks={})

    assert person.finding("hook entries").status == "warning"


@pytest.mark.parametrize("damage", ["module", "record"])
def test_a_missing_package_is_named(person: Person, tmp_path: Path, damage: str) -> None:
    packages = tmp_path / "packages"
    (packages / "shtab-1.7.2.dist-info").mkdir(parents=True)
    if damage == "module":
        (packages / "shtab-1.7.2.dist-info" / "METADATA").write_text("Name: shtab\nVersion: 1.7.2\n")
        (packages / "shtab-1.7.2.dist-info" / "RECORD").write_text("shtab/__init__.py,,\n")
    else:
        (packages / "shtab-1.7.2.dist-info").rmdir()
    hide = f"""
import sys, importlib.metadata as metadata
sys.path.insert(0, {str(packages)!r})
find = metadata.distribution
def found(name):
    if {damage!r} == "record" and name == "shtab":
        raise metadata.PackageNotFoundError(name)
    return find(name)
metadata.distribution = found
from commands import run
sys.exit(run(["doctor", "-v"], {str(person.root)!r}))
"""
    result = subprocess.run(
        [sys.executable, "-c", hide],
        env=scratch.environment(person.root) | {"PYTHONPATH": str(scratch.REPOSITORY)},
        cwd=person.project,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )

    assert f"{person.root}/environment lacks shtab" in result.stdout
    assert result.returncode == 1


@pytest.mark.parametrize("toml", ['[statusline]\nhide = ["costs"]\n', "[levels.warning]\nremaining = 'x'\n", ""])
def test_badge_and_doctor_agree(person: Person, toml: str) -> None:
    person.configure(toml)
    payload = {"session_id": "5b0c6a1e", "model": {"id": "m", "display_name": "M"}, "cwd": str(person.project)}

    drawn = scratch.run(person.root, json.dumps(payload).encode(), name="statusline").stdout.decode()

    assert ("! config" in drawn) == (person.finding("configuration").status == "wrong") == bool(toml)


@pytest.mark.parametrize("theirs", ["record", "status line", "setting"])
def test_fix_leaves_what_may_be_the_persons_own(person: Person, theirs: str) -> None:
    path = person.settings
    if theirs == "record":
        path = person.root / "installed.json"
        path.write_text("{")
    elif theirs == "setting":
        path = person.home / "config" / "config.toml"
        person.configure('[statusline]\nhide = ["costs"]\n')
    else:
        person.change_settings(statusLine={"type": "command", "command": "date"})
    before = path.read_text()

    result = person.doctor("--fix")

    assert "fix: " not in result.stderr
    assert path.read_text() == before
    assert ("tidegauge repair" in result.stdout) == (theirs != "setting")


def test_fix_repairs_and_runs_the_new_programs_check(person: Person) -> None:
    command = person.root / "bin" / "tidegauge"
    command.write_text(f'#!/bin/sh\necho "$@" >>"{person.home}/said"\necho checked\n')
    command.chmod(0o755)
    (person.client / "commands" / "token-status.md").unlink()

    result = person.doctor("--fix")

    assert (person.home / "said").read_text() == "repair\ndoctor\n"
    assert (result.returncode, result.stdout) == (0, "checked\n")
