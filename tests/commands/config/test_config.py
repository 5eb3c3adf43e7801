"""`tidegauge config`, as a person runs it."""

import json
import os
import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from shared import paths
from shared.gauge import wording
from tests.commands.configured import config, of_project, personal, values
from tests.commands.person import SESSION, Person
from tests.levels import FIRST, FIRST_REMAINING


def rows(output: str) -> dict[str, tuple[str, str]]:
    """Source and value of each setting in the output of `show`."""
    cells = (line.split(maxsplit=2) for line in output.split("\n\n", 1)[1].splitlines())
    return {name: (source, value) for name, source, value in cells if name != "!"}


# show and get


def test_show_lists_every_setting_with_its_source(person: Person) -> None:
    person.configure('levels.warning.every = 9\nmessages.style = "advisory"')
    config(person, "set", "--project", "levels.warning.remaining", "36")
    cells = rows(config(person, "show", TIDEGAUGE_WINDOW__SIZE="500000"))
    assert cells["window.size"] == ("environment", "500000")
    assert cells["levels.warning.remaining"] == ("project", "36")
    assert cells["levels.warning.every"] == ("user", "9")
    assert cells["messages.style"] == ("user", '"advisory"')
    assert cells["levels.critical.remaining"] == ("default", "25")
    assert cells["bridge.directory"] == ("default", "unset")
    assert cells["statusline.hide"] == ("default", "[]")


def test_show_as_json_has_the_same_facts(person: Person) -> None:
    person.configure("levels.warning.every = 9\nlevels.warning.max_tokens = 0")
    document = json.loads(config(person, "show", "--json", code=1))
    assert document["profile"] == "full"
    assert document["files"] == {"user": str(personal(person)), "project": str(of_project(person))}
    assert document["settings"]["levels.warning.every"] == {"value": 9, "source": "user", "default": 5}
    assert document["settings"]["window.size"] == {"value": None, "source": "default", "default": None}
    assert len(document["problems"]) == 1
    assert document["problems"][0].startswith(
        f"{personal(person)}: levels.warning.max_tokens: expected a whole number >= 1"
    )


def test_show_lists_unusable_settings(person: Person) -> None:
    person.configure("levels.warning.evry = 9")
    of_project(person).parent.mkdir()
    of_project(person).write_text("hooks.context_warnings = false")
    lines = config(person, "show", code=1).splitlines()
    assert f"! {personal(person)}: levels.warning.evry: no such setting" in lines
    assert f"! {of_project(person)}: hooks.context_warnings: not for a project's file to set" in lines


def test_a_projects_key_names_cannot_steer_the_terminal(person: Person) -> None:
    of_project(person).parent.mkdir()
    of_project(person).write_text('"\\u001b[2J\\u009b" = 1')
    assert config(person, "show", code=1).replace("\n", "").isprintable()


@pytest.mark.parametrize(
    ("key", "expected"),
    [
        ("levels.warning.remaining", "35"),
        ("messages.summary_file", "PROJECT-SUMMARY.md"),
        ("hooks.context_warnings", "true"),
        ("window.size", "unset"),
        ("statusline.hide", "[]"),
        ("prompt_tag.tiers.low", "0.55"),
        ("window", "window.size = unset\nwindow.models = {}"),
    ],
)
def test_get_prints_one_value_or_a_section(person: Person, key: str, expected: str) -> None:
    assert config(person, "get", key) == expected


# set and unset


def test_the_first_set_creates_the_file_with_a_comment_on_top(person: Person) -> None:
    assert (
        config(person, "set", "levels.warning.remaining", "40")
        == f"levels.warning.remaining = 40 in {personal(person)}"
    )
    text = personal(person).read_text()
    assert text.startswith("# ")
    assert text.endswith("\n\n[levels.warning]\nremaining = 40\n")
    assert config(person, "get", "levels.warning.remaining") == "40"


