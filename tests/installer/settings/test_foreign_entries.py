"""Entries of another Tidegauge in the same settings, dead or alive."""

import json
from pathlib import Path

import pytest

from installer.settings import entries
from tests.installer.conftest import Home
from tests.installer.registered import expected, hooks_in


def settings_of(root: Path, before: str = "") -> bytes:
    hook = {"type": "command", "command": f'{before}"{root}/bin/monitor"', "timeout": 10}
    line = f'{before}"{root}/environment/bin/python" -I -S "{root}/bin/statusline.py"'
    mine = {"type": "command", "command": "mine"}
    return json.dumps(
        {
            "hooks": {"PostToolUse": [{"matcher": "*", "hooks": [mine, hook]}], "SubagentStart": [{"hooks": [hook]}]},
            "statusLine": {"type": "command", "command": line},
        }
    ).encode()


def test_entries_of_a_missing_root_are_removed_and_not_wrapped(home: Home) -> None:
    missing = home.path / "old" / "tidegauge"
    home.write(settings_of(missing))

    output = home.installed()

    assert "A hook of a deleted Tidegauge is removed: " in output
    assert "A status line of a deleted Tidegauge is removed: " in output
    assert str(missing) not in home.settings.read_text(encoding="utf-8")
    assert [event for event, _ in hooks_in(home.settings) if event == "SubagentStart"] == [
        event for event, _ in expected() if event == "SubagentStart"
    ]
    assert not (home.root / "wrapped.json").exists()
    home.installed("uninstall")
    mine = {"matcher": "*", "hooks": [{"type": "command", "command": "mine"}]}
    assert json.loads(home.settings.read_bytes()) == {"hooks": {"PostToolUse": [mine]}}


def test_entries_of_an_existing_root_stay_and_are_named(home: Home) -> None:
    other = home.path / "other" / "tidegauge"
    (other / "bin").mkdir(parents=True)
    for name in ("monitor", "statusline.py"):
        (other / "bin" / name).touch()
    home.write(settings_of(other))

    output = home.installed()

    assert f'Warning: another Tidegauge also has a hook in {home.settings}: "{other}/bin/monitor"' in output
    assert "Warning: another Tidegauge also has a status line" in output
    assert f"{other}/bin/monitor" in home.settings.read_text(encoding="utf-8")
    home.installed("uninstall")
    assert home.settings.read_bytes() == settings_of(other)


def test_a_wrapped_status_line_of_a_missing_root_is_no_longer_wrapped(home: Home) -> None:
    other = home.path / "other" / "tidegauge"
    (other / "bin").mkdir(parents=True)
    (other / "bin" / "statusline.py").touch()
    home.write(settings_of(other))
    home.installed()
    assert (home.root / "wrapped.json").exists()

    (other / "bin" / "statusline.py").unlink()
    home.installed()

    assert not (home.root / "wrapped.json").exists()


def test_a_dry_run_names_them_and_removes_nothing(home: Home) -> None:
    home.write(settings_of(home.path / "old" / "tidegauge"))
    before = home.tree()

    assert "of a deleted Tidegauge is removed" in home.installed("--dry-run")
    assert home.tree() == before


def test_an_entry_the_person_has_wrapped_is_theirs(home: Home) -> None:
    missing = home.path / "old" / "tidegauge"
    home.write(settings_of(missing, before="true || "))
    home.installed()

    assert f"{missing}/bin/monitor" in home.settings.read_text(encoding="utf-8")
    assert (home.root / "wrapped.json").exists()


@pytest.mark.parametrize(
    ("command", "script"),
    [
        ('"/a b/tidegauge/bin/monitor"', "/a b/tidegauge/bin/monitor"),
        ("python3 -I -S /a/tidegauge/bin/monitor.py staleness", "/a/tidegauge/bin/monitor.py"),
        ("python3 -I -S /a/tidegauge/bin/statusline.py", "/a/tidegauge/bin/statusline.py"),
        ("/a/tidegauge/bin/monitor || true", None),
        ("/a/tidegauge/bin/tidegauge status", None),
        ("/a/tidegauge/bin/'monitor", None),
        ("", None),
    ],
)
def test_the_script_of_a_command_as_we_write_it(command: str, script: str | None) -> None:
    assert entries.script(command) == script
