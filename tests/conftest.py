"""Fixtures for tests of whole processes: a home of their own with a real installation."""

import gc
import os
import signal
import subprocess
import sys
import zlib
from collections.abc import Generator
from pathlib import Path
from typing import NamedTuple

import hypothesis
import pytest

from tests.client.quarantine import QUARANTINE
from tests.effort import IS_LONG, times

# The one profile of all property tests. A deadline, and the health check for slow generation of examples, time our
# code by the clock of a shared machine; the benchmarks measure what has to be fast. A long run draws other examples
# each time; a bounded one doesn't, or it would fail an unrelated change by chance.
hypothesis.settings.register_profile(
    "tests",
    max_examples=times(25, 200),
    deadline=None,
    suppress_health_check=[hypothesis.HealthCheck.too_slow],
    derandomize=not IS_LONG,
)
hypothesis.settings.load_profile("tests")

# A shell ignores SIGINT for background jobs, and every process would inherit that from a suite in the background.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

REPOSITORY = Path(__file__).parents[1]
# Variables that would lead an installer or a client out of the home that a test gives it.
_MISLEADING = ("CLAUDE_", "TIDEGAUGE_", "XDG_")


class InstalledHome(NamedTuple):
    home: Path
    root: Path  # Tidegauge's own folder
    settings: Path
    output: str  # what the installer said

    @property
    def environ(self) -> dict[str, str]:
        return environ_of(self.home)


def environ_of(home: Path) -> dict[str, str]:
    """This process's environment, with `home` as the person's home."""
    environ = {name: value for name, value in os.environ.items() if not name.startswith(_MISLEADING)}
    return environ | {"HOME": str(home)}


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Collect with garbage collection off: ten thousand tests stay alive, now and at each later collection."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--half", type=int, choices=(0, 1), help="one half of the files, or the other one")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Ignore the other half of the files where only one half is asked for."""
    half = config.getoption("--half", default=None)
    if half is None or collection_path.suffix != ".py":
        return None
    file = collection_path.relative_to(config.rootpath).as_posix()
    return True if zlib.crc32(file.encode()) % 2 != half else None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the files beside the rooms, some of which take long; let quarantined tests fail."""
    items.sort(key=lambda item: item.path.parent != REPOSITORY / "tests")
    for item in items:
        reason = QUARANTINE.get(item.nodeid.partition("[")[0])
        if reason is not None:
            item.add_marker(pytest.mark.xfail(reason=reason, strict=False))


@pytest.fixture(scope="session")
def installed_home(tmp_path_factory: pytest.TempPathFactory) -> InstalledHome:
    """A home installed once by `python3 install.py`, network and all; changes to its run-time state stay."""
    home = tmp_path_factory.mktemp("installed") / "a home"
    home.mkdir()
    python = os.path.realpath(sys.executable)  # a person's own, which has pip
    result = subprocess.run(
        [python, str(REPOSITORY / "install.py"), "--yes", "--profile", "full"],
        cwd=home,
        env=environ_of(home),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stdout + result.stderr
    client = home / ".claude"
    return InstalledHome(home, client / "tidegauge", client / "settings.json", result.stdout)
