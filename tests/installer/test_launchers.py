import os
import subprocess
import sys
from pathlib import Path

import pytest

from installer import launchers
from installer.layout import Layout

FACTS = {
    "packages": "/p",
    "monitor": "#!/bin/sh\n",
    "monitor-writes": "#!/bin/sh\n",
    "config": "/c",
    "log": "/l",
    "history": "/h",
}


@pytest.fixture
def layout(tmp_path: Path) -> Layout:
    return Layout(str(tmp_path / "a $HOME 'root'" / "tidegauge"), "")


def test_every_file_that_is_announced_is_written(layout: Layout) -> None:
    launchers.write(launchers.launchers(layout, FACTS))

    written = ["monitor", "monitor-writes", "monitor.py", "statusline.py", "tidegauge"]
    assert sorted(os.listdir(layout.launchers)) == written
    assert all(os.path.exists(path) for path in launchers.names(layout))


def test_what_is_run_can_be_run(layout: Layout) -> None:
    launchers.write(launchers.launchers(layout, FACTS))
    executable = {name for name in os.listdir(layout.launchers) if os.access(f"{layout.launchers}/{name}", os.X_OK)}

    assert {"monitor", "monitor-writes", "tidegauge"} <= executable


def test_an_entry_script_names_the_packages_the_bundle_and_the_root(layout: Layout, tmp_path: Path) -> None:
    (tmp_path / "shared").mkdir()
    (tmp_path / "shared" / "bundle.py").write_text("def use(path): print(path)", encoding="utf-8")
    (tmp_path / "shared" / "boundary.py").write_text("def run(*words): print(*words, sep='|')", encoding="utf-8")
    launchers.write(launchers.launchers(layout, FACTS | {"packages": str(tmp_path)}))
    script = os.path.join(layout.launchers, "statusline.py")
    done = subprocess.run([sys.executable, "-I", "-S", script], capture_output=True, text=True, check=True)

    assert done.stdout == f"{layout.root}/environment/startup.bundle\nstatusline.line|{layout.root}\n"


def test_an_entry_script_without_packages_is_silent(layout: Layout) -> None:
    launchers.write(launchers.launchers(layout, FACTS | {"packages": "/none"}))
    script = os.path.join(layout.launchers, "monitor.py")
    done = subprocess.run([sys.executable, "-I", "-S", script], capture_output=True, text=True, check=False)

    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_the_command_passes_its_arguments_on(layout: Layout) -> None:
    os.makedirs(os.path.dirname(layout.python))
    Path(layout.python).write_text('#!/bin/sh\nprintf "%s|" "$@"\n', encoding="utf-8")
    Path(layout.python).chmod(0o755)
    launchers.write(launchers.launchers(layout, FACTS))
    command = [os.path.join(layout.launchers, "tidegauge"), "doctor", "a b"]

    assert subprocess.run(command, capture_output=True, check=True).stdout == b"-I|-m|monitor|doctor|a b|"


def test_on_windows_the_command_finds_the_interpreter_beside_itself() -> None:
    layout = Layout("C:\\Users\\Änn\\tidegauge", "", windows=True)

    assert launchers.names(layout)[4].endswith("tidegauge.cmd")
    assert launchers.command(layout) == '@"%~dp0..\\environment\\Scripts\\python.exe" -I -m monitor %*\r\n'
