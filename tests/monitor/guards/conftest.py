from pathlib import Path

import pytest

from tests.monitor.guards.rig import Rig


@pytest.fixture
def rig(tmp_path: Path) -> Rig:
    return Rig(tmp_path)
