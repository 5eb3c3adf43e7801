"""The precedence of settings' layers."""

import os
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from shared.gauge.levels import LevelRules, Tiers
from shared.settings import settings
from shared.settings.config import Config, Settings
from shared.settings.settings import variable
from tests.levels import FIRST_REMAINING, SPEAKING
from tests.shared.project import Project, value

# Which layer counts


def test_the_first_layer_that_sets_a_key_wins(project: Project) -> None:
    key = "levels.warning.every"
    reads = []
    for change in (
        lambda: None,
        lambda: project.personal.write_text(f"{key} = 6"),
        lambda: project.file.write_text(f"{key} = 7"),
    ):
        change()
        result = project.loaded()
        reads.append((value(result.config, key), result.sources.get(key)))
    result = project.loaded(TIDEGAUGE_LEVELS__WARNING__EVERY="8")
    reads.append((value(result.config, key), result.sources.get(key)))
    assert reads == [(5, None), (6, "user"), (7, "project"), (8, "environment")]


def test_each_key_has_its_own_source(project: Project) -> None:
    project.personal.write_text('levels.warning.every = 9\nlevels.critical.every = 3\nmessages.style = "advisory"')
    result = project.says("levels.warning.every = 7", TIDEGAUGE_WINDOW__SIZE="500000")
    assert result.sources == {
        "levels.warning.every": "project",
        "levels.critical.every": "user",
        "messages.style": "user",
        "window.size": "environment",
    }
    assert result.problems == ()


def test_a_projects_bad_value_gives_way_to_the_persons(project: Project) -> None:
    project.personal.write_text("levels.warning.every = 9")
    result = project.says("levels.warning.every = 21")
    assert result.config.levels.warning.every == 9
    assert result.problems == (f"{project.file}: levels.warning.every: expected 2.5 to 10 in a project's file, not 21",)


def test_the_clients_project_overrides_the_current_directory(project: Project, tmp_path: Path) -> None:
    project.says("levels.warning.every = 9")
    elsewhere = settings.load(str(project.root), {"CLAUDE_PROJECT_DIR": str(tmp_path)}, str(project.directory))
    assert elsewhere == Settings(Config())
    there = settings.load(str(project.root), {"CLAUDE_PROJECT_DIR": str(project.directory)}, str(tmp_path))
    assert there.config.levels.warning.every == 9


@pytest.mark.parametrize("directory", ["", "shop", ".", None, 5, ["/"], "/none/\0", "/" + "x" * 5_000])
def test_without_a_known_project_there_is_no_project_layer(
    project: Project, monkeypatch: pytest.MonkeyPatch, directory: object
) -> None:
    project.says("levels.warning.every = 9")
    monkeypatch.chdir(project.directory.parent)
    assert settings.load(str(project.root), {}, directory) == Settings(Config())


def test_a_problem_names_a_valid_value(project: Project) -> None:
    project.personal.write_text('messages.style = "rude"\nwindow.size = "big"\nhooks.staleness = 1\nlevels = 5')
    assert project.loaded().problems == (
        f"{project.personal}: window.size: expected a whole number, not 'big'",
        f"{project.personal}: levels: must be a table",
        f"{project.personal}: hooks.staleness: expected true or false, not 1",
        f'{project.personal}: messages.style: expected "directive" or "advisory", not \'rude\'',
    )


# Ladders: a layer's values of one count as a whole or not at all

TIERS = "prompt_tag.tiers"


@pytest.mark.parametrize(
    ("text", "key"),
    [("levels.warning.remaining = 20", "levels"), (f"{TIERS}.low = 0.9", TIERS), (f"{TIERS}.emergency = 0.8", TIERS)],
)
def test_an_unordered_ladder_falls_back_to_the_next_layer(project: Project, text: str, key: str) -> None:
    project.personal.write_text(f"{text}\nlevels.warning.every = 9\nwindow.size = 5000")
    result = project.loaded()
    assert result.config.prompt_tag.tiers == Tiers()
    assert result.config.window.size == 5000
    assert len(result.problems) == 1
    assert result.problems[0].startswith(f"{project.personal}: {key}: ")


