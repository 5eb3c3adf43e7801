from pathlib import Path

import pytest

from tests.commands import person as persons
from tests.commands.person import Person


@pytest.fixture
def person(tmp_path: Path) -> Person:
    return persons.make(tmp_path)
