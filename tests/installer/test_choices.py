"""A rerun repeats and shows a person's choices."""

import json
from pathlib import Path

import pytest

from installer import choices
from installer.choices import Choices
from installer.layout import Layout
from installer.program import source
from tests.conftest import REPOSITORY
from tests.installer.conftest import Home


@pytest.fixture
def layout(tmp_path: Path) -> Layout:
    client = tmp_path / ".claude"
    (client / "tidegauge").mkdir(parents=True)
    return Layout(str(client / "tidegauge"), str(client / "settings.json"))


def test_they_are_remembered(layout: Layout) -> None:
    chosen = Choices(status_line=False, companions=False, profile="full")
    choices.save(layout, chosen)

    assert choices.load(layout) == chosen


@pytest.mark.parametrize("contents", ["", "[]", '{"profile": "most", "hooks": 1, "other": true}'])
def test_unreadable_choices_mean_the_default(layout: Layout, contents: str) -> None:
    Path(layout.choices).write_text(contents, encoding="utf-8")

    assert choices.load(layout) == Choices()


def test_a_rerun_repeats_and_shows_them(home: Home) -> None:
    home.installed("--no-statusline", "--no-companions", "--profile", "full")
    before = home.tree()
    output = home.installed()

    assert "(profile full, no status line (--statusline), no /token-status (--companions))" in output
    assert list(json.loads(home.settings.read_bytes())) == ["hooks"]
    changed = {path for path, state in home.tree().items() if before.get(path) != state}
    assert not {path for path in changed if "settings" in path or "commands" in path}


def test_an_extra_is_added_when_asked_for_and_remembered(home: Home) -> None:
    plain, asked, again, without = (home.installed(*flags) for flags in ((), ("--watch",), (), ("--no-watch",)))

    assert "tidegauge watch" not in plain
    assert "(profile core, tidegauge watch (--no-watch))" in asked
    assert "(profile core, tidegauge watch (--no-watch))" in again
    assert "tidegauge watch" not in without
    assert not [dependency for dependency in source.dependencies(str(REPOSITORY)) if dependency.startswith("textual")]
    assert [
        dependency
        for dependency in source.dependencies(str(REPOSITORY), ("watch",))
        if dependency.startswith("textual")
    ]


def test_an_omitted_part_can_be_added_again(home: Home) -> None:
    home.installed("--no-statusline")
    home.installed("--statusline")

    assert "statusLine" in json.loads(home.settings.read_bytes())


def test_a_profile_decides_what_is_registered_unless_the_person_sets_it(home: Home) -> None:
    home.configure("[hooks]\nceiling_guard = true\n")
    home.installed("--profile", "core")
    core = json.loads(home.settings.read_bytes())["hooks"]
    home.installed("--profile", "full")
    full = json.loads(home.settings.read_bytes())["hooks"]

    assert [len(groups) for groups in (core["PreToolUse"], core["PostToolUse"], full["PostToolUse"])] == [1, 1, 2]


def test_a_projects_installation_changes_none_of_them(home: Home) -> None:
    home.installed("--profile", "full")
    home.installed("--project")

    assert "(profile full)" in home.installed()


def test_collector_packages_are_installed_and_removed_on_request(home: Home) -> None:
    plain, asked, without = (home.installed(*flags) for flags in ((), ("--otlp",), ("--no-otlp",)))

    assert "--no-otlp" not in plain
    assert "(profile core, sending to a collector (--no-otlp))" in asked
    assert "--no-otlp" not in without
    exporter = "opentelemetry-exporter-otlp-proto-http"
    assert exporter not in "".join(source.dependencies(str(REPOSITORY)))
    assert exporter in "".join(source.dependencies(str(REPOSITORY), ("otlp",)))
