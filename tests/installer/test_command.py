import json
import os
import pty
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from monitor.registrations import wanted
from shared.config import Hooks
from tests.conftest import REPOSITORY
from tests.installer.conftest import Home

FOREIGN = '{ "type":"command", "command":"cat >/dev/null; echo mine", "padding": 1.0 }'
ODD = [
    None,
    b"",
    b"{}",
    b'\xef\xbb\xbf{\r\n\t"model" : "\xc3\xa4"\r\n}',
    b'{"hooks":{"PostToolUse":[],"Stop":[{"hooks":[]}]},"n":1.0,"n":1e5}',
    b'{\n    "statusLine": ' + FOREIGN.encode() + b',\n    "z": [ ]\n}\n\n',
]


FULL: dict[str, bool] = msgspec.structs.asdict(Hooks())
DEFAULTS = FULL | dict.fromkeys(("ceiling_guard", "read_guard", "staleness"), False)


def hooks_in(settings: Path) -> list[tuple[str, str]]:
    """Return event and matcher of each entry of ours."""
    groups = json.loads(settings.read_bytes()).get("hooks", {}).items()
    return [(event, group["matcher"]) for event, items in groups for group in items if "/bin/monitor" in str(group)]


def expected(**changes: bool) -> list[tuple[str, str]]:
    """Return them for the defaults with these changes, an event's one after the other."""
    entries = wanted(DEFAULTS | changes)
    events = dict.fromkeys(entry.event for entry in entries)
    return [(entry.event, entry.matcher) for event in events for entry in entries if entry.event == event]


@pytest.mark.parametrize("contents", ODD)
def test_uninstalling_leaves_the_home_as_it_was(home: Home, contents: bytes | None) -> None:
    if contents is not None:
        home.write(contents)
        home.settings.chmod(0o640)
    before = home.tree()
    home.installed()
    home.installed("--uninstall")

    assert home.tree() == before


def test_a_second_time_writes_the_same_settings_and_no_backup(home: Home) -> None:
    home.write(b'{"a": 1}')
    home.installed()
    before = (home.settings.read_bytes(), home.settings.stat(), os.listdir(home.client))
    home.installed()

    assert (home.settings.read_bytes(), home.settings.stat(), os.listdir(home.client)) == before


def test_a_dry_run_writes_nothing_and_shows_the_change(home: Home) -> None:
    home.write(b'{\n  "a": 1\n}\n')
    before = home.tree()
    shown = home.installed("--dry-run")

    assert home.tree() == before
    assert '   "a": 1\n' not in shown
    assert '-  "a": 1\n+  "a": 1,\n+  "hooks": {\n' in shown
    assert f"write {home.root}/bin/monitor\n" in shown
    assert "dry run" in shown


def test_the_installer_shows_a_line_and_a_warning(home: Home) -> None:
    shown = home.installed()

    assert "71%" in shown
    assert "---CONTEXT MONITOR---\nCONTEXT WINDOW WARNING — 29% remaining (71% used).\n" in shown
    assert os.listdir(home.root / "run") == []


def test_a_foreign_status_line_is_wrapped_and_shown(home: Home) -> None:
    home.write(b'{"statusLine": ' + FOREIGN.encode() + b"}")
    shown = home.installed()

    assert "\nmine\n" in shown
    assert (home.root / "wrapped.json").read_text(encoding="utf-8") == FOREIGN
    assert json.loads(home.settings.read_bytes())["statusLine"]["padding"] == 1


def test_uninstalling_keeps_what_the_person_changed_since(home: Home) -> None:
    home.write(b'{"statusLine": ' + FOREIGN.encode() + b', "a": 1}')
    home.installed()
    home.settings.write_bytes(home.settings.read_bytes().replace(b'"a": 1', b'"a": 2'))
    shown = home.installed("--uninstall")

    assert home.settings.read_bytes() == b'{"statusLine": ' + FOREIGN.encode() + b', "a": 2}'
    assert ".bak" in shown
    assert not home.root.exists()


def test_only_the_hooks_on_request(home: Home) -> None:
    home.installed("--no-statusline")

    assert list(json.loads(home.settings.read_bytes())) == ["hooks"]


