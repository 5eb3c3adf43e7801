"""Fixtures of the tests of shared/: an installation's root, and a transcript to fill."""

from pathlib import Path

import pytest

from shared.settings.profile import CORE
from tests import scratch
from tests.monitor.conftest import scene  # noqa: F401  the fixture
from tests.shared.project import Project
from tests.transcripts import Transcript


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Tidegauge's root in a home of its own, with a plain installation."""
    return scratch.install(tmp_path, CORE)


@pytest.fixture
def transcript(tmp_path: Path) -> Transcript:
    """An empty transcript of a newer client."""
    return Transcript(tmp_path / "session.jsonl")


@pytest.fixture
def project(root: Path, tmp_path: Path) -> Project:
    """Somebody else's repository."""
    return Project(root, tmp_path / "shop")
