"""What `python3 -m tests` runs, in which environment, and what it says on a Python that is too old."""

import ast
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from tests.__main__ import PARALLEL, default_selection, environment_of, temporary
from tests.client.quarantine import QUARANTINE
from tests.conftest import REPOSITORY

MAIN = REPOSITORY / "tests" / "__main__.py"


@pytest.mark.parametrize(
    ("arguments", "marker"),
    [
        ([], ["-m", "not client and not torture"]),
        (["tests/monitor", "-k", "reminder"], ["-m", "not client and not torture"]),
        (["tests/client"], ["-m", "not torture"]),
        (["tests/torture", "tests/installer/test_killed.py"], ["-m", "not client"]),
        (["tests/torture/test_faults.py::test_full_disk"], ["-m", "not client"]),
        (["tests/client", "tests/torture"], []),
        (["-m", "torture"], []),
        (["-mclient", "-x"], []),
    ],
)
def test_long_tests_are_left_out_unless_a_path_or_a_mark_asks_for_them(arguments: list[str], marker: list[str]) -> None:
    assert default_selection(arguments) == marker


def test_tests_that_are_the_same_on_every_python_run_on_the_first_unless_asked_for() -> None:
    marker = "not client and not torture and not any_python"
    assert default_selection([], ".venv-3.13") == ["-m", marker]
    assert default_selection(["--half=1"], ".venv-3.13") == ["-m", marker]
    assert default_selection(["tests/docs"], ".venv-3.13") == ["-m", "not client and not torture"]


def test_the_tests_directories_are_in_memory_where_there_is_room(tmp_path: Path) -> None:
    assert temporary(str(tmp_path), 0) == str(tmp_path)
    assert temporary(str(tmp_path), 1 << 60) == tempfile.gettempdir()
    assert temporary(str(tmp_path / "none"), 0) == tempfile.gettempdir()


def test_memory_mounted_noexec_is_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    system = list(os.statvfs(tmp_path))
    system[8] |= os.ST_NOEXEC
    monkeypatch.setattr(os, "statvfs", lambda _path: os.statvfs_result(system))
    assert temporary(str(tmp_path), 0) == tempfile.gettempdir()


@pytest.mark.parametrize(
    ("version", "prefix", "name"),
    [
        ("3.11.7", "first", ".venv"),
        ("3.11.9", "second", ".venv"),  # an update of the same Python: it is made again
        ("3.13.0", "second", ".venv-3.13"),
        ("3.13.0", "first", ".venv"),  # the first Python's place has another version now
    ],
)
def test_a_second_python_has_an_environment_of_its_own(tmp_path: Path, version: str, prefix: str, name: str) -> None:
    (tmp_path / "first").mkdir()
    (tmp_path / ".venv").mkdir()
    (tmp_path / ".venv" / "made-from").write_text(f"{tmp_path / 'first'} 3.11.7 (main, May  9) [GCC 12.2.0]\n")
    major, minor, _ = map(int, version.split("."))

    assert environment_of(str(tmp_path), str(tmp_path / prefix), (major, minor)) == str(tmp_path / name)


@pytest.mark.parametrize("stamp", ["", "/gone/python 3.11.7 (main, May  9) [GCC 12.2.0]\n"])
def test_an_unused_environment_is_taken_over(tmp_path: Path, stamp: str) -> None:
    (tmp_path / ".venv").mkdir()
    (tmp_path / ".venv" / "made-from").write_text(stamp)

    assert environment_of(str(tmp_path), "/usr", (3, 13)) == str(tmp_path / ".venv")


def test_an_old_python_can_read_the_file_and_gets_to_the_check_first() -> None:
    module = ast.parse(MAIN.read_text(encoding="utf-8"), feature_version=(3, 6))

    _, importing, check, *_ = module.body
    assert ast.unparse(importing) == "import sys"
    assert ast.unparse(check).startswith("if sys.version_info < (3, 11):\n    sys.exit(")


@pytest.mark.parametrize("minor", range(6, 11))
def test_an_old_python_is_told_in_one_line(minor: int) -> None:
    paths = sorted(Path.home().glob(f".pyenv/versions/3.{minor}.*/bin/python"))
    if not paths:
        pytest.skip(f"there is no Python 3.{minor} in pyenv's folder")
    result = subprocess.run([paths[0], "-m", "tests"], cwd=REPOSITORY, capture_output=True, text=True, check=False)

    assert (result.returncode, result.stderr) == (1, f"tests: Python 3.11 or newer is needed; this is 3.{minor}\n")


def test_each_file_belongs_to_one_of_two_halves(tmp_path: Path) -> None:
    (tmp_path / "conftest.py").write_text("from tests.conftest import pytest_addoption, pytest_ignore_collect\n")
    for number in range(8):
        room = tmp_path / f"room{number % 2}"
        room.mkdir(exist_ok=True)
        (room / f"test_file_{number}.py").write_text("def test_one():\n    pass\n\ndef test_two():\n    pass\n")
    names: list[set[str]] = []
    for half in (0, 1):
        result = subprocess.run(
            [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-v", f"--half={half}", "--rootdir", ".", "."],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=False,
        )
        names.append({line.split()[0] for line in result.stdout.splitlines() if "::" in line})
    assert all(names)
    assert not names[0] & names[1]
    assert len(names[0] | names[1]) == 16


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    """A suite with the same conftest and one failing test, which is quarantined."""
    (tmp_path / "conftest.py").write_text(
        "from tests import conftest\n"
        "conftest.QUARANTINE['test_some.py::test_fails'] = 'the terminal drops a key'\n"
        "from tests.conftest import pytest_collection_modifyitems\n"
    )
    (tmp_path / "test_some.py").write_text(
        "import pytest\n\n@pytest.mark.parametrize('number', [1])\ndef test_fails(number):\n    assert number == 2\n"
    )
    return tmp_path


@pytest.mark.parametrize(("name", "code"), [("test_fails", 0), ("test_fails_too", 1)])
def test_a_quarantined_failure_is_printed_and_any_other_fails_the_run(suite: Path, name: str, code: int) -> None:
    text = (suite / "test_some.py").read_text()
    (suite / "test_some.py").write_text(text.replace("test_fails", name))
    result = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-ra", "--xfail-tb", str(suite)],
        cwd=suite,
        capture_output=True,
        text=True,
        check=False,
    )

    assert result.returncode == code, result.stdout
    assert "assert 1 == 2" in result.stdout
    assert ("the terminal drops a key" in result.stdout) == (code == 0)


def test_fixtures_shared_by_a_file_are_made_once(tmp_path: Path) -> None:
    (tmp_path / "test_sharing.py").write_text(
        "import os, pytest\n\n"
        "@pytest.fixture(scope='module')\ndef made():\n    open(f'made-by-{os.getpid()}', 'w').close()\n\n"
        "@pytest.mark.parametrize('number', range(20))\ndef test_it(made, number):\n    pass\n"
    )
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *PARALLEL, "-n", "2", "test_sharing.py"]
    result = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)

    assert "20 passed" in result.stdout
    assert len(list(tmp_path.glob("made-by-*"))) == 1


def test_the_quarantine_names_existing_tests_with_a_reason() -> None:
    for name, reason in QUARANTINE.items():
        path, _, function = name.partition("::")
        assert f"def {function}(" in (REPOSITORY / path).read_text(encoding="utf-8")
        assert len(reason.split()) > 3