def test_only_the_status_line_on_request(home: Home) -> None:
    home.installed()
    home.installed("--no-hooks")

    assert list(json.loads(home.settings.read_bytes())) == ["statusLine"]


def test_with_each_part_switched_its_entries_come_and_go(home: Home) -> None:
    home.write(b'{"hooks": {"PreCompact": []}, "a": 1}\n')
    home.configure("")
    before = home.tree()
    for part, is_on in DEFAULTS.items():
        home.configure(f"[hooks]\n{part} = {str(not is_on).lower()}\n")
        home.installed()
        assert sorted(hooks_in(home.settings)) == sorted(expected(**{part: not is_on}))
    home.configure("")
    home.installed()
    assert sorted(hooks_in(home.settings)) == sorted(expected())
    home.installed("--uninstall")

    assert home.tree() == before


def test_a_configuration_from_before_counts_at_once(home: Home) -> None:
    home.configure("[hooks]\nread_guard = true\nresumption = false\n")
    announced = home.installed("--dry-run").partition("\n  write ")[0]
    shown = home.installed()

    assert hooks_in(home.settings) == expected(read_guard=True, resumption=False)
    assert shown.startswith(announced)
    assert "meanwhile" not in shown


def test_everything_switched_off_is_nothing_registered(home: Home) -> None:
    home.configure("[hooks]\n" + "".join(f"{part} = false\n" for part in DEFAULTS))
    home.installed()

    assert list(json.loads(home.settings.read_bytes())) == ["statusLine"]


def test_the_environment_may_switch_too(home: Home) -> None:
    done = home.install(TIDEGAUGE_HOOKS__READ_GUARD="yes", TIDEGAUGE_HOOKS__CHECKPOINT="off")

    assert done.returncode == 0
    assert hooks_in(home.settings) == expected(read_guard=True, checkpoint=False)


def test_a_configuration_that_was_not_where_it_was_looked_for_counts_in_the_end(home: Home, tmp_path: Path) -> None:
    home.installed()
    elsewhere = tmp_path / "config" / "tidegauge"
    elsewhere.mkdir(parents=True)
    (elsewhere / "config.toml").write_text("[hooks]\nread_guard = true\n", encoding="utf-8")
    done = home.install(XDG_CONFIG_HOME=str(tmp_path / "config"))

    assert "Something has changed meanwhile, and this is what will be written:\n--- " in done.stdout
    assert sorted(hooks_in(home.settings)) == sorted(expected(read_guard=True))


def test_a_project_gets_the_hooks_alone(home: Home) -> None:
    home.installed("--project")
    settings = home.project / ".claude" / "settings.local.json"

    assert list(json.loads(settings.read_bytes())) == ["hooks"]
    assert not home.settings.exists()


def test_a_project_gets_a_status_line_only_when_told(home: Home) -> None:
    home.installed("--project", "--statusline")

    assert "statusLine" in json.loads((home.project / ".claude" / "settings.local.json").read_bytes())


def test_hooks_that_work_everywhere_are_not_added_to_a_project(home: Home) -> None:
    home.installed()
    shown = home.installed("--project")

    assert f"Warning: {home.settings} already has the hooks of Tidegauge" in shown
    assert not (home.project / ".claude").exists()


def test_a_projects_copy_is_warned_about(home: Home) -> None:
    home.installed("--project")
    shown = home.installed()

    assert f"Warning: {home.project}/.claude/settings.local.json already has the hooks" in shown
    assert hooks_in(home.settings) == expected()


def test_a_project_can_leave_alone(home: Home) -> None:
    home.installed("--project")
    home.installed()
    personal = home.settings.read_bytes()
    home.installed("--project", "--uninstall")

    assert not (home.project / ".claude").exists()
    assert home.settings.read_bytes() == personal
    assert (home.root / "bin" / "monitor").exists()


def test_leaving_altogether_cleans_the_projects_too(home: Home) -> None:
    home.client.mkdir()
    before = home.tree()
    home.installed("--project")
    home.installed()
    home.installed("--uninstall")

    assert home.tree() == before


