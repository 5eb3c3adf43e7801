from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.history import trees
from tests.history.questions.stored import Stored


@pytest.fixture
def root(tmp_path: Path) -> str:
    return trees.root_in(tmp_path)


@pytest.fixture
def stored(root: str) -> Iterator[Stored]:
    """A store without rows."""
    with ExitStack() as opened:
        yield Stored(root, opened)
