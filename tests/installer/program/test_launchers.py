import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from installer.layout import Layout
from installer.program import launchers, source
from tests.conftest import REPOSITORY

FACTS = {"packages": "/p", "config": "/c", "log": "/l", "history": "/h"}


@pytest.fixture
def layout(tmp_path: Path) -> Layout:
    result = Layout(str(tmp_path / "a $HOME 'root'" / "tidegauge"), "")
    source.copy(str(REPOSITORY), result.program)
    return result


def test_every_announced_file_is_written(layout: Layout) -> None:
    launchers.write(launchers.launchers(layout, FACTS))

    run = ["monitor", "monitor-event", "monitor-stop", "monitor-writes", "statusline", "tidegauge"]
    written = sorted([*run, "monitor.py", "statusline.py", "stdin-head.sh"])
    assert sorted(os.listdir(layout.launchers)) == written
    assert all(os.path.exists(path) for path in launchers.names(layout))


def test_launchers_are_executable(layout: Layout) -> None:
    launchers.write(launchers.launchers(layout, FACTS))
    executable = {name for name in os.listdir(layout.launchers) if os.access(f"{layout.launchers}/{name}", os.X_OK)}

    assert {"monitor", "monitor-event", "monitor-stop", "monitor-writes", "statusline", "tidegauge"} == executable


def test_an_entry_script_names_the_packages_the_bundle_and_the_root(layout: Layout, tmp_path: Path) -> None:
    packages = tmp_path / "packages"
    packages.mkdir()
    shared = Path(layout.program, "shared", "process")
    shared.mkdir(exist_ok=True)
    (shared / "bundle.py").write_text("def use(path): print(path)", encoding="utf-8")
    (shared / "boundary.py").write_text("def run(*words): print(*words, sep='|')", encoding="utf-8")
    (packages / "msgspec.py").write_text("", encoding="utf-8")
    launchers.write(launchers.launchers(layout, FACTS | {"packages": str(packages)}))
    script = os.path.join(layout.launchers, "statusline.py")
    result = subprocess.run([sys.executable, "-I", "-S", script], capture_output=True, text=True, check=True)

    assert result.stdout == f"{layout.root}/environment/startup.bundle\nstatusline.line|{layout.root}\n"


def run(layout: Layout, name: str, *arguments: str) -> tuple[int, str, str]:
    """Run a launcher; return its exit code and output."""
    command = [os.path.join(layout.launchers, name), *arguments]
    environ = {"PATH": os.environ["PATH"], "HOME": "/nowhere"}
    result = subprocess.run(command, env=environ, input="{}", capture_output=True, text=True, check=False, timeout=30)
    return result.returncode, result.stdout, result.stderr


@pytest.fixture
def written(layout: Layout) -> Layout:
    """Write the launchers, with an interpreter but no packages."""
    launchers.write(launchers.launchers(layout, FACTS))
    os.makedirs(os.path.dirname(layout.python))
    os.symlink(sys.executable, layout.python)
    os.mkdir(layout.spare)
    Path(layout.spare, "install.py").touch()
    return layout


HOOKS = ("monitor", "monitor-event", "monitor-stop", "monitor-writes")


@pytest.mark.parametrize("name", HOOKS)
@pytest.mark.parametrize("part", ["package", "program", "script", "interpreter", "environment"])
def test_a_hook_is_silent_whatever_is_missing(written: Layout, name: str, part: str) -> None:
    take_away(written, part)

    assert run(written, name) == (0, "", "")


@pytest.mark.parametrize(
    ("part", "missing"),
    [
        ("package", "msgspec is missing"),
        ("program", "shared is missing"),
        ("script", "its program is gone"),
        ("interpreter", "its Python is gone"),
        ("environment", "its Python is gone"),
    ],
)
def test_the_status_line_says_what_is_missing_and_what_to_do(written: Layout, part: str, missing: str) -> None:
    take_away(written, part)

    code, output, errors = run(written, "statusline")
    text, _, remedy = output.partition(". Run: ")
    assert (code, text, errors) == (0, f"Tidegauge: {missing}", "")
    assert shlex.split(remedy) == [written.command, "repair"]


@pytest.mark.parametrize(("part", "missing"), [("program", "shared is missing"), ("environment", "its Python is gone")])
def test_the_status_line_names_the_source_of_an_entirely_missing_program(
    written: Layout, part: str, missing: str
) -> None:
    take_away(written, part)
    shutil.rmtree(written.spare)

    remedy = "Install it again from a clone: python3 install.py"
    assert run(written, "statusline") == (0, f"Tidegauge: {missing}. {remedy}\n", "")


