import json
import os
import pty
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.conftest import REPOSITORY
from tests.installer.conftest import Home
from tests.installer.registered import expected, hooks_in

FOREIGN = '{ "type":"command", "command":"cat >/dev/null; echo mine", "padding": 1.0 }'
ODD = [
    None,
    b"",
    b"{}",
    b'\xef\xbb\xbf{\r\n\t"model" : "\xc3\xa4"\r\n}',
    b'{"hooks":{"PostToolUse":[],"Stop":[{"hooks":[]}]},"n":1.0,"n":1e5}',
    b'{\n    "statusLine": ' + FOREIGN.encode() + b',\n    "z": [ ]\n}\n\n',
    b'{"statusLine": {"type": "command", "command": "cat", "padding": ' + b"1" * 5_000 + b"}}",
]


@pytest.mark.parametrize("contents", ODD)
def test_uninstalling_restores_the_home(home: Home, contents: bytes | None) -> None:
    if contents is not None:
        home.write(contents)
        home.settings.chmod(0o640)
    before = home.tree()
    home.installed()
    home.installed("uninstall")

    assert home.tree() == before


def test_a_second_time_writes_the_same_settings_and_no_backup(home: Home) -> None:
    home.write(b'{"a": 1}')
    home.installed()
    before = (home.settings.read_bytes(), home.settings.stat(), os.listdir(home.client))
    assert re.search(r"  adds   \d hooks, ", home.installed("--dry-run", "--profile", "full"))
    assert "  adds   nothing\n" in home.installed()

    assert (home.settings.read_bytes(), home.settings.stat(), os.listdir(home.client)) == before


def test_a_dry_run_writes_nothing_and_shows_the_change(home: Home) -> None:
    home.write(b'{\n  "a": 1\n}\n')
    before = home.tree()
    output = home.installed("--dry-run")

    assert home.tree() == before
    assert '   "a": 1\n' not in output
    assert '-  "a": 1\n+  "a": 1,\n+  "hooks": {\n' in output
    assert f"write {home.root}/bin/monitor\n" in output
    assert "dry run" in output


@pytest.mark.usefixtures("trying")
def test_the_installer_shows_a_line_and_a_warning(home: Home) -> None:
    output = home.installed()

    assert "71%" in output
    assert re.search(r"---CONTEXT MONITOR---\nCONTEXT WINDOW [A-Z]+ — 29% remaining \(71% used\)\.\n", output)
    assert os.listdir(home.root / "run") == []


@pytest.mark.usefixtures("trying")
def test_a_foreign_status_line_is_wrapped_and_shown(home: Home) -> None:
    home.write(b'{"statusLine": ' + FOREIGN.encode() + b"}")
    output = home.installed()

    assert "\nmine\n" in output
    assert (home.root / "wrapped.json").read_text(encoding="utf-8") == FOREIGN
    assert json.loads(home.settings.read_bytes())["statusLine"]["padding"] == 1


def test_uninstalling_keeps_what_the_person_changed_since(home: Home) -> None:
    home.write(b'{"statusLine": ' + FOREIGN.encode() + b', "a": 1}')
    home.installed()
    home.settings.write_bytes(home.settings.read_bytes().replace(b'"a": 1', b'"a": 2'))
    output = home.installed("uninstall")

    assert home.settings.read_bytes() == b'{"statusLine": ' + FOREIGN.encode() + b', "a": 2}'
    assert ".bak" in output
    assert not home.root.exists()


def test_the_clients_directory_may_be_elsewhere(home: Home, tmp_path: Path) -> None:
    before = home.tree()
    client = tmp_path / "elsewhere"
    result = home.install(CLAUDE_CONFIG_DIR=str(client))

    assert result.returncode == 0
    assert f"{client}/tidegauge/bin/monitor" in (client / "settings.json").read_text(encoding="utf-8")
    assert home.tree() == before


def test_without_a_start_up_bundle_everything_works(home: Home) -> None:
    result = home.install(source=REPOSITORY, FAKE_UV_SPOILS="startup.bundle")

    assert (result.returncode, result.stderr) == (0, "")
    assert "Without a start-up bundle, which only speeds up the start: IsADirectoryError" in result.stdout
    assert "CONTEXT WINDOW " in result.stdout


@pytest.mark.parametrize(("answer", "code"), [(b"\n", 0), (b"y\n", 0), (b"n\n", 1), (b"\x04", 1)])
def test_on_a_terminal_it_asks_first(home: Home, answer: bytes, code: int) -> None:
    ours, theirs = pty.openpty()
    os.write(ours, b"\n" + answer)  # the first is for the client's reminder
    result = subprocess.run(
        [sys.executable, str(home.installer)],
        cwd=home.project,
        env=home.environ,
        stdin=theirs,
        capture_output=True,
        check=False,
    )
    os.close(ours)
    os.close(theirs)

    assert b"Continue? [Y/n/d" in result.stdout
    assert (result.returncode, home.settings.exists()) == (code, code == 0)