@pytest.mark.parametrize(
    ("key", "text", "expected"),
    [
        ("window.size", "500000", 500_000),
        ("window.models", "qwen-max=128000,us.a/b[1m]=5000", {"qwen-max": 128_000, "us.a/b[1m]": 5_000}),
        ("levels.warning.remaining", "35.5", 35.5),
        ("prompt_tag.tiers.low", "0.5", 0.5),
        ("hooks.context_warnings", "off", False),
        ("hooks.read_guard", "YES", True),
        ("messages.style", "advisory", "advisory"),
        ("messages.summary_file", "Über gabe.md", "Über gabe.md"),
        ("statusline.wrapped", "above", "above"),
        ("statusline.hide", "cost, cache", ["cost", "cache"]),
        ("statusline.hide", "", []),
        ("statusline.lines", "model,context;cost", [["model", "context"], ["cost"]]),
        ("statusline.lines", "model", [["model"]]),
        ("read_guard.ignore", "vendor/,!vendor/ours/", ["vendor/", "!vendor/ours/"]),
    ],
)
def test_set_writes_a_value_in_its_type(person: Person, key: str, text: str, expected: object) -> None:
    config(person, "set", key, text)
    document: Any = values(personal(person))
    for name in key.split("."):
        document = document[name]
    assert (document, type(document)) == (expected, type(expected))
    config(person, "show")


def test_a_table_is_set_as_a_whole(person: Person) -> None:
    config(person, "set", "window.models", "qwen-max=128000")
    output = config(person, "set", "window.models", "us.a/b=5000,c=6000")
    assert output == f'window.models = {{"us.a/b" = 5000, "c" = 6000}} in {personal(person)}'
    assert values(personal(person)) == {"window": {"models": {"us.a/b": 5000, "c": 6000}}}
    assert config(person, "get", "window.models") == '{"us.a/b" = 5000, "c" = 6000}'
    config(person, "unset", "window.models")
    assert config(person, "get", "window.models") == "{}"


def test_a_set_value_applies_from_the_next_tool_use(person: Person) -> None:
    transcript = person.transcript()
    transcript.rise(90_000)
    person.use_tool(transcript)
    assert Path(paths.gate(str(person.root), SESSION)).exists()
    config(person, "set", FIRST_REMAINING, "60")
    assert not Path(paths.gate(str(person.root), SESSION)).exists()
    assert FIRST.name in person.use_tool(transcript)
    config(person, "unset", FIRST_REMAINING)
    assert person.use_tool(transcript) == wording.RETRACTION
    assert person.use_tool(transcript) == ""


def test_a_projects_settings_apply_only_there(person: Person, tmp_path: Path) -> None:
    config(person, "set", "--project", FIRST_REMAINING, "60")
    assert values(of_project(person)) == {"levels": {FIRST.name.lower(): {"remaining": 60}}}
    assert not personal(person).exists()
    transcript = person.transcript()
    transcript.answer(90_000)
    assert person.use_tool(transcript, cwd=str(tmp_path)) == ""
    assert FIRST.name in person.use_tool(transcript, cwd=str(person.project))


def test_comments_order_and_spelling_stay(person: Person) -> None:
    text = (
        "# mine\n\n[statusline]   # the line\ncolor='256' # warm\n\n# Levels:\n[levels]\n"
        "warning = {every = 0x9,  remaining = 4_0}\n\n# the end\n"
    )
    person.configure(text)
    config(person, "set", "statusline.color", "none")
    config(person, "set", "levels.warning.remaining", "41")
    assert personal(person).read_text() == text.replace("'256'", '"none"').replace("4_0", "41")


def test_unset_restores_the_file(person: Person) -> None:
    text = "# mine\n[window]\nsize = 5000 # small\n\n[statusline]\nascii = true\n"
    person.configure(text)
    config(person, "set", "levels.warning.remaining", "40")
    assert personal(person).read_text() != text
    assert config(person, "unset", "levels.warning.remaining").endswith(f"is no longer set in {personal(person)}")
    assert personal(person).read_text() == text


def test_unset_of_an_unset_key_changes_nothing(person: Person) -> None:
    assert config(person, "unset", "window.size") == f"window.size is not set in {personal(person)}"
    assert not personal(person).exists()


def test_unset_removes_an_unknown_key(person: Person) -> None:
    person.configure("levels.warning.evry = 9\n")
    config(person, "unset", "levels.warning.evry")
    config(person, "show")


def test_set_says_when_another_layer_overrides_it(person: Person) -> None:
    output = config(person, "set", "levels.warning.every", "7", TIDEGAUGE_LEVELS__WARNING__EVERY="9")
    assert output.splitlines()[1] == "but TIDEGAUGE_LEVELS__WARNING__EVERY says 9, which takes precedence here"
    config(person, "set", "--project", "levels.warning.every", "8")
    assert (
        config(person, "set", "levels.warning.every", "7").splitlines()[1].startswith("but the project's file says 8")
    )


