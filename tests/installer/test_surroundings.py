"""Nothing in the current folder or environment is run as our code."""

import json
import os
import shlex
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from installer import layout
from installer.install_error import InstallError
from installer.layout import Layout
from shared import paths
from tests.installer.conftest import Home, clone

VERBS = ("install", "update", "repair", "doctor", "status")


def script(path: Path, mark: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f'#!/bin/sh\necho "$0 $*" >>"{mark}"\nexit 1\n', encoding="utf-8")
    path.chmod(0o755)


@pytest.mark.skipif(os.name == "nt", reason="pipes with names")
@pytest.mark.parametrize("kind", ["pipe", "loop", "file"])
def test_whatever_is_in_place_of_the_environment_is_removed(home: Home, kind: str) -> None:
    environment = home.root / "environment"
    home.root.mkdir(parents=True)
    if kind == "pipe":
        os.mkfifo(environment)
    elif kind == "loop":
        environment.symlink_to(environment)
    else:
        environment.touch()
    home.installed()
    assert (environment / "bin").is_dir()
    assert [path.name for path in home.root.glob("environment*")] == ["environment"]


def test_an_update_runs_nothing_from_a_folder_with_our_name(home: Home, tmp_path: Path) -> None:
    home.installed()
    mark = tmp_path / "mark"
    hostile = clone(home.project / "tidegauge")
    (hostile / "install.py").write_text(f"open({str(mark)!r}, 'w').close()", encoding="utf-8")
    result = home.tidegauge("update")

    assert (result.returncode, result.stdout) == (1, "")
    assert result.stderr == (
        "tidegauge: there is no published version to fetch; update your clone and install from there: "
        "run git pull, then python3 install.py\n"
    )
    assert not mark.exists()


def test_the_command_runs_no_code_in_a_folder_on_pythonpath(home: Home, tmp_path: Path) -> None:
    home.installed()
    mark = tmp_path / "mark"
    (tmp_path / "sitecustomize.py").write_text(f"open({str(mark)!r}, 'w').close()", encoding="utf-8")
    for verb in VERBS:
        home.tidegauge(verb, PYTHONPATH=str(tmp_path))

        assert not mark.exists(), verb


@pytest.mark.parametrize("variable", ["PYTHONEXECUTABLE", "__PYVENV_LAUNCHER__"])
def test_code_of_a_python_named_in_a_variable_is_not_run(home: Home, tmp_path: Path, variable: str) -> None:
    """Python takes its environment from both variables despite -I, and runs code in that environment's packages."""
    home.installed()
    mark = tmp_path / "mark"
    packages = tmp_path / "lib" / f"python3.{sys.version_info[1]}" / "site-packages"
    packages.mkdir(parents=True)
    (packages / "theirs.pth").write_text(f"import os; os.mkdir({str(mark)!r})\n")
    (tmp_path / "pyvenv.cfg").write_text("home = /usr/bin\n")
    for verb in VERBS:
        result = home.tidegauge(verb, **{variable: str(tmp_path / "bin" / "python")})

        assert not mark.exists(), verb
        assert "is missing" not in result.stderr, verb


@pytest.mark.parametrize("path", [f".::bin:{os.environ['PATH']}", ".", ""])
def test_programs_in_a_relative_directory_of_path_are_not_run(home: Home, tmp_path: Path, path: str) -> None:
    home.installed()
    mark = tmp_path / "mark"
    for name in ("python3", "python", "uv", "git", "mv", "awk", "cat", "tail"):
        script(home.project / name, mark)
        script(home.project / "bin" / name, mark)
    for verb in VERBS:
        (home.root / "environment").rename(home.root / "environment.previous")
        home.tidegauge(verb, PATH=path)

        assert not mark.exists(), verb
        assert (home.root / "environment").exists(), verb


@pytest.mark.parametrize("path", ["", ".", "bin:."])
def test_no_program_is_run_from_a_path_without_an_absolute_directory(home: Home, tmp_path: Path, path: str) -> None:
    subprocess.run(["git", "init", "-q", home.project], check=True)
    mark = tmp_path / "mark"
    script(home.project / "git", mark)
    script(home.project / "bin" / "git", mark)
    result = home.install("--project", "--dry-run", PATH=path)

    assert result.returncode == 0, result.stderr
    assert "Git does not ignore" in result.stdout
    assert not mark.exists()


@pytest.mark.parametrize("umask", ["0", "777"])
def test_created_files_are_private_at_every_level(home: Home, umask: str) -> None:
    before = set(home.path.rglob("*"))
    command = ["sh", "-c", f'umask {umask}; exec "$0" "$@"', sys.executable, str(home.installer), "--yes"]
    result = home.run(command, {})
    assert (result.returncode, result.stderr) == (0, "")
    inside = home.root / "environment"  # what pip makes there is behind our own folder
    directories = [path for path in home.path.rglob("*") if path.is_dir() and path not in before]
    ours = [
        path for path in directories if inside not in path.parents and path != inside and ".cache" not in path.parts
    ]

    public = [path for path in ours if stat.S_IMODE(path.stat().st_mode) & 0o077 and home.root not in path.parents]
    assert {path.relative_to(home.path).parts[0] for path in ours} >= {".claude"}
    assert public == []
    made = [path for path in home.path.rglob("*") if path not in before and not path.is_symlink()]
    assert [path for path in made if not stat.S_IMODE(path.stat().st_mode) & stat.S_IRUSR] == []
    assert [stat.S_IMODE((home.root / name).stat().st_mode) for name in (".", "bin", "run")] == [0o700] * 3


