import sys
from pathlib import Path

import pytest

from shared import installation


def test_the_root_lies_above_the_environment_that_runs(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "prefix", str(root / "environment"))
    assert installation.root() == str(root)


def test_run_from_elsewhere_the_root_is_the_clients(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "prefix", str(tmp_path / "environment"))
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path / "client"))
    assert Path(installation.root()) == tmp_path / "client" / "tidegauge"
