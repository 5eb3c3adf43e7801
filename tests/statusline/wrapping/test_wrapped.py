import json
from pathlib import Path
from threading import Thread

import pytest

from statusline.wrapping.wrapped import read, start


def write(root: Path, value: object) -> None:
    (root / "wrapped.json").write_text(value if isinstance(value, str) else json.dumps(value))


def test_without_a_file_nothing_is_wrapped(root: Path) -> None:
    assert read(str(root)) == ""
    assert start("", b"") is None


def test_the_former_setting_is_read(root: Path) -> None:
    write(root, {"type": "command", "command": "~/bin/line --short", "padding": 2, "refreshInterval": 10})

    assert read(str(root)) == "~/bin/line --short"


@pytest.mark.parametrize("value", ["", "{", "null", "[]", {}, {"command": 17}, {"command": ""}], ids=repr)
def test_a_damaged_file_wraps_nothing(value: object, root: Path) -> None:
    write(root, value)

    assert read(str(root)) == ""


def test_we_do_not_wrap_ourselves(root: Path) -> None:
    write(root, {"type": "command", "command": f'python3 -I "{root}/bin/statusline.py"'})

    assert read(str(root)) == ""


def test_a_command_that_no_shell_can_be_given_is_not_started() -> None:
    assert start("echo \0", b"") is None


@pytest.mark.filterwarnings("ignore::ResourceWarning")
def test_where_no_thread_can_be_started_our_own_line_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_: Thread) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(Thread, "start", refuse)
    assert start("true", b"") is None
