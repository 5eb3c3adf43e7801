import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import REPOSITORY
from tests.installer.conftest import NOWHERE, Home


@pytest.mark.parametrize(
    ("contents", "place"),
    [
        (b'{\n  "a": 1 // why\n}', "2:10: a comment, which JSON doesn't have"),
        (b"{\n  // why\n}", "2:3: a comment, which JSON doesn't have"),
        (b"[]", "1:1: the settings must be one object"),
        (b'{"hooks": [1]}', '1:11: "hooks" must be an object of lists, one for each event'),
        (b'{"a": "\xff"}', "1:8: not UTF-8"),
    ],
)
def test_broken_settings_are_refused_by_their_place(home: Home, contents: bytes, place: str) -> None:
    home.write(contents)

    assert home.refused().startswith(f"install.py: {home.settings}:{place}; ")


def test_broken_settings_stop_an_uninstall_before_it_begins(home: Home) -> None:
    home.installed()
    home.settings.write_bytes(b"{")

    assert "settings.json:1:2: " in home.refused("uninstall")


def test_a_home_that_does_not_exist_is_refused(home: Home) -> None:
    assert "which is not a directory" in home.refused(HOME=str(home.path / "none"))


@pytest.mark.parametrize("name", ["a\nb", "a\u2028b"])
def test_a_home_where_python_cannot_make_an_environment_is_refused(home: Home, name: str) -> None:
    (home.path / name).mkdir()
    problem = home.refused(HOME=str(home.path / name))
    assert problem.startswith(f"install.py: {str(home.path / name)!r}"[:-1])
    assert f"a directory with {name[1]!r} in its name; set CLAUDE_CONFIG_DIR, for the client too, to one" in problem


@pytest.mark.skipif(os.name == "nt", reason="no name has the separator of PATH there")
def test_a_home_with_the_separator_of_path_needs_uv(home: Home) -> None:
    (home.path / "a:b").mkdir()
    where = str(home.path / "a:b")
    assert home.install(HOME=where).returncode == 0
    assert home.install("uninstall", HOME=where).returncode == 0
    problem = home.refused(HOME=where, PATH="/nowhere")
    assert "in a directory with ':' in its name; install uv, or set CLAUDE_CONFIG_DIR" in problem


@pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="needs a directory in which even root cannot write")
def test_a_home_that_cannot_be_written_is_refused(home: Home) -> None:
    assert home.refused(HOME="/proc").startswith("install.py: /proc/.claude: ")


def test_a_wrong_argument_is_refused(home: Home) -> None:
    assert (
        home.refused("--frobnicate", code=2)
        == "install.py: unrecognized arguments: --frobnicate (see install.py --help)"
    )


def test_without_a_network_nothing_is_left(home: Home) -> None:
    assert home.refused(FAKE_UV_FAILS="error sending request", **NOWHERE) == (
        "install.py: the environment cannot be created: the package index cannot be reached; "
        "check the network and try again"
    )


def test_a_failed_self_check_restores_everything(home: Home, broken: Path) -> None:
    home.write(b"{}")

    assert "the status line stays empty: " in home.refused(source=broken)


def test_a_failed_update_keeps_the_old_installation(home: Home, broken: Path) -> None:
    home.installed()

    assert "the status line stays empty: " in home.refused(source=broken)


@pytest.fixture(params=[signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def interruption(request: pytest.FixtureRequest) -> Iterator[signal.Signals]:
    """A signal that ends the test's children, even where a background shell or nohup makes the tests ignore it.

    A started process inherits ignored signals, but not handled ones.
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
        env=home.environ | {"FAKE_UV_WAITS": str(reached)},
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


def test_the_next_run_repairs_a_kill_between_two_renames(home: Home) -> None:
    home.installed()
    (home.root / "environment").rename(home.root / "environment.previous")
    (home.root / "environment.new").mkdir()
    home.installed()

    assert [name for name in os.listdir(home.root) if name.startswith("environment")] == ["environment"]
    assert (home.root / "environment" / "bin" / "python").exists()


def test_a_hard_link_is_refused_before_anything_is_created(home: Home) -> None:
    home.write(b"{}")
    os.link(home.settings, home.path / "dotfiles.json")

    assert home.refused().startswith(f"install.py: {home.settings}: a hard link, whose other name would keep the old")


@pytest.mark.usefixtures("trying")
def test_a_failed_installation_leaves_others_files_beside_the_log(home: Home) -> None:
    other = home.path / ".local" / "state" / "other"
    # A status line that is tried when everything is in place, and then blocks the last step.
    meanwhile = "mkdir -p ~/.local/state; echo mine | tee ~/.local/state/other; : >~/.claude/commands"
    home.write(json.dumps({"statusLine": {"type": "command", "command": meanwhile}}).encode())
    result = home.install()

    assert (result.returncode, result.stderr.count("\n")) == (1, 1)
    assert "/.claude/commands" in result.stderr
    assert other.read_text(encoding="utf-8") == "mine\n"
    assert os.listdir(other.parent) == ["other"]


def test_settings_that_are_a_directory_are_not_called_a_hard_link(home: Home) -> None:
    (home.settings / "more").mkdir(parents=True)

    assert home.refused() == f"install.py: {home.settings}: not a plain file"
