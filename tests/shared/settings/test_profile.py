from pathlib import Path

import msgspec
import pytest

from shared.settings import profile, settings
from shared.settings.config import Config
from tests import scratch

CHOICES = "choices.json"


def enabled_settings(root: Path) -> set[str]:
    """The settings that are on here, but off by the records' defaults."""
    defaults, plain = (msgspec.to_builtins(config) for config in (settings.defaults(str(root)), Config()))
    return {
        f"{section}.{name}"
        for section, values in defaults.items()
        for name, value in values.items()
        if value != plain[section][name]
    }


def test_core_is_the_records_defaults(root: Path) -> None:
    scratch.choose_profile(root, profile.CORE)

    assert enabled_settings(root) == set()


def test_full_turns_its_parts_on_and_nothing_else(root: Path) -> None:
    scratch.choose_profile(root, profile.FULL)

    assert enabled_settings(root) == set(profile.ADDED_BY_FULL)


def test_without_a_choice_the_profile_is_core(root: Path) -> None:
    (root / CHOICES).unlink()

    assert settings.read_profile(str(root)) == profile.CORE
    assert enabled_settings(root) == set()


@pytest.mark.parametrize("document", ["", "?", "[]", "{}", '{"profile": 5}', '{"profile": "other"}'])
def test_an_unreadable_choice_means_core(root: Path, document: str) -> None:
    (root / CHOICES).write_text(document)

    assert settings.read_profile(str(root)) == profile.CORE


def test_a_persons_setting_overrides_the_profile(root: Path) -> None:
    scratch.choose_profile(root, profile.FULL)
    file = root.parents[1] / "config" / "config.toml"
    file.parent.mkdir()
    file.write_text("hooks.staleness = false")

    hooks = settings.load(str(root), {"TIDEGAUGE_HOOKS__READ_GUARD": "off"}).config.hooks

    assert (hooks.staleness, hooks.read_guard, hooks.ceiling_guard) == (False, False, True)


def test_a_projects_file_cannot_choose_a_profile(root: Path, tmp_path: Path) -> None:
    file = tmp_path / "shop" / ".claude" / "tidegauge.toml"
    file.parent.mkdir(parents=True)
    file.write_text('profile = "full"\n[hooks]\nread_guard = true\n')

    result = settings.load(str(root), {}, str(tmp_path / "shop"))

    assert result.config == Config()
    assert result.problems == (
        f"{file}: profile: no such setting",
        f"{file}: hooks.read_guard: not for a project's file to set",
    )
