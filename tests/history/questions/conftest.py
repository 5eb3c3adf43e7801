import json
from pathlib import Path

import pytest

from tests.history.questions.stored import Stored


@pytest.fixture
def stored(tmp_path: Path) -> Stored:
    places = {name: str(tmp_path / name) for name in ("config", "log", "history")}
    (tmp_path / "directories.json").write_text(json.dumps(places))
    return Stored(str(tmp_path))