def test_the_command_says_what_is_missing(written: Layout) -> None:
    take_away(written, "program")

    code, output, errors = run(written, "tidegauge", "status")
    text, _, remedy = errors.partition("; run: ")
    assert (code, output, text) == (1, "", "tidegauge: commands is missing")
    assert shlex.split(remedy) == [written.command, "repair"]


def test_the_command_names_the_source_of_an_entirely_missing_program(written: Layout) -> None:
    take_away(written, "environment")
    shutil.rmtree(written.spare)

    for action in ("repair", "doctor"):
        code, output, errors = run(written, "tidegauge", action)
        assert (code, output) == (1, "")
        assert errors.endswith("; install it again from a clone: python3 install.py\n")
        assert len(errors.splitlines()) == 1


def take_away(layout: Layout, part: str) -> None:
    if part == "program":
        shutil.rmtree(layout.program)
    elif part == "script":
        for name in ("monitor.py", "statusline.py"):
            os.unlink(os.path.join(layout.launchers, name))
    elif part == "interpreter":  # as a system's upgrade leaves it
        os.unlink(layout.python)
        os.symlink("/usr/bin/python3.none", layout.python)
    elif part == "environment":
        shutil.rmtree(layout.environment)


@pytest.mark.parametrize("name", HOOKS)
def test_a_hook_passes_an_exit_code_on(written: Layout, name: str) -> None:
    """The guards block on purpose."""
    Path(written.launchers, "monitor.py").write_text("import sys; sys.exit(2)", encoding="utf-8")

    assert run(written, name)[0] == 2


def test_the_command_passes_its_arguments_on(layout: Layout) -> None:
    os.makedirs(os.path.dirname(layout.python))
    Path(layout.python).write_text('#!/bin/sh\nshift 4\nprintf "%s|" "$@"\n', encoding="utf-8")
    Path(layout.python).chmod(0o755)
    launchers.write(launchers.launchers(layout, FACTS))

    assert run(layout, "tidegauge", "status", "a b") == (0, "status|a b|", "")


@pytest.mark.parametrize("action", ["repair", "uninstall", "doctor"])
def test_another_python_runs_what_any_python_can(layout: Layout, tmp_path: Path, action: str) -> None:
    launchers.write(launchers.launchers(layout, FACTS))
    Path(layout.program, "install.py").write_text("import sys; print(*sys.argv[1:])", encoding="utf-8")

    assert run(layout, "tidegauge", action, "--yes") == (0, f"{action} --yes\n", "")


def test_on_windows_the_command_finds_the_interpreter_beside_it() -> None:
    layout = Layout("C:\\Users\\Änn\\tidegauge", "", windows=True)

    assert launchers.names(layout)[-2].endswith("tidegauge.cmd")
    assert '"%~dp0..\\environment\\Scripts\\python.exe" -I -m commands %*\r\n' in launchers.command(layout)


@pytest.mark.skipif(sys.platform == "win32", reason="the command is a script of sh")
@pytest.mark.parametrize(
    ("raised", "answer"),
    [
        ("KeyboardInterrupt", (130, "", "")),
        ("ModuleNotFoundError(name='tomlkit')", (1, "", "tidegauge: tomlkit is missing; run: COMMAND repair\n")),
    ],
)
def test_a_command_that_cannot_be_loaded_says_so_in_one_line(
    layout: Layout, tmp_path: Path, raised: str, answer: tuple[int, str, str]
) -> None:
    program = tmp_path / "program"
    (program / "commands").mkdir(parents=True)
    (program / "commands" / "__init__.py").touch()
    (program / "commands" / "__main__.py").write_text(f"raise {raised}")
    python = Path(layout.environment, "bin", "python")
    python.parent.mkdir(parents=True)
    python.write_text(f'#!/bin/sh\nshift\nPYTHONPATH={shlex.quote(str(program))} exec {sys.executable} -P "$@"\n')
    python.chmod(0o755)
    launchers.write(launchers.launchers(layout, FACTS))
    code, out, errors = run(layout, "tidegauge", "status")
    where = os.path.join(layout.launchers, "tidegauge")
    quoted = "'" + where.replace("'", "'\\''") + "'"
    assert (code, out, errors.replace(quoted, "COMMAND")) == answer
