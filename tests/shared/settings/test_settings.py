from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from shared.gauge.levels import LevelRules
from shared.settings import settings
from shared.settings.config import Config, Settings
from shared.settings.settings import variable
from tests.levels import FIRST_REMAINING, FIRST_RULE


class Person:
    """A person with an installation, who may write a configuration and set variables."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.file = root.parents[1] / "config" / "config.toml"

    def writes(self, text: str | bytes) -> None:
        self.file.parent.mkdir(exist_ok=True)
        self.file.write_bytes(text if isinstance(text, bytes) else text.encode())

    def gets(self, **environ: str) -> Settings:
        return settings.load(str(self.root), environ)


@pytest.fixture
def person(root: Path) -> Person:
    return Person(root)


def value(config: Config, key: str) -> Any:
    result: Any = config
    for name in key.split("."):
        result = getattr(result, name)
    return result


def test_without_any_setting_the_defaults_hold(person: Person) -> None:
    assert person.gets(PATH="/bin", TIDE="1") == Settings(Config())


def test_the_environment_wins_over_the_file_and_the_file_over_the_defaults(person: Person) -> None:
    assert person.gets().config.levels.bounds[0] == 100 - FIRST_RULE.remaining
    person.writes(f"{FIRST_REMAINING} = 60\nlevels.exhausted.remaining = 10\n")
    assert person.gets().config.levels.bounds[0] == 40
    result = person.gets(**{variable(FIRST_REMAINING): "70"})
    assert (result.config.levels.bounds[0], result.config.levels.bounds[-1], result.problems) == (30, 90, ())


@pytest.mark.parametrize(
    ("text", "key", "expected"),
    [
        ("window.size = 500000", "window.size", 500_000),
        ('[window.models]\n"claude-opus-4-6[1m]" = 1000000', "window.models", {"claude-opus-4-6[1m]": 1_000_000}),
        ("levels.warning.remaining = 35.5", "levels.warning.remaining", 35.5),
        ("levels.exhausted.every = 3", "levels.exhausted.every", 3),
        ("levels.warning.max_tokens = 250000", "levels.warning.max_tokens", 250_000),
        ("hooks.context_warnings = false", "hooks.context_warnings", False),
        ('messages.style = "advisory"', "messages.style", "advisory"),
        ('messages.summary_file = "NOTES.md"', "messages.summary_file", "NOTES.md"),
        ('bridge.directory = "/var/tmp"', "bridge.directory", "/var/tmp"),  # noqa: S108  a name
        ('statusline.lines = [["model", "context"], ["cost"]]', "statusline.lines", (("model", "context"), ("cost",))),
        ('statusline.hide = ["cost"]', "statusline.hide", ("cost",)),
        ("telemetry.timeout = 5", "telemetry.timeout", 5.0),
    ],
)
def test_a_file_sets_a_key_of_any_kind(person: Person, text: str, key: str, expected: object) -> None:
    person.writes(text)
    result = person.gets()
    assert (value(result.config, key), result.problems) == (expected, ())


@pytest.mark.parametrize(
    ("name", "text", "key", "expected"),
    [
        ("WINDOW__SIZE", "500000", "window.size", 500_000),
        ("WINDOW__MODELS", "qwen-max=128000, a=5000", "window.models", {"qwen-max": 128_000, "a": 5_000}),
        ("LEVELS__WARNING__REMAINING", "35.5", "levels.warning.remaining", 35.5),
        ("LEVELS__EXHAUSTED__EVERY", "3", "levels.exhausted.every", 3),
        ("MESSAGES__STYLE", "advisory", "messages.style", "advisory"),
        ("BRIDGE__DIRECTORY", "/var/tmp", "bridge.directory", "/var/tmp"),  # noqa: S108  a name
        ("STATUSLINE__HIDE", "cost,cache", "statusline.hide", ("cost", "cache")),
        ("STATUSLINE__HIDE", "cost", "statusline.hide", ("cost",)),
        ("STATUSLINE__LINES", "model,context;cost", "statusline.lines", (("model", "context"), ("cost",))),
    ],
)
def test_a_variable_sets_a_key_of_any_kind(person: Person, name: str, text: str, key: str, expected: object) -> None:
    result = person.gets(**{f"TIDEGAUGE_{name}": text})
    assert (value(result.config, key), result.problems) == (expected, ())


@pytest.mark.parametrize(
    ("text", "expected"),
    [(text, True) for text in ("true", "yes", "on", "1", "TRUE", "Yes")]
    + [(text, False) for text in ("false", "no", "off", "0", "OFF")],
)
def test_a_switch_in_the_environment_has_many_words(person: Person, text: str, *, expected: bool) -> None:
    result = person.gets(TIDEGAUGE_HOOKS__CONTEXT_WARNINGS=text, TIDEGAUGE_STATUSLINE__ASCII=text)
    assert (result.config.hooks.context_warnings, result.config.statusline.ascii) == (expected, expected)
    assert result.problems == ()


BAD = [
    ("window.size", '"big"', "big"),
    ("window.size", "0", "0"),
    ("window.size", "-5", "-5"),
    ("window.size", "2000001", "2000001"),
    ("window.size", "1.5", "1.5"),
    ("window.models", '{"qwen-max" = 0}', "qwen-max=0"),
    ("window.models", '{"qwen-max" = "big"}', "qwen-max=big"),
    ("window.models", '"qwen-max"', "qwen-max"),
    ("window.models", "128000", "128000"),
    ("levels.warning.remaining", "101", "101"),
    ("levels.warning.remaining", "-1", "-1"),
    ("levels.warning.remaining", "nan", "nan"),
    ("levels.critical.every", "0", "0"),
    ("levels.exhausted.max_tokens", "0", "0"),
    ("hooks.context_warnings", '"perhaps"', "perhaps"),
    ("hooks.context_warnings", "2", "2"),
    ("messages.style", '"rude"', "rude"),
    ("messages.summary_file", '"../up.md"', "../up.md"),
    ("notices.cost_tokens", "-1", "-1"),
    ("statusline.color", '"pink"', "pink"),
]


@pytest.mark.parametrize(("key", "toml", "text"), BAD)
def test_a_bad_value_affects_only_its_own_key(person: Person, key: str, toml: str, text: str) -> None:
    person.writes(f'{key} = {toml}\nstatusline.wrapped = "above"')
    result = person.gets()
    assert value(result.config, key) == value(Config(), key)
    assert result.config.statusline.wrapped == "above"
    assert len(result.problems) == 1
    assert result.problems[0].startswith(f"{person.file}: {key}: ")
    person.file.unlink()
    variable = "TIDEGAUGE_" + key.upper().replace(".", "__")
    result = person.gets(**{variable: text, "TIDEGAUGE_STATUSLINE__WRAPPED": "above"})
    assert value(result.config, key) == value(Config(), key)
    assert result.config.statusline.wrapped == "above"
    assert len(result.problems) == 1
    assert result.problems[0].startswith(f"environment: {key}: ")


def test_a_bad_value_gives_way_to_the_next_layer(person: Person) -> None:
    person.writes("window.size = 500000")
    result = person.gets(TIDEGAUGE_WINDOW__SIZE="much")
    assert result.config.window.size == 500_000
    assert len(result.problems) == 1


def test_a_value_in_a_file_is_not_coerced(person: Person) -> None:
    person.writes('window.size = "500000"\nhooks.context_warnings = "false"')
    result = person.gets()
    assert (result.config.window.size, result.config.hooks.context_warnings) == (None, True)
    assert len(result.problems) == 2


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("windw.size = 1", "windw"),
        ("window.siz = 1", "window.siz"),
        ("levels.panic.remaining = 5", "levels.panic"),
        ("levels.warning.remainig = 5", "levels.warning.remainig"),
    ],
)
def test_an_unknown_key_is_named_and_harmless(person: Person, text: str, name: str) -> None:
    person.writes(text)
    result = person.gets()
    assert result.config == Config()
    assert result.problems == (f"{person.file}: {name}: no such setting",)


@pytest.mark.parametrize("text", ["window = 5", "levels = []", "levels.warning = 35", 'messages = "advisory"'])
def test_a_value_in_place_of_a_table_is_named_and_harmless(person: Person, text: str) -> None:
    person.writes(text)
    result = person.gets()
    assert result.config == Config()
    assert len(result.problems) == 1
    assert "must be a table" in result.problems[0]


@pytest.mark.parametrize(
    "environ",
    [
        {"TIDEGAUGE_": "1"},
        {"TIDEGAUGE_WINDOW": "5"},
        {"TIDEGAUGE_NOTHING": "5"},
        {"TIDEGAUGE_WINDOW__": "5"},
        {"TIDEGAUGE___SIZE": "5"},
        {"TIDEGAUGE_WINDOW__SIZE__MORE": "5"},
        {"TIDEGAUGE_HOOKS__CONTEXT_WARNINGS__MORE": "on"},
        {"TIDEGAUGE_STATUSLINE__HIDE__MORE": "on"},
        {"TIDEGAUGE_WINDOW": "5", "TIDEGAUGE_WINDOW__SIZE__MORE": "5"},
        {"TIDEGAUGE_WINDOW__SIZE__MORE": "5", "TIDEGAUGE_WINDOW__SIZE": "5x"},
    ],
)
def test_a_variable_that_names_no_setting_is_harmless(person: Person, environ: Mapping[str, str]) -> None:
    result = person.gets(**environ)
    assert result.config == Config()
    assert result.problems


@pytest.mark.parametrize(
    "text",
    [
        "levels.warning.remaining = 20",
        "levels.exhausted.remaining = 25",
        "levels.warning.remaining = 10\nlevels.critical.remaining = 20\nlevels.exhausted.remaining = 30",
    ],
)
def test_a_ladder_that_does_not_fall_is_the_default_one(person: Person, text: str) -> None:
    person.writes(f"{text}\nlevels.warning.every = 9\nwindow.size = 500000")
    result = person.gets()
    assert (result.config.levels, result.config.window.size) == (LevelRules(), 500_000)
    assert len(result.problems) == 1
    assert "levels" in result.problems[0]


@pytest.mark.parametrize("text", [b"= 1", b"[window\nsize = 1", b"window.size = 1\nwindow.size = 2", b"a = '\xff'"])
def test_a_broken_file_is_an_empty_layer_and_named(person: Person, text: bytes) -> None:
    person.writes(text)
    result = person.gets(TIDEGAUGE_WINDOW__SIZE="500000")
    assert result.config.window.size == 500_000
    assert len(result.problems) == 1
    assert result.problems[0].startswith(f"{person.file}: ")


def test_a_file_of_absurd_depth_is_an_empty_layer(person: Person) -> None:
    person.writes("a = " + "[" * 50_000)
    assert person.gets().config == Config()


@pytest.mark.parametrize("text", ["", "\n\n", "# nothing\n", "\ufeff"])
def test_an_empty_file_is_no_problem(person: Person, text: str) -> None:
    person.writes(text)
    assert person.gets() == Settings(Config())


def test_a_byte_order_mark_and_foreign_newlines_are_accepted(person: Person) -> None:
    person.writes("\ufeff[window]\r\nsize = 500000\r\n")
    assert person.gets().config.window.size == 500_000


def test_a_linked_file_counts(person: Person, tmp_path: Path) -> None:
    dotfile = tmp_path / "dotfile.toml"
    dotfile.write_text("window.size = 500000")
    person.file.parent.mkdir()
    person.file.symlink_to(dotfile)
    assert person.gets().config.window.size == 500_000


def test_a_directory_in_place_of_the_file_is_no_file(person: Person) -> None:
    person.file.mkdir(parents=True)
    assert person.gets().config == Config()


def test_settings_for_all_projects_ignore_project_files(person: Person, tmp_path: Path) -> None:
    file = tmp_path / "shop" / ".claude" / "tidegauge.toml"
    file.parent.mkdir(parents=True)
    file.write_text("levels.warning.every = 9")
    environ = {"CLAUDE_PROJECT_DIR": str(tmp_path / "shop"), "TIDEGAUGE_WINDOW__SIZE": "500000"}
    assert settings.load(str(person.root), environ).config.levels.warning.every == 9
    own = settings.own(str(person.root), environ).config
    assert (own.levels.warning.every, own.window.size) == (5, 500_000)


def test_each_setting_has_a_variable() -> None:
    assert settings.variable("levels.warning.every") == "TIDEGAUGE_LEVELS__WARNING__EVERY"
