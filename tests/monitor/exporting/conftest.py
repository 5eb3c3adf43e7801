import os
from pathlib import Path

import pytest

from monitor.session import Project


@pytest.fixture
def project(root: Path, tmp_path: Path) -> Project:
    assert root.is_relative_to(tmp_path)
    (tmp_path / "shop").mkdir()
    return Project(os.path.realpath(tmp_path / "shop"), str(tmp_path / "shop"))


def root_of(project: Project) -> str:
    """The root whose key proves a project's exports."""
    return str(Path(project.directory).parent / ".claude" / "tidegauge")