def test_a_project_cannot_discard_the_persons_ladder(project: Project) -> None:
    own = {f"levels.{level.name.lower()}.remaining": 70 - level for level in SPEAKING}
    project.personal.write_text("\n".join(f"{key} = {remaining}" for key, remaining in own.items()))
    result = project.says(f"{FIRST_REMAINING} = 40\nlevels.warning.every = 9")
    assert {key: value(result.config, key) for key in own} == own
    assert result.config.levels.warning.every == 5
    names = ", ".join(LevelRules.__struct_fields__)
    assert result.problems == (f"{project.file}: levels: {LevelRules.DIRECTION} in this order: {names}",)
    assert set(result.sources.values()) == {"user"}


def test_a_persons_unordered_ladder_gives_way_to_the_default(project: Project) -> None:
    project.personal.write_text(f"{FIRST_REMAINING} = 10")
    result = project.says("levels.warning.every = 9")
    assert result.config.levels.warning == msgspec.structs.replace(LevelRules().warning, every=9)
    assert [problem.split(": ")[0] for problem in result.problems] == [str(project.personal)]
    assert result.sources == {"levels.warning.every": "project"}


def test_layers_may_form_an_ordered_ladder_together(project: Project) -> None:
    late = {f"levels.{level.name.lower()}.remaining": 12 - level for level in SPEAKING}
    first, *others = late
    project.personal.write_text(f"{first} = {late[first]}")
    result = project.loaded(**{variable(key): str(late[key]) for key in others})
    assert {key: value(result.config, key) for key in late} == late
    assert result.problems == ()


# The cost


def test_without_settings_no_time_is_spent(root: Path) -> None:
    program = (
        "import os, sys; sys.path[:0] = sys.argv[2:]\n"
        "from shared.files import lenient; from shared.settings import settings\n"  # each process decodes something
        "before = set(sys.modules)\n"
        "settings.load(sys.argv[1], {'PATH': '/bin'}, '/')\n"
        "print(sorted(set(sys.modules) - before))"
    )
    site = os.path.dirname(os.path.dirname(msgspec.__file__))
    tree = str(Path(settings.__file__).parents[2])
    result = subprocess.run(
        [sys.executable, "-I", "-S", "-c", program, str(root), tree, site], capture_output=True, text=True, check=True
    )
    assert result.stdout == "[]\n"


# What only the person's own file may set


def test_the_persons_own_file_sets_where_figures_are_sent(project: Project) -> None:
    project.personal.write_text('telemetry.endpoint = "https://collector.example.com"\ntelemetry.timeout = 5')
    result = project.loaded()
    assert not result.problems
    assert result.config.telemetry.endpoint == "https://collector.example.com"
    assert result.config.telemetry.timeout == 5


def test_a_variable_or_a_project_may_not_set_where_figures_are_sent(project: Project) -> None:
    result = project.says(
        'telemetry.endpoint = "https://elsewhere.example.com"',
        TIDEGAUGE_TELEMETRY__ENDPOINT="https://elsewhere.example.com",
    )
    assert result.config.telemetry.endpoint is None
    assert len(result.problems) == 2
    assert any("only your own file may set it" in problem for problem in result.problems)


def test_an_invalid_value_that_may_be_a_secret_is_not_shown(project: Project) -> None:
    project.personal.write_text('telemetry.endpoint = "Walnut7harbor"\ntelemetry.timeout = 61')
    problems = "\n".join(project.loaded().problems)
    assert "telemetry.endpoint: expected an address, such as https://collector.example.com" in problems
    assert "telemetry.timeout: expected a number <= 60" in problems
    assert "Walnut7harbor" not in problems
