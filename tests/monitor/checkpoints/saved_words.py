"""The words of a session's checkpoints, which are kept outside its project."""

import json
import stat
from pathlib import Path
from typing import Any

from shared import paths
from tests.monitor.workshop import Workshop


def saved_words(workshop: Workshop) -> list[dict[str, Any]]:
    """Return the words of every checkpoint, oldest first."""
    directory = Path(paths.words_directory(str(workshop.root)))
    files = sorted(directory.glob("*"), key=lambda path: path.stat().st_mtime) if directory.exists() else []
    assert {stat.S_IMODE(path.stat().st_mode) for path in files} <= {0o600}
    return [json.loads(path.read_bytes()) for path in files]