def test_it_asks_before_it_shows_the_plan(home: Home) -> None:
    output = home.answer("perhaps", "y", "")

    question, summary, consent = (output.index(text) for text in ("[y/N]", "  adds   ", "Continue?"))
    assert question < summary < consent
    assert output.count("[y/N]") == 2
    assert "Answer with no or yes; Enter alone means no." in output
    assert json.loads(home.settings.read_bytes())["totalTokensReminder"] == "countdown"


def test_it_names_the_summary_file(home: Home) -> None:
    configuration = home.path / ".config" / "tidegauge" / "config.toml"
    configuration.parent.mkdir(parents=True)
    configuration.write_text('messages.summary_file = "STATE.md"')
    assert re.search(r"\d hooks, which ask the agent to save its state in STATE\.md,", home.installed("--dry-run"))


def test_after_three_invalid_answers_nothing_is_changed(home: Home) -> None:
    result = home.answering("a", "b", "c")

    assert (result.returncode, home.settings.exists()) == (1, False)
    assert result.stderr == "install.py: no answer was understood, 3 times; nothing was changed\n"


def test_uninstalling_names_the_file_and_shows_the_change_when_asked(home: Home) -> None:
    home.write(b'{"a": 1}')
    home.installed()
    dry = home.installed("uninstall", "--dry-run")
    output = home.installed("uninstall")

    assert f"--- {home.settings}\n" in dry
    assert f"  restore {home.settings}\n" in output
    assert len(output.splitlines()) < 20


def test_uninstalling_nothing_says_so(home: Home) -> None:
    assert "not installed" in home.installed("uninstall")
    assert not home.client.exists()


def test_linked_settings_are_changed_at_their_target(home: Home) -> None:
    target = home.path / "dotfiles" / "claude.json"
    target.parent.mkdir()
    target.write_bytes(b"{}")
    home.client.mkdir()
    home.settings.symlink_to(target)
    before = home.tree()
    home.installed()

    assert home.settings.is_symlink()
    assert hooks_in(target) == expected()
    home.installed("uninstall")
    assert home.tree() == before


def test_switched_off_hooks_bring_a_warning(home: Home) -> None:
    home.write(b'{"disableAllHooks": true}')

    assert 'Warning: "disableAllHooks"' in home.installed("--dry-run")


def test_a_projects_settings_cannot_steer_the_terminal(home: Home) -> None:
    steering = "\x1b]0;title\x07\x9b2J\u202e"
    project = home.project / steering
    (project / ".claude").mkdir(parents=True)
    commands = [f"/x/tidegauge/bin/monitor-event {steering}", f"{steering}-context-monitor"]
    hooks = {"PostToolUse": [{"hooks": [{"type": "command", "command": command} for command in commands]}]}
    for ascii_only, name in ((True, "settings.json"), (False, "settings.local.json")):
        (project / ".claude" / name).write_text(json.dumps({"hooks": hooks}, ensure_ascii=ascii_only), encoding="utf-8")
    home.project = project

    for arguments in (["--dry-run"], ["--yes"], ["uninstall", "--dry-run"]):
        result = home.install(*arguments, "--project")
        assert not {"\x1b", "\x07", "\x9b", "\u202e"}.intersection(result.stdout + result.stderr), arguments
    assert r"(--other-monitors off): \x1b]0;title\x07\x9b2J\u202e-context-monitor." in home.install("--project").stdout


@pytest.mark.parametrize("closed", ["<&-", ">&-", "<&- >&- 2>&-", "| :"])
def test_it_needs_neither_terminal_nor_reader(home: Home, closed: str) -> None:
    home.run(["sh", "-c", f"'{sys.executable}' '{home.installer}' {closed}"], {})

    assert hooks_in(home.settings) == expected()


def test_two_simultaneous_installers_do_not_interfere(home: Home, tmp_path: Path) -> None:
    reached = tmp_path / "reached"
    command = [sys.executable, str(REPOSITORY / "install.py"), "--yes"]
    waiting = home.environ | {"FAKE_UV_WAITS": str(reached)}
    with subprocess.Popen(command, env=waiting, stderr=subprocess.DEVNULL, start_new_session=True) as first:
        while not reached.exists():
            time.sleep(0.01)
        assert "another installation is running" in home.refused()
        os.killpg(first.pid, signal.SIGTERM)

    assert not home.client.exists()


def test_another_choice_reinstalls_nothing(home: Home) -> None:
    home.installed()
    before = (home.root / "environment").stat().st_ino, len(hooks_in(home.settings))
    output = home.tidegauge("install", "--profile", "full", "--yes").stdout

    assert f"stays in {home.root} (profile full)\n" in output
    assert (home.root / "environment").stat().st_ino == before[0]
    assert len(hooks_in(home.settings)) > before[1]
    assert json.loads((home.root / "choices.json").read_bytes())["profile"] == "full"
    repaired = home.tidegauge("repair").stdout
    assert "is reinstalled in" in repaired
    assert repaired.splitlines()[-1] == "Repaired. To check it: ~/.claude/tidegauge/bin/tidegauge doctor"
    assert "CONTEXT MONITOR" not in repaired
