import json
import shutil
import stat
from pathlib import Path

import pytest

from installer.layout import Layout
from installer.settings import record
from installer.settings.offers.other_monitors import OtherMonitor
from installer.settings.record import NOTHING, Entry, Previous
from tests.installer.conftest import Home

MINE = b'{ "type":"command", "command":"cat >/dev/null; echo mine", "padding": 1.0 }'
SETTINGS = b'{"statusLine": ' + MINE + b', "a": 1}'
FOREIGN = '{ "type":"command", "command":"mine ü", "padding": 1.0 }'


@pytest.fixture
def layout(tmp_path: Path) -> Layout:
    root = tmp_path / "tidegauge"
    root.mkdir()
    return Layout(str(root), str(tmp_path / "settings.json"))


def test_a_saved_record_is_loaded(layout: Layout) -> None:
    entries = {
        layout.settings: Entry(Previous(FOREIGN, ("hooks",)), b"\xff{}", "digest", new_directories=2),
        "/project/.claude/settings.json": Entry(Previous(), None, "other"),
    }
    record.save(layout, entries)

    assert record.load(layout) == entries


def test_other_programs_read_the_replaced_status_line_as_json(layout: Layout) -> None:
    record.save(layout, {layout.settings: Entry(Previous(FOREIGN), b"", "")})
    document = json.loads(Path(layout.record).read_bytes())

    assert document["settings"] == layout.settings
    assert document["statusLine"] == json.loads(FOREIGN)


def test_a_wrapped_status_line_is_stored_verbatim(layout: Layout) -> None:
    record.save(layout, {layout.settings: Entry(Previous(FOREIGN), b"", "")})

    assert Path(layout.wrapped).read_bytes() == FOREIGN.encode()


NOT_RUNNABLE = ["null", "{}", '"echo str"', "false", "[]", '{"command": 5}', '{"command": ""}']


@pytest.mark.parametrize("value", NOT_RUNNABLE)
def test_a_former_value_without_a_command_is_recorded_but_not_wrapped(layout: Layout, value: str) -> None:
    record.save(layout, {layout.settings: Entry(Previous(value), b"", "")})

    assert not Path(layout.wrapped).exists()
    assert record.load(layout)[layout.settings].previous.status_line == value


@pytest.mark.parametrize("status_line", [None, "null"])
def test_there_is_no_such_file_when_nothing_is_wrapped(layout: Layout, status_line: str | None) -> None:
    record.save(layout, {layout.settings: Entry(Previous(FOREIGN), b"", "")})
    record.save(layout, {layout.settings: Entry(Previous(status_line), b"", "")})

    assert not Path(layout.wrapped).exists()


def test_copies_of_settings_are_private(layout: Layout) -> None:
    record.save(layout, {layout.settings: Entry(Previous(FOREIGN), b"", "")})

    for path in (layout.record, layout.wrapped):
        assert stat.S_IMODE(Path(path).stat().st_mode) == 0o600


@pytest.mark.parametrize("contents", [b"", b"{", b"[]", b'{"files": 1}', b'{"files": {"a": {}}}', b"\xff"])
def test_a_broken_record_counts_as_missing(layout: Layout, contents: bytes) -> None:
    Path(layout.record).write_bytes(contents)

    assert record.load(layout) == {}


def test_without_a_record_the_wrapped_status_line_is_still_known(layout: Layout) -> None:
    Path(layout.wrapped).write_text(FOREIGN, encoding="utf-8")

    assert record.previous_of(layout, {}) == NOTHING._replace(status_line=FOREIGN)
    assert record.previous_of(layout._replace(project=True), {}) == NOTHING


@pytest.mark.parametrize("contents", [b"", b"{", b"\xff"])
def test_a_broken_wrapped_status_line_is_not_restored(layout: Layout, contents: bytes) -> None:
    Path(layout.wrapped).write_bytes(contents)

    assert record.previous_of(layout, {}) == NOTHING


OTHER_GROUPS = ("x", "[]", "{}", '{"hooks": []}', '{"hooks": [1]}', '{"hooks": [{"command": 1}]}', '{"hooks": NaN}')


@pytest.mark.parametrize("group", OTHER_GROUPS)
def test_a_record_of_an_unrestorable_monitor_counts_as_missing(layout: Layout, group: str) -> None:
    switched_off = (OtherMonitor("PostToolUse", group),)
    record.save(layout, {layout.settings: Entry(Previous(FOREIGN, other_monitors=switched_off), b"{}", "digest")})

    assert record.load(layout) == {}


@pytest.mark.parametrize(
    ("field", "value"),
    [("made", [["hooks"]]), ("statusLine", 5), ("statusLine", "{"), ("after", 1), ("earlier", [{}])],
)
def test_a_record_with_a_value_of_another_type_counts_as_missing(layout: Layout, field: str, value: object) -> None:
    record.save(layout, {layout.settings: Entry(Previous(FOREIGN, ("hooks",)), b"{}", "digest")})
    saved = json.loads(Path(layout.record).read_bytes())
    saved["files"][layout.settings][field] = value
    Path(layout.record).write_text(json.dumps(saved))

    assert record.load(layout) == {}


@pytest.mark.parametrize("again", [False, True])
@pytest.mark.usefixtures("trying")
def test_after_our_folder_was_deleted_uninstalling_restores_the_former_status_line(home: Home, again: bool) -> None:
    home.write(SETTINGS)
    home.installed()
    shutil.rmtree(home.root)
    if again:
        assert "\nmine\n" in home.installed()

    home.installed("uninstall")

    assert home.settings.read_bytes() == SETTINGS
    assert not [path for path in _files(home) if not path.name.startswith("settings.json")]


def test_a_later_choice_overrides_an_old_backup(home: Home) -> None:
    home.write(SETTINGS)
    home.installed()
    home.write(b'{"a": 1}')
    home.installed()
    shutil.rmtree(home.root)

    home.installed("uninstall")

    assert home.settings.read_bytes() == b'{"a": 1}'


def test_without_a_readable_backup_our_entries_are_still_removed(home: Home) -> None:
    home.write(SETTINGS)
    home.installed()
    shutil.rmtree(home.root)
    for backup in home.client.glob("*.bak"):
        backup.write_bytes(b"{")

    home.installed("uninstall")

    assert home.settings.read_bytes() == b'{"a": 1}'


def test_companions_left_without_anything_else_are_removed(home: Home) -> None:
    home.installed()
    shutil.rmtree(home.root)
    home.settings.unlink()

    home.installed("uninstall")

    assert not _files(home)


def _files(home: Home) -> list[Path]:
    """The files left; directories don't count, as without our record nobody knows who made an empty one."""
    return [path for path in home.client.rglob("*") if not path.is_dir()]
