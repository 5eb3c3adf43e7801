from collections.abc import Generator

import pytest

from tests.history.page.browser import HOW_TO


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """pytest folds equal skips of one place: placed here, a missing browser is one line and not one per test."""
    report = yield
    if isinstance(report.longrepr, tuple) and HOW_TO in report.longrepr[2]:
        report.longrepr = (__file__, 1, report.longrepr[2])
    return report