def test_a_broken_ladder_can_be_fixed_step_by_step(person: Person) -> None:
    person.configure("[levels]\nwarning.remaining = 5\ncritical.remaining = 4\n")
    config(person, "set", "levels.critical.remaining", "25")
    config(person, "set", "levels.warning.remaining", "36")
    config(person, "show")


# The file


@pytest.mark.skipif(os.name == "nt", reason="links and modes of POSIX")
def test_the_mode_and_the_link_of_a_file_stay(person: Person, tmp_path: Path) -> None:
    dotfile = tmp_path / "dotfiles" / "tidegauge.toml"
    dotfile.parent.mkdir()
    dotfile.write_text("window.size = 5000\n")
    dotfile.chmod(0o640)
    personal(person).parent.mkdir()
    personal(person).symlink_to(dotfile)
    config(person, "set", "window.size", "6000")
    assert personal(person).readlink() == dotfile
    assert (dotfile.read_text(), stat.S_IMODE(dotfile.stat().st_mode)) == ("window.size = 6000\n", 0o640)
    assert os.listdir(dotfile.parent) == ["tidegauge.toml"]


@pytest.mark.skipif(os.name == "nt", reason="links of POSIX")
def test_a_linked_project_file_is_refused(person: Person, tmp_path: Path) -> None:
    (tmp_path / "other.toml").write_text("")
    of_project(person).parent.mkdir()
    of_project(person).symlink_to(tmp_path / "other.toml")
    assert "is a link; nothing was changed" in config(person, "set", "--project", "levels.warning.every", "9", code=1)
    assert (tmp_path / "other.toml").read_text() == ""


def test_an_unknown_project_has_no_file(person: Person) -> None:
    of_project(person).parent.mkdir()
    of_project(person).write_text("levels.warning.every = 9\n")
    config(person, "set", "--project", "levels.warning.every", "8", code=1, CLAUDE_PROJECT_DIR="shop")
    assert of_project(person).read_text() == "levels.warning.every = 9\n"


@pytest.mark.skipif(os.name == "nt", reason="pipes of POSIX")
def test_a_pipe_in_place_of_the_file_does_not_block(person: Person) -> None:
    personal(person).parent.mkdir()
    os.mkfifo(personal(person))
    assert "not a regular file" in config(person, "set", "window.size", "6000", code=1)


def test_a_directory_that_cannot_be_created_is_reported_in_one_line(person: Person) -> None:
    personal(person).parent.write_text("")
    result = person.tidegauge("config", "set", "window.size", "6000")
    assert (result.returncode, result.stdout, result.stderr.count("\n")) == (1, "", 1)
    assert str(personal(person)) in result.stderr


@pytest.mark.parametrize(("text", "size"), [("1_000_000", 1_000_000), ("500000", 500_000)])
def test_a_number_may_be_grouped(person: Person, text: str, size: int) -> None:
    config(person, "set", "window.size", text)
    config(person, "set", "window.models", f"claude-opus-4-6={text}")

    assert values(personal(person))["window"] == {"size": size, "models": {"claude-opus-4-6": size}}


def test_digits_in_a_text_stay_unchanged(person: Person) -> None:
    config(person, "set", "messages.summary_file", "1_000")

    assert values(personal(person)) == {"messages": {"summary_file": "1_000"}}


def test_get_says_when_a_value_could_not_be_used(person: Person) -> None:
    person.configure("levels.warning.remaining = 400")

    result = person.tidegauge("config", "get", "levels.warning.remaining")

    assert (result.returncode, result.stdout) == (1, "35\n")
    assert "config.toml: levels.warning.remaining: " in result.stderr
    assert person.tidegauge("config", "get", "window.size").returncode == 0


def test_get_says_when_the_scale_of_a_value_could_not_be_used(person: Person) -> None:
    person.configure("levels.warning.remaining = 10")

    result = person.tidegauge("config", "get", "levels.warning.remaining")

    assert (result.returncode, result.stdout) == (1, "35\n")
    assert "config.toml: levels: remaining must fall" in result.stderr


def test_simultaneous_changes_are_all_written(person: Person) -> None:
    keys = ["levels.warning.every", "levels.critical.every", "levels.exhausted.every", "checkpoint.keep"] * 2
    with ThreadPoolExecutor(len(keys)) as pool:
        outputs = [*pool.map(lambda key: config(person, "set", key, "7"), keys)]
    assert [output.split()[0] for output in outputs] == keys
    levels = {level: {"every": 7} for level in ("warning", "critical", "exhausted")}
    assert values(personal(person)) == {"levels": levels, "checkpoint": {"keep": 7}}
