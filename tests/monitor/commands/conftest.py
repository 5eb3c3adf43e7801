from pathlib import Path

import pytest

from tests.monitor.commands import person as persons
from tests.monitor.commands.person import Person


@pytest.fixture
def person(tmp_path: Path) -> Person:
    return persons.make(tmp_path)