def test_the_clients_directory_can_be_elsewhere(home: Home, tmp_path: Path) -> None:
    before = home.tree()
    client = tmp_path / "elsewhere"
    done = home.install(CLAUDE_CONFIG_DIR=str(client))

    assert done.returncode == 0
    assert f"{client}/tidegauge/bin/monitor" in (client / "settings.json").read_text(encoding="utf-8")
    assert home.tree() == before


@pytest.mark.parametrize(
    ("contents", "place"),
    [
        (b'{\n  "a": 1 // why\n}', "2:10: a comment, which JSON does not have"),
        (b'{\n  "a": 1,\n}', "3:1: a comma with nothing after it"),
        (b"[]", "1:1: the settings must be one object"),
        (b'{"hooks": [1]}', '1:11: "hooks" must be an object of lists, one for each event'),
        (b'{"a": "\xff"}', "1:8: not UTF-8"),
    ],
)
def test_broken_settings_are_refused_by_place(home: Home, contents: bytes, place: str) -> None:
    home.write(contents)

    assert home.refused().startswith(f"install.py: {home.settings}:{place}; ")


def test_broken_settings_stop_an_uninstall_before_it_begins(home: Home) -> None:
    home.installed()
    home.settings.write_bytes(b"{")

    assert "settings.json:1:2: " in home.refused("--uninstall")


def test_a_home_that_does_not_exist_is_refused(home: Home) -> None:
    assert "which is not a directory" in home.refused(HOME=str(home.path / "none"))


@pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="needs a directory in which even root cannot write")
def test_a_home_that_cannot_be_written_is_refused(home: Home) -> None:
    assert home.refused(HOME="/proc").startswith("install.py: /proc/.claude: ")


def test_a_wrong_argument_is_refused(home: Home) -> None:
    assert home.refused("--frobnicate") == "install.py: unrecognized arguments: --frobnicate; see --help"


def test_without_a_network_nothing_is_left(home: Home) -> None:
    nowhere: dict[str, Any] = {
        "PIP_INDEX_URL": "http://127.0.0.1:9/",
        "PIP_CONFIG_FILE": os.devnull,
        "PIP_RETRIES": "0",
    }
    nowhere |= {"PIP_FIND_LINKS": "", "PIP_EXTRA_INDEX_URL": "", "PIP_NO_CACHE_DIR": "1"}

    assert home.refused(UV_FAILS="error sending request", **nowhere) == (
        "install.py: the environment cannot be made: the package index cannot be reached; "
        "check the network and try again"
    )


def test_a_failed_self_check_puts_everything_back(home: Home, broken: Path) -> None:
    home.write(b"{}")

    assert "the status line stays empty: " in home.refused(source=broken)


def test_a_failed_renewal_keeps_what_was_there(home: Home, broken: Path) -> None:
    home.installed()

    assert "the status line stays empty: " in home.refused(source=broken)


def test_without_a_start_up_bundle_everything_works(home: Home) -> None:
    done = home.install(UV_SPOILS="startup.bundle")

    assert (done.returncode, done.stderr) == (0, "")
    assert "Without a start-up bundle, which only makes everything start faster: IsADirectoryError" in done.stdout
    assert "CONTEXT WINDOW WARNING" in done.stdout


