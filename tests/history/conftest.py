from pathlib import Path

import pytest

from tests.history import trees


@pytest.fixture
def root(tmp_path: Path) -> str:
    return trees.root_in(tmp_path)
