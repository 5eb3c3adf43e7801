from pathlib import Path

import pytest

from tests.monitor.scene import Scene


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project without a repository."""
    path = tmp_path / "shop"
    path.mkdir()
    return path


@pytest.fixture
def never_compacted(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:  # after the scene has cleared the environment
    """Have sessions end at their limit, where most of a pivot happens."""
    monkeypatch.setenv("DISABLE_AUTO_COMPACT", "1")
