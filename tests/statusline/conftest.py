"""What the tests of statusline/ stand on: an installation's root."""

from pathlib import Path

import pytest

from tests import scratch


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Tidegauge's root in a home of its own."""
    return scratch.install(tmp_path)
