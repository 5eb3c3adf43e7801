import pytest

from tests.commands.person import Person
from tests.transcripts import Transcript


@pytest.fixture
def transcript(person: Person) -> Transcript:
    return person.transcript()
