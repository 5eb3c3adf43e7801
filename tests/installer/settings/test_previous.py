"""Our folder deleted by hand: what the person had before is still in our backup."""

import shutil

import pytest

from tests.installer.conftest import Home

FOREIGN = b'{ "type":"command", "command":"cat >/dev/null; echo mine", "padding": 1.0 }'
SETTINGS = b'{"statusLine": ' + FOREIGN + b', "a": 1}'


@pytest.mark.parametrize("again", [False, True])
@pytest.mark.usefixtures("trying")
def test_after_our_folder_was_deleted_uninstalling_restores_the_former_status_line(home: Home, again: bool) -> None:
    home.write(SETTINGS)
    home.installed()
    shutil.rmtree(home.root)
    if again:
        assert "\nmine\n" in home.installed()

    home.installed("--uninstall")

    assert home.settings.read_bytes() == SETTINGS
    assert not [path for path in home.client.iterdir() if not path.name.startswith("settings.json")]


def test_a_later_change_of_mind_counts_more_than_an_old_backup(home: Home) -> None:
    home.write(SETTINGS)
    home.installed()
    home.write(b'{"a": 1}')
    home.installed()
    shutil.rmtree(home.root)

    home.installed("--uninstall")

    assert home.settings.read_bytes() == b'{"a": 1}'


def test_without_a_backup_that_can_be_read_our_entries_still_go(home: Home) -> None:
    home.write(SETTINGS)
    home.installed()
    shutil.rmtree(home.root)
    for backup in home.client.glob("*.bak"):
        backup.write_bytes(b"{")

    home.installed("--uninstall")

    assert home.settings.read_bytes() == b'{"a": 1}'


def test_companions_left_without_anything_else_are_removed(home: Home) -> None:
    home.installed()
    shutil.rmtree(home.root)
    home.settings.unlink()

    home.installed("--uninstall")

    assert not list(home.client.iterdir())
