"""Our slash command and agent, as a person installs and removes them."""

from installer.program import client_files
from tests.installer.conftest import Home

COMMAND = "commands/token-status.md"


def test_install_and_uninstall_as_a_person_does(home: Home) -> None:
    before = home.tree()
    planned = home.installed("--dry-run")
    assert all(f"write {home.client / name}" in planned for name in client_files.NAMES)
    assert home.tree() == before

    home.installed("--yes")
    assert all((home.client / name).is_file() for name in client_files.NAMES)
    assert all(
        f"remove {home.client / name}" in home.installed("uninstall", "--dry-run") for name in client_files.NAMES
    )

    home.installed("uninstall", "--yes")
    assert not (home.client / "commands").exists()
    assert not (home.client / "agents").exists()


def test_a_switch_keeps_them_out(home: Home) -> None:
    home.installed("--yes", "--no-companions")

    assert not (home.client / "commands").exists()


def test_a_persons_own_command_is_named(home: Home) -> None:
    own = home.client / COMMAND
    own.parent.mkdir(parents=True)
    own.write_text("mine")

    output = home.installed("--yes")

    assert f"{own} is yours, or you have changed it: it stays as it is." in output
    home.installed("uninstall", "--yes")
    assert own.read_text() == "mine"
