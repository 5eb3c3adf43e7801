import json
from pathlib import Path

from tests.installer.conftest import Home
from tests.installer.registered import DEFAULTS, expected, hooks_in


def test_only_the_hooks_on_request(home: Home) -> None:
    home.installed("--no-statusline")

    assert list(json.loads(home.settings.read_bytes())) == ["hooks"]


def test_only_the_status_line_on_request(home: Home) -> None:
    home.installed()
    home.installed("--no-hooks")

    assert list(json.loads(home.settings.read_bytes())) == ["statusLine"]


def test_switching_each_part_adds_and_removes_its_entries(home: Home) -> None:
    home.write(b'{"hooks": {"PreCompact": []}, "a": 1}\n')
    home.configure("")
    before = home.tree()
    # By the bits of its number, each part is switched in some of these installations, and in no other part's.
    for bit in range(len(DEFAULTS).bit_length()):
        parts = {part: not is_on for number, (part, is_on) in enumerate(DEFAULTS.items(), 1) if number >> bit & 1}
        home.configure("[hooks]\n" + "".join(f"{part} = {str(is_on).lower()}\n" for part, is_on in parts.items()))
        home.installed()
        assert sorted(hooks_in(home.settings)) == sorted(expected(**parts))
    home.configure("")
    home.installed()
    assert sorted(hooks_in(home.settings)) == sorted(expected())
    home.installed("uninstall")

    assert home.tree() == before


def test_an_existing_configuration_applies_at_once(home: Home) -> None:
    home.configure("[hooks]\nread_guard = true\nresumption = false\n")
    announced = home.installed("--dry-run").partition("\n  write ")[0]
    output = home.installed()

    assert hooks_in(home.settings) == expected(read_guard=True, resumption=False)
    assert output.startswith(announced)
    assert "meanwhile" not in output


def test_everything_switched_off_is_nothing_registered(home: Home) -> None:
    home.configure("[hooks]\n" + "".join(f"{part} = false\n" for part in DEFAULTS))
    home.installed()

    assert list(json.loads(home.settings.read_bytes())) == ["statusLine"]


def test_the_environment_may_switch_too(home: Home) -> None:
    result = home.install(TIDEGAUGE_HOOKS__READ_GUARD="yes", TIDEGAUGE_HOOKS__CHECKPOINT="off")

    assert result.returncode == 0
    assert hooks_in(home.settings) == expected(read_guard=True, checkpoint=False)


def test_a_configuration_found_elsewhere_still_applies(home: Home, tmp_path: Path) -> None:
    home.installed()
    elsewhere = tmp_path / "config" / "tidegauge"
    elsewhere.mkdir(parents=True)
    (elsewhere / "config.toml").write_text("[hooks]\nread_guard = true\n", encoding="utf-8")
    result = home.install(XDG_CONFIG_HOME=str(tmp_path / "config"))

    assert "Something has changed in the meantime; this will be written:\n--- " in result.stdout
    assert sorted(hooks_in(home.settings)) == sorted(expected(read_guard=True))
