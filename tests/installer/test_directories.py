"""The directories that the installer makes are removed with it."""

from pathlib import Path

import pytest

from tests.installer.conftest import Home


def test_removed_companions_leave_no_directory(home: Home) -> None:
    before = home.tree()
    home.installed()
    home.installed("--no-companions")
    home.installed("uninstall")

    assert home.tree() == before


@pytest.mark.parametrize("times", [1, 2])
def test_the_parents_of_a_chosen_client_directory_are_removed_too(home: Home, times: int) -> None:
    home.environ["CLAUDE_CONFIG_DIR"] = str(home.path / "deep" / "er" / "x")
    before = home.tree()
    for _ in range(times):
        home.installed()
    home.installed("uninstall")

    assert home.tree() == before


def test_a_failed_installation_removes_the_parents_of_a_chosen_client_directory(home: Home, broken: Path) -> None:
    home.refused(CLAUDE_CONFIG_DIR=str(home.path / "deep" / "er" / "x"), source=broken)