def test_the_next_installation_makes_a_readable_folder_private(home: Home) -> None:
    home.installed()
    home.root.chmod(0o755)
    (home.root / "run").chmod(0o755)
    home.installed()

    assert [stat.S_IMODE((home.root / name).stat().st_mode) for name in (".", "run")] == [0o700] * 2


def test_root_does_not_install_into_another_users_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    where = Layout(str(tmp_path / ".claude" / "tidegauge"), str(tmp_path / ".claude" / "settings.json"))
    if os.geteuid() == 0:
        layout.refuse_another_home(where)
        os.chown(tmp_path, 54321, 54321)
    else:
        layout.refuse_another_home(where)
        monkeypatch.setattr(os, "geteuid", lambda: 0)

    with pytest.raises(InstallError, match=r"belongs to .*: run this as .*, not as root"):
        layout.refuse_another_home(where)


def test_existing_files_in_our_folder_stay(home: Home) -> None:
    theirs = home.root / "notes" / "mine.txt"
    theirs.parent.mkdir(parents=True)
    theirs.write_text("mine")
    (home.root / "mine.json").write_text("{}")
    home.installed()
    for folder in ("bin", "run"):
        (home.root / folder / "mine.txt").write_text("mine")
    result = home.tidegauge("uninstall", "--yes")

    assert (result.returncode, result.stderr) == (0, "")
    files = sorted(str(path.relative_to(home.root)) for path in home.root.rglob("*") if path.is_file())
    assert files == ["bin/mine.txt", "mine.json", "notes/mine.txt", "run/mine.txt"]
    assert theirs.read_text() == "mine"
    names = ("bin/mine.txt", "mine.json", "notes", "run/mine.txt")
    assert "These are yours and stay:\n" + "".join(f"  {home.root}/{name}\n" for name in names) in result.stdout
    assert "not installed" in home.install("uninstall").stdout


@pytest.mark.parametrize("file", ["environment/mine.txt", "program/mine.txt", "bin/monitor", "choices.json"])
def test_others_files_under_our_names_are_left_alone(home: Home, tmp_path: Path, file: str) -> None:
    theirs, name = tmp_path / "tools" / file, file.removesuffix("/mine.txt")
    theirs.parent.mkdir(parents=True)
    theirs.write_text("mine")
    home.root.parent.mkdir(parents=True, exist_ok=True)
    home.root.symlink_to(tmp_path / "tools")
    before = home.tree()
    assert home.refused() == f"install.py: {home.root}/{name} is not Tidegauge's: move it away, and run this again"
    assert home.tree() == before
    assert theirs.read_text() == "mine"


def test_an_uninstallation_without_an_installation_leaves_files_with_our_names(home: Home, tmp_path: Path) -> None:
    names = ("program/main.c", "environment/prod.env", "run/data-2024.json", "bin/monitor", "choices.json")
    for name in names:
        theirs = tmp_path / "tools" / name
        theirs.parent.mkdir(parents=True, exist_ok=True)
        theirs.write_text("mine")
    home.root.parent.mkdir(parents=True, exist_ok=True)
    home.root.symlink_to(tmp_path / "tools")
    before = home.tree()
    assert "not installed" in home.install("uninstall", "--yes").stdout
    assert home.tree() == before
    assert [(tmp_path / "tools" / name).read_text() for name in names] == ["mine"] * len(names)


def test_state_of_sessions_and_their_subagents_is_removed(home: Home) -> None:
    home.installed()
    kinds = (paths.session_samples, paths.window_note, paths.session_run, paths.gate, paths.gate_notes)
    more = (paths.subagents_mark, paths.memory, paths.activity, paths.bridge)
    for path in (kind(str(home.root), name) for kind in (*kinds, *more) for name in ("s-1", "s-1.a_2")):
        Path(path).touch()
    result = home.tidegauge("uninstall", "--yes")
    assert (result.returncode, result.stderr) == (0, "")
    assert not home.root.exists()


@pytest.mark.usefixtures("copying")
def test_without_its_environment_it_names_the_repair_which_works(home: Home) -> None:
    before = home.tree()
    home.installed()
    home.run(["rm", "-r", str(home.root / "environment")], {})
    line = home.run(["sh", "-c", json.loads(home.settings.read_bytes())["statusLine"]["command"]], {})
    status, doctor = home.tidegauge("status"), home.tidegauge("doctor")

    text, _, on_line = line.stdout.partition(". Run: ")
    assert text == "Tidegauge: its Python is gone"
    text, _, in_terminal = status.stderr.partition("; run: ")
    assert text == f"tidegauge: its Python is gone, {home.root}/environment/bin/python"
    assert (status.returncode, doctor.returncode) == (1, 1)
    by_doctor = doctor.stdout.rpartition("         run: ")[2]
    for command in (on_line, in_terminal, by_doctor):
        assert shlex.split(command) == [f"{home.root}/bin/tidegauge", "repair"]

    assert home.tidegauge("repair").returncode == 0
    assert home.tidegauge("--version").returncode == 0
    home.run(["rm", "-r", str(home.root / "environment")], {})
    assert home.tidegauge("uninstall", "--yes").returncode == 0
    assert home.tree() == before
