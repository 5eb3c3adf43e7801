"""The genuine clients, in a home with a real installation."""

import os
import subprocess
import sys
import zlib
from collections.abc import Generator
from pathlib import Path

import pytest

from tests.client.client import HEADLESS, INTERACTIVE, Client
from tests.client.clients import HOW_TO, VERSIONS, binary, missing
from tests.client.home import add_status_line, prepare
from tests.effort import IS_LONG

REPOSITORY = Path(__file__).parents[2]
MISLEADING = ("CLAUDE_", "TIDEGAUGE_", "XDG_")  # these would lead the installer out of the test's home


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Give all skips the same place: pytest folds them, so a missing client is one line and not one per test."""
    report = yield
    if isinstance(report.longrepr, tuple) and HOW_TO in report.longrepr[2]:
        report.longrepr = (__file__, 1, report.longrepr[2])
    return report


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Keep some of each test's pairs of client and mode; all of them with TORTURE=1, or where a test is named."""
    if IS_LONG or any("::" in argument for argument in config.args):
        return
    turns: dict[str, dict[str, int]] = {}
    other = []
    for item in items:
        if isinstance(item, pytest.Function) and hasattr(item, "callspec"):
            test = item.nodeid.partition("[")[0]
            case = str({name: value for name, value in item.callspec.params.items() if name not in {"client", "mode"}})
            cases = turns.setdefault(test, {})
            turn = cases.setdefault(case, len(cases)) + zlib.crc32(test.encode())
            if is_of_another(item, turn):
                other.append(item)
    items[:] = [item for item in items if item not in other]
    config.hook.pytest_deselected(items=other)


def is_of_another(item: pytest.Function, turn: int) -> bool:
    """Whether this case is left to another client or mode, chosen in turn.

    A test that runs in both modes gets one mode per version, and a test for which any client will do gets one version
    per case.
    """
    params = item.callspec.params
    if "client" not in params or not ("mode" in params or item.get_closest_marker("any_client")):
        return False
    return (params["client"] == VERSIONS[0]) ^ (params.get("mode") == INTERACTIVE) ^ bool(turn % 2)


@pytest.fixture(scope="session")
def clients_installed() -> None:
    """Fail for a missing client where these tests must run (CI); elsewhere skip with a line on how to get it."""
    if not missing():
        return
    if os.environ.get("CI"):
        pytest.fail(f"{HOW_TO}; missing: {', '.join(missing())}")
    pytest.skip(HOW_TO)


def install(home: Path, *flags: str) -> None:
    """Run our installer in `home` as a person would, with uv, which is faster than pip."""
    environ = {name: value for name, value in os.environ.items() if not name.startswith(MISLEADING)}
    uv = os.path.dirname(sys.executable)
    command = [sys.executable, "install.py", "--yes", "--profile", "full", *flags]
    result = subprocess.run(
        command,
        cwd=REPOSITORY,
        env=environ | {"HOME": str(home), "PATH": f"{uv}{os.pathsep}{os.environ['PATH']}"},
        capture_output=True,
        text=True,
        timeout=180,
        check=False,
    )
    assert result.returncode == 0, result.stdout + result.stderr


@pytest.fixture(scope="session")
def home(clients_installed: None, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One home for all tests; each session has its own project, as a person's sessions have."""
    home = tmp_path_factory.mktemp("home") / "a home"
    home.mkdir()
    prepare(home, trusted=tmp_path_factory.getbasetemp())
    install(home)
    return home


@pytest.fixture(scope="session")
def foreign_home(clients_installed: None, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with the person's own status line, which ours wraps."""
    home = tmp_path_factory.mktemp("home") / "another home"
    home.mkdir()
    prepare(home, trusted=tmp_path_factory.getbasetemp())
    add_status_line(home)
    install(home, "--wrap", "alone")
    return home


@pytest.fixture(scope="session")
def bare_home(clients_installed: None, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with the core profile and without our status line, so nothing can be learnt of a window there."""
    home = tmp_path_factory.mktemp("home") / "a bare home"
    home.mkdir()
    prepare(home, trusted=tmp_path_factory.getbasetemp())
    install(home, "--no-statusline", "--profile", "core")
    return home


@pytest.fixture(params=VERSIONS)
def client(request: pytest.FixtureRequest, home: Path) -> Client:
    version: str = request.param
    return Client(version, binary(version), home)


@pytest.fixture(params=[HEADLESS, INTERACTIVE])
def mode(request: pytest.FixtureRequest) -> str:
    chosen: str = request.param
    return chosen


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return tmp_path / "project"
