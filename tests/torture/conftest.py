"""The mark of these tests, the count of their tries, and the table of docs/reliability.md."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.monitor.conftest import root, scene, workshop

__all__ = ["root", "scene", "workshop"]
_HERE = Path(__file__).parent


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.path.is_relative_to(_HERE):
            item.add_marker("torture")


@pytest.fixture
def tried(request: pytest.FixtureRequest) -> Iterator[Callable[[], None]]:
    """A function to call at each try; the table shows the sum."""
    tries = 0

    def count() -> None:
        nonlocal tries
        tries += 1

    yield count
    assert tries
    request.node.user_properties.append(("tries", tries))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print a row for each test: what was tried, how often, and how often it failed."""
    rows: dict[str, list[int]] = {}
    for outcome in ("", "failed", "error"):  # a fixture's end, at which the tries are known, has no outcome
        for report in terminalreporter.getreports(outcome):
            properties = dict(report.user_properties)
            name = properties.get("row") or report.nodeid.rpartition("::")[2].partition("[")[0]
            tries = properties.get("tries", 0) if report.when == "teardown" else 0
            if tries or (outcome and report.nodeid.startswith("tests/torture")):
                row = rows.setdefault(name, [0, 0])
                row[0] += tries
                row[1] += bool(outcome)
    for name, (tries, failures) in sorted(rows.items()):
        terminalreporter.write_line(f"| {name} | {tries:,} | {failures} |")
