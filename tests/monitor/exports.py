"""A session's export, which a separate process finishes after the hook has answered."""

import time
from pathlib import Path

from shared.project_files import PARTIAL, READABLE


def exported(folder: Path, seconds: float = 30) -> Path:
    """Wait until the copies in `folder` are whole, and return the readable one."""
    deadline = time.monotonic() + seconds
    while (not (folder / READABLE).exists() or list(folder.glob(f"*{PARTIAL}"))) and time.monotonic() < deadline:
        time.sleep(0.02)
    return folder / READABLE