@pytest.fixture(params=[signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def interruption(request: pytest.FixtureRequest) -> Iterator[signal.Signals]:
    """A signal that ends what the test starts, also where a shell in the background, or nohup, has the tests ignore it.

    What is ignored stays so in processes that are started; what is handled doesn't.
    """
    number: signal.Signals = request.param
    before = signal.signal(number, signal.default_int_handler)
    yield number
    signal.signal(number, before)


def test_an_interrupted_installation_leaves_nothing(home: Home, tmp_path: Path, interruption: signal.Signals) -> None:
    before = home.tree()
    reached = tmp_path / "reached"
    command = [sys.executable, str(REPOSITORY / "install.py")]
    with subprocess.Popen(
        command,
        cwd=home.project,
        env=home.environ | {"UV_WAITS": str(reached)},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        start_new_session=True,
    ) as process:
        while not reached.exists():
            time.sleep(0.01)
        os.killpg(process.pid, interruption)
        _, problem = process.communicate(timeout=30)

    assert (process.returncode, problem) == (1, b"install.py: interrupted; nothing was changed\n")
    assert home.tree() == before


def test_after_a_kill_between_two_renames_the_next_run_mends_it(home: Home) -> None:
    home.installed()
    (home.root / "environment").rename(home.root / "environment.former")
    (home.root / "environment.new").mkdir()
    home.installed()

    assert [name for name in os.listdir(home.root) if name.startswith("environment")] == ["environment"]
    assert (home.root / "environment" / "bin" / "python").exists()


@pytest.mark.parametrize(("answer", "code"), [(b"\n", 0), (b"y\n", 0), (b"n\n", 1), (b"\x04", 1)])
def test_on_a_terminal_it_asks_first(home: Home, answer: bytes, code: int) -> None:
    ours, theirs = pty.openpty()
    os.write(ours, b"\n" + answer)  # the first is for the client's reminder
    done = subprocess.run(
        [sys.executable, str(REPOSITORY / "install.py")],
        cwd=home.project,
        env=home.environ,
        stdin=theirs,
        capture_output=True,
        check=False,
    )
    os.close(ours)
    os.close(theirs)

    assert b"Go ahead? [Y/n/d" in done.stdout
    assert (done.returncode, home.settings.exists()) == (code, code == 0)


def test_the_installed_environment_can_uninstall(home: Home) -> None:
    before = home.tree()
    home.installed()
    python = str(home.root / "environment" / "bin" / "python")
    done = home.run([python, "-I", "-m", "installer", "--uninstall"], {})

    assert (done.returncode, done.stderr) == (0, "")
    assert home.tree() == before


def test_uninstalling_nothing_says_so(home: Home) -> None:
    assert "not installed" in home.installed("--uninstall")
    assert not home.client.exists()


def test_settings_named_through_a_link_are_changed_where_they_are(home: Home) -> None:
    target = home.path / "dotfiles" / "claude.json"
    target.parent.mkdir()
    target.write_bytes(b"{}")
    home.client.mkdir()
    home.settings.symlink_to(target)
    before = home.tree()
    home.installed()

    assert home.settings.is_symlink()
    assert hooks_in(target) == expected()
    home.installed("--uninstall")
    assert home.tree() == before


def test_hooks_that_are_switched_off_are_warned_about(home: Home) -> None:
    home.write(b'{"disableAllHooks": true}')

    assert 'Warning: "disableAllHooks"' in home.installed("--dry-run")


@pytest.mark.parametrize("closed", ["<&-", ">&-", "<&- >&- 2>&-", "| :"])
def test_it_needs_no_terminal_and_no_reader(home: Home, closed: str) -> None:
    home.run(["sh", "-c", f"'{sys.executable}' '{REPOSITORY}/install.py' {closed}"], {})

    assert hooks_in(home.settings) == expected()


def test_two_at_once_do_not_meet(home: Home, tmp_path: Path) -> None:
    reached = tmp_path / "reached"
    command = [sys.executable, str(REPOSITORY / "install.py"), "--yes"]
    waiting = home.environ | {"UV_WAITS": str(reached)}
    with subprocess.Popen(command, env=waiting, stderr=subprocess.DEVNULL, start_new_session=True) as first:
        while not reached.exists():
            time.sleep(0.01)
        assert "another installation is at work" in home.refused()
        os.killpg(first.pid, signal.SIGTERM)

    assert not home.client.exists()


def test_a_hard_link_is_refused_before_anything_is_made(home: Home) -> None:
    home.write(b"{}")
    os.link(home.settings, home.path / "dotfiles.json")

    assert home.refused().startswith(f"install.py: {home.settings}: a hard link, whose other name would keep the old")


def test_a_failed_installation_leaves_what_others_put_beside_the_log(home: Home) -> None:
    other = home.path / ".local" / "state" / "other"
    # A status line that is tried when everything is in place, and then stands in the way of the last step.
    meanwhile = "mkdir -p ~/.local/state; echo mine | tee ~/.local/state/other; : >~/.claude/commands"
    home.write(json.dumps({"statusLine": {"type": "command", "command": meanwhile}}).encode())
    done = home.install()

    assert (done.returncode, done.stderr.count("\n")) == (1, 1)
    assert "/.claude/commands" in done.stderr
    assert other.read_text(encoding="utf-8") == "mine\n"
    assert os.listdir(other.parent) == ["other"]
