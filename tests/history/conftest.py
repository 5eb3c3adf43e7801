from pathlib import Path

import pytest

from tests.history import trees
from tests.history.questions.stored import Stored


@pytest.fixture
def root(tmp_path: Path) -> str:
    return trees.root_in(tmp_path)


@pytest.fixture
def stored(root: str) -> Stored:
    """A store without a row."""
    return Stored(root)
