"""The clone that the installer is started from is the person's: nothing is written into it."""

import shutil
import subprocess
import sys
from pathlib import Path

from tests.conftest import REPOSITORY
from tests.installer.conftest import PACKAGES, Home


def test_a_dry_run_leaves_no_bytecode_in_the_clone(home: Home, tmp_path: Path) -> None:
    clone = tmp_path / "clone"
    clone.mkdir()
    for name in PACKAGES:
        shutil.copytree(REPOSITORY / name, clone / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("install.py", "pyproject.toml"):
        shutil.copy(REPOSITORY / name, clone / name)
    environ = {name: value for name, value in home.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}

    done = subprocess.run(
        [sys.executable, str(clone / "install.py"), "--dry-run"],
        cwd=home.project,
        env=environ,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
    )

    assert done.returncode == 0
    assert list(clone.rglob("__pycache__")) == []
