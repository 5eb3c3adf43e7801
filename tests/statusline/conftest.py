"""Fixtures of the tests of statusline/: an installation's root."""

import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests import scratch


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Tidegauge's root in a home of its own."""
    return scratch.install(tmp_path)


@pytest.fixture(autouse=True)
def _signals() -> Iterator[None]:
    """Restore the test runner's signal handlers, which running a wrapped command replaces."""
    numbers = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP", "SIGINT") if hasattr(signal, name)]
    handlers = {number: signal.getsignal(number) for number in numbers}
    yield
    for number, handler in handlers.items():
        signal.signal(number, handler)
