from pathlib import Path

import pytest

from benchmarks.sessions.writer import MadeUpSession
from tests.monitor.activity.log_reader import LogReader
from tests.monitor.workshop import Workshop
from tests.transcripts import Transcript


@pytest.fixture
def log_reader(root: Path, tmp_path: Path) -> LogReader:
    """A reader of a transcript that is still to be written."""
    return LogReader(root, tmp_path / "transcript.jsonl")


@pytest.fixture
def session() -> MadeUpSession:
    """A session without a call."""
    return MadeUpSession("log")


@pytest.fixture
def workshop(workshop: Workshop) -> Workshop:
    """The session without records of its requests, as these tests count lines."""
    workshop.transcript = Transcript(workshop.transcript.path)
    return workshop
