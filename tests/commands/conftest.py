from pathlib import Path

import pytest

from tests.commands import person as persons
from tests.commands.person import Person
from tests.commands.resumption import WISH
from tests.monitor.workshop import Workshop


@pytest.fixture
def person(tmp_path: Path) -> Person:
    return persons.make(tmp_path)


@pytest.fixture
def work(person: Person) -> Workshop:
    """A session of the person's with a checkpoint."""
    workshop = Workshop(person.root, person.project, person.client / "projects" / "-project")
    workshop.transcript.prompt(WISH)
    workshop.edit("src/checkout.py")
    workshop.compact()
    return workshop
