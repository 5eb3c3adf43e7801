from collections.abc import Generator
from contextlib import ExitStack

import pytest
from playwright.sync_api import Browser, sync_playwright

from history.store.schema import WarningOutcome
from shared.gauge.levels import Level
from tests.history.page import made_up
from tests.history.page.browser import HOW_TO, started, write_report
from tests.history.questions.stored import START, Stored
from tests.history.trees import root_in


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Give all skips the same place: pytest folds them, so a missing browser is one line and not one per test."""
    report = yield
    if isinstance(report.longrepr, tuple) and HOW_TO in report.longrepr[2]:
        report.longrepr = (__file__, 1, report.longrepr[2])
    return report


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Generator[Browser]:
    with sync_playwright() as playwright:
        result = started(playwright, tmp_path_factory.mktemp("home"))
        yield result
        result.close()


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A page of some sessions."""
    with ExitStack() as opened:
        stored = Stored(root_in(tmp_path_factory.mktemp("report")), opened)
        made_up.sessions(stored, 4, 150, now=START)
        made_up.rate_limits(stored, 3, now=START)
        return write_report(stored)


@pytest.fixture
def short_report(stored: Stored) -> str:
    """A page with rows in every table, but few in tables with one per answer."""
    made_up.sessions(stored, 1, 150, now=START)
    made_up.rate_limits(stored, 3, now=START)
    newest = stored.conversation("newest", project="/home/ada/project", at=START - made_up.HOUR // 4)
    for _ in range(3):
        newest.call(newest.tool(50_000, "Read", "/home/ada/project/file.py"))
    newest.warning(Level.WARNING, WarningOutcome.WENT_ON)
    return write_report(stored)
