import json
import time
from pathlib import Path
from threading import Thread

import pytest

from statusline.wrapping.wrapped import read, start
from tests.statusline.running import wait_for_end


def write(root: Path, value: object) -> None:
    (root / "wrapped.json").write_text(value if isinstance(value, str) else json.dumps(value))


def test_without_a_file_nothing_is_wrapped(root: Path) -> None:
    assert read(str(root)) == ""
    assert start("", b"") is None


def test_the_previous_setting_is_read(root: Path) -> None:
    write(root, {"type": "command", "command": "~/bin/line --short", "padding": 2, "refreshInterval": 10})

    assert read(str(root)) == "~/bin/line --short"


@pytest.mark.parametrize("value", ["", "{", "null", "[]", {}, {"command": 17}, {"command": ""}], ids=repr)
def test_a_damaged_file_wraps_nothing(value: object, root: Path) -> None:
    write(root, value)

    assert read(str(root)) == ""


def test_we_do_not_wrap_ourselves(root: Path) -> None:
    write(root, {"type": "command", "command": f'python3 -I "{root}/bin/statusline.py"'})

    assert read(str(root)) == ""


def test_a_command_no_shell_accepts_is_not_started() -> None:
    assert start("echo \0", b"") is None


def test_without_threads_our_own_line_stays_and_nothing_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pid_file = tmp_path / "pid"

    def refuse(_: Thread) -> None:
        while not pid_file.exists() or not pid_file.read_text().endswith("\n"):
            time.sleep(0.01)
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(Thread, "start", refuse)
    assert start(f"echo $$ >{pid_file}; exec sleep 60", b"") is None
    wait_for_end(int(pid_file.read_text()))
