import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace

import pytest

from installer.install_error import InstallError
from installer.program import environment
from installer.program.environment import ProcessError

NO_NETWORK = "the package index cannot be reached; check the network and try again"


@pytest.mark.parametrize(
    ("output", "reason"),
    [
        (
            "WARNING: Retrying (Retry(total=0)) after connection broken by 'NewConnectionError(...)': /simple/x/\n",
            NO_NETWORK,
        ),
        (
            "error: No solution found when resolving dependencies\n  cause: Because x was not found: no\n",
            "cause: Because x was not found: no",
        ),
        (
            "  error: subprocess-exited-with-error\n      ValueError: bad\n  note: This is likely not pip's\n",
            "ValueError: bad",
        ),
        ("error: Failed to fetch: `https://index/simple/x/`\n  Caused by: dns error\n", NO_NETWORK),
        (
            "noise\nERROR: No matching distribution found for x\n[notice] more\n",
            "ERROR: No matching distribution found for x",
        ),
        (
            "Traceback\n  File\nOSError: [Errno 28] No space left on device\n",
            "OSError: [Errno 28] No space left on device",
        ),
        ("only this\n", "only this"),
        ("", "no reason given"),
    ],
)
def test_the_reason_is_the_most_telling_line(output: str, reason: str) -> None:
    assert environment.reason(output) == reason


@pytest.mark.parametrize(
    "release",
    ["ID=debian\n", 'NAME="Ubuntu"\nID=ubuntu\nID_LIKE=debian\n', 'ID=mint\nID_LIKE="ubuntu debian"\n'],
)
def test_on_debian_one_command_repairs_a_python_without_ensurepip(tmp_path: Path, release: str) -> None:
    (tmp_path / "os-release").write_text(release, encoding="utf-8")
    version = f"{sys.version_info.major}.{sys.version_info.minor}"

    advice = environment.missing_ensurepip(str(tmp_path / "os-release"))

    assert advice.endswith(f"apt install python{version}-venv")


def test_elsewhere_pip_or_uv_is_what_is_missing(tmp_path: Path) -> None:
    assert sys.executable in environment.missing_ensurepip(str(tmp_path / "none"))


@pytest.fixture
def bare(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A Python with neither ensurepip nor pip, and no uv."""
    monkeypatch.setitem(sys.modules, "ensurepip", None)
    monkeypatch.setitem(sys.modules, "pip", None)
    monkeypatch.setenv("PATH", str(tmp_path))


def test_without_a_package_installer_it_says_what_to_do(bare: None, tmp_path: Path) -> None:
    with pytest.raises(InstallError, match=r"^the environment cannot be created: .*ensurepip"):
        environment.build(str(tmp_path / "environment"), ["x"])

    assert os.listdir(tmp_path) == []


def test_an_existing_pip_is_preferred_to_a_new_one(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Making a pip is most of an installation's time."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(environment, "_importable", lambda _: True)
    monkeypatch.setattr(environment, "_with_own_pip", lambda *_: pytest.fail("it was made"))
    monkeypatch.setattr(environment, "run", lambda *_, **__: "")

    environment.build(str(tmp_path / "environment"), ["x"])


def test_a_failing_method_gives_way_to_the_next_and_leaves_nothing(bare: None, tmp_path: Path) -> None:
    commands, marker = tmp_path / "commands", tmp_path / "made"
    commands.mkdir()
    uv = commands / "uv"
    uv.write_text("#!/bin/sh\nfor path; do :; done\n/bin/mkdir \"$path\"; echo 'error: no' >&2; exit 1\n", "utf-8")
    uv.chmod(0o755)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PATH", str(commands))
        with pytest.raises(InstallError, match=r"^the environment cannot be created: error: no$"):
            environment.build(str(marker), ["x"])

    assert not marker.exists()


def test_on_a_full_disk_the_reason_is_the_missing_space(
    bare: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """pip then reports that ensurepip has failed."""

    def fail(*_: object) -> None:
        raise ProcessError("returned non-zero exit status 1")

    monkeypatch.setattr(environment, "_ways", lambda: [fail])
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=2_000_000))
    with pytest.raises(InstallError, match=f"only 2 MB are free in {tmp_path}$"):
        environment.build(str(tmp_path / "environment"), [])


def test_a_command_does_not_see_variables_that_mislead_packages(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("PYTHONPATH", "PIP_TARGET", "VIRTUAL_ENV"):
        monkeypatch.setenv(name, "/elsewhere")
    monkeypatch.setenv("PIP_USER", "1")
    monkeypatch.setenv("PIP_INDEX_URL", "kept")

    assert "/elsewhere" not in variables()
    assert "'PIP_USER': '0'" in variables()
    assert "'PIP_INDEX_URL': 'kept'" in variables()


@pytest.mark.parametrize("name", ["PIP_PYTHON", "PIP_LOG", "PIP_REPORT", "pip_python", "UV_TARGET", "UV_PYTHON"])
def test_a_command_does_not_see_variables_that_run_or_write_another_file(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A project's settings set the environment of the client's commands: pip would run the repository's program."""
    monkeypatch.setenv(name, "/elsewhere")
    assert "/elsewhere" not in variables()


@pytest.mark.parametrize("name", ["PIP_CONFIG_FILE", "UV_CONFIG_FILE", "UV_CACHE_DIR", "PIP_CACHE_DIR"])
def test_within_the_client_pips_own_files_are_not_read(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(name, "/elsewhere")
    assert "/elsewhere" in variables()
    monkeypatch.setenv("CLAUDECODE", "1")
    assert "/elsewhere" not in variables()


def variables() -> str:
    """The environment of one of our commands."""
    return environment.run([sys.executable, "-c", "import os; print(dict(os.environ))"])


def test_a_missing_command_counts_as_a_failing_one(tmp_path: Path) -> None:
    with pytest.raises(ProcessError, match="No such file"):
        environment.run([str(tmp_path / "none")])


def test_debians_own_python_is_answered_with_one_line(tmp_path: Path) -> None:
    """Tested as a process: the modules are missing from the start, as on Debian."""
    program = (
        "import sys; sys.path.insert(0, sys.argv[1])\n"
        "sys.modules['ensurepip'] = sys.modules['pip'] = None\n"
        "from installer.command import main; sys.exit(main([], sys.argv[1]))"
    )
    repository = Path(__file__).parents[3]
    result = subprocess.run(
        [sys.executable, "-c", program, str(repository)],
        env={"HOME": str(tmp_path), "PATH": str(tmp_path)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )

    assert result.returncode == 1
    assert result.stderr.startswith("install.py: the environment cannot be created: ")
    assert result.stderr.count("\n") == 1
    assert os.listdir(tmp_path) == []


def test_the_first_working_methods_environment_stays(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def fail(path: str, requirements: Sequence[str]) -> None:
        os.mkdir(path)
        raise ProcessError(str(requirements))

    monkeypatch.setattr(environment, "_ways", lambda: [fail, lambda path, _requirements: os.mkdir(path)])

    environment.build(str(tmp_path / "environment"), [])

    assert (tmp_path / "environment").is_dir()
