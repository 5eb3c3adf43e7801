"""The installer writes nothing into the clone that it is started from."""

import subprocess
import sys
from pathlib import Path

from tests.installer.conftest import Home, clone


def test_a_dry_run_writes_no_bytecode_into_the_clone(home: Home, tmp_path: Path) -> None:
    directory = clone(tmp_path / "clone")
    environ = {name: value for name, value in home.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}

    result = subprocess.run(
        [sys.executable, str(directory / "install.py"), "--dry-run"],
        cwd=home.project,
        env=environ,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
    )

    assert result.returncode == 0
    assert list(directory.rglob("__pycache__")) == []
