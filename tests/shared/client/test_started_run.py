"""What a client's command line says about its run."""

import json
from pathlib import Path

import pytest

from shared.client.client_settings import ClientSettings, Run, parse_run, read_run, write_run


@pytest.mark.parametrize(
    "document",
    ["", "[]", "{"]
    + [f'{{"started_at": {time}, "identity": "claude-opus-5"}}' for time in ("1e308", "-1", "NaN", '"now"')],
)
def test_a_damaged_record_of_a_run_counts_as_missing(tmp_path: Path, document: str) -> None:
    (tmp_path / "s").write_text(document)
    assert read_run(str(tmp_path / "s")) == Run()


@pytest.mark.parametrize(
    ("arguments", "model"),
    [
        ((), ""),
        (("claude", "-p", "go"), ""),
        (("claude", "--model", "opus", "-p", "go"), "opus"),
        (("claude", "--model=claude-opus-4-6[1m]"), "claude-opus-4-6[1m]"),
        (("claude", "--model=opus", "--model", "haiku"), "haiku"),
        (("claude", "--model", "opus", "--model=haiku"), "haiku"),
        (("claude", "--models", "opus"), ""),
        (("claude", "--model"), ""),
        (("claude", "--model", "opus", "-p", "--", "--model=haiku"), "opus"),
        (("claude", "--append-system-prompt", "--model=haiku is what I like"), ""),
    ],
)
def test_the_last_model_on_the_command_line_counts(arguments: tuple[str, ...], model: str) -> None:
    is_named = bool(model)
    assert parse_run(0, arguments, "/", is_headless=True) == Run(model=model, is_named=is_named)
    run = parse_run(0, arguments, "/", is_headless=False)  # where /model may have chosen another
    assert run == Run(is_named=is_named)


@pytest.mark.parametrize("is_headless", [False, True])
def test_the_main_agent_comes_from_the_command_line_or_the_settings(*, is_headless: bool) -> None:
    settings = '{"agent": "writer"}'
    run = parse_run(0, ("claude", "--settings", settings), "/", is_headless=is_headless)
    assert run.settings.agent == "writer"
    run = parse_run(0, ("claude", "--settings", settings, "--agent", "reader"), "/", is_headless=is_headless)
    assert run.settings.agent == "reader"


def test_a_run_may_begin_at_an_earlier_answer() -> None:
    assert parse_run(0, ("claude", "--resume-session-at", "1b2c"), "/", is_headless=True) == Run(is_rewound=True)


SET = {"autoCompactEnabled": False, "autoCompactWindow": 150_000, "env": {"TOKEN": "not ours to keep"}}


@pytest.mark.parametrize("form", ["document", "absolute", "relative"])
def test_settings_on_the_command_line_are_a_document_or_a_file(tmp_path: Path, form: str) -> None:
    (tmp_path / "set.json").write_text(json.dumps(SET))
    value = {"document": json.dumps(SET), "absolute": str(tmp_path / "set.json"), "relative": "set.json"}[form]

    run = parse_run(7, ("claude", "--settings", value), str(tmp_path), is_headless=True)

    assert run == Run(7, settings=ClientSettings(autoCompactEnabled=False, autoCompactWindow=150_000))
    write_run(str(tmp_path / "s"), run)
    assert read_run(str(tmp_path / "s")) == run


@pytest.mark.parametrize("value", ["", "/nowhere.json", "{", "[]", "/dev/zero"])
def test_unreadable_settings_are_ignored(tmp_path: Path, value: str) -> None:
    assert parse_run(0, ("claude", "--settings", value), str(tmp_path), is_headless=True) == Run()


@pytest.mark.parametrize(
    ("arguments", "is_headless", "model"), [((), True, "opus[1m]"), ((), False, ""), (("--betas=a-beta",), True, "")]
)
def test_the_settings_model_counts_if_nothing_can_change_it(
    arguments: tuple[str, ...], model: str, *, is_headless: bool
) -> None:
    given = (
        "claude",
        *arguments,
        "--model",
        "haiku",
        "--settings",
        '{"model": "opus[1m]", "autoCompactEnabled": true}',
    )
    run = parse_run(0, given, "/", is_headless=is_headless)
    assert (run.settings.model, run.settings.autoCompactEnabled) == (model, True)
    assert run.model == ("haiku" if model else "")
