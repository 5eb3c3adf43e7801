import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from shared import compaction
from shared.learned import Learned

MODEL, WINDOW = "claude-opus-4-6", 200_000
UNKNOWN = Learned()
SEEN = Learned(compactions={f"{MODEL}|{WINDOW}||": 166_000})
BY_PERCENT = {"CLAUDE_AUTOCOMPACT_PCT_OVERRIDE": "50"}
BY_WINDOW = {"CLAUDE_CODE_AUTO_COMPACT_WINDOW": "150000"}


@pytest.fixture
def client(tmp_path: Path) -> Path:
    directory = tmp_path / ".claude"
    directory.mkdir()
    return directory


def expected(client: Path, environ: Mapping[str, str] | None = None, known: Learned = UNKNOWN) -> int | None:
    return compaction.expected_at(MODEL, WINDOW, known, environ or {}, str(client))


def test_without_evidence_nothing_is_expected(client: Path) -> None:
    assert expected(client) is None


def test_an_observed_compaction_is_expected_again(client: Path) -> None:
    assert expected(client, known=SEEN) == 166_000


@pytest.mark.parametrize(
    "key", [f"claude-sonnet-5|{WINDOW}||", f"{MODEL}|1000000||", f"{MODEL}|{WINDOW}|150000|", f"{MODEL}|{WINDOW}||50"]
)
def test_what_was_observed_elsewhere_says_nothing(client: Path, key: str) -> None:
    assert expected(client, known=Learned(compactions={key: 166_000})) is None


def test_what_is_observed_is_remembered_with_what_it_depended_on() -> None:
    assert compaction.key(MODEL, WINDOW, {}) == f"{MODEL}|200000||"
    assert compaction.key(MODEL, WINDOW, BY_PERCENT | BY_WINDOW) == f"{MODEL}|200000|150000|50"


@pytest.mark.parametrize(
    ("environ", "tokens"),
    [
        (BY_PERCENT, 90_000),  # measured on the real client
        (BY_WINDOW, 117_000),
        (BY_PERCENT | BY_WINDOW, 65_000),
        ({"CLAUDE_AUTOCOMPACT_PCT_OVERRIDE": "100"}, 167_000),
        ({"CLAUDE_CODE_AUTO_COMPACT_WINDOW": "900000"}, 167_000),
    ],
)
def test_the_clients_own_settings_are_evidence(client: Path, environ: Mapping[str, str], tokens: int) -> None:
    assert expected(client, environ) == tokens


@pytest.mark.parametrize("text", ["", "0", "-5", "half", "5.5", " 50"])
def test_a_setting_that_is_no_number_is_no_evidence(client: Path, text: str) -> None:
    assert expected(client, {"CLAUDE_AUTOCOMPACT_PCT_OVERRIDE": text}) is None
    assert expected(client, {"CLAUDE_CODE_AUTO_COMPACT_WINDOW": text}) is None


def test_a_window_too_small_to_compact_in_is_no_evidence(client: Path) -> None:
    assert expected(client, {"CLAUDE_CODE_AUTO_COMPACT_WINDOW": "33000"}) is None


def test_the_settings_file_may_name_the_window(client: Path) -> None:
    (client / "settings.json").write_text(json.dumps({"autoCompactWindow": 150_000, "hooks": {}}))
    assert expected(client) == 117_000


@pytest.mark.parametrize("name", ["DISABLE_AUTO_COMPACT", "DISABLE_COMPACT"])
@pytest.mark.parametrize("value", ["1", "true", "YES", "on"])
def test_nothing_is_expected_when_the_environment_switches_it_off(client: Path, name: str, value: str) -> None:
    assert expected(client, BY_PERCENT | {name: value}, SEEN) is None


@pytest.mark.parametrize("value", ["", "0", "false"])
def test_a_switch_that_is_not_set_switches_nothing_off(client: Path, value: str) -> None:
    assert expected(client, {"DISABLE_AUTO_COMPACT": value}, SEEN) == 166_000


def test_nothing_is_expected_when_the_settings_switch_it_off(client: Path) -> None:
    (client / "settings.json").write_text('{"autoCompactEnabled": false}')
    assert expected(client, BY_PERCENT, SEEN) is None


@pytest.mark.parametrize("text", ['{"autoCompactEnabled":false}', '{"a": 1, "autoCompactEnabled" :\n\t false, "b": 2}'])
def test_nothing_is_expected_when_the_client_remembers_it_as_off(client: Path, text: str) -> None:
    (client.parent / ".claude.json").write_text(text)
    assert expected(client, BY_PERCENT, SEEN) is None


def test_a_moved_client_remembers_within_its_directory(client: Path) -> None:
    environ = {"CLAUDE_CONFIG_DIR": str(client)}
    (client.parent / ".claude.json").write_text('{"autoCompactEnabled": false}')
    assert expected(client, environ, SEEN) == 166_000
    (client / ".claude.json").write_text('{"autoCompactEnabled": false}')
    assert expected(client, environ, SEEN) is None


@pytest.mark.parametrize("text", ["", "{", "[]", '{"autoCompactEnabled": true}', '{"autoCompactEnabled": "x"}', "\x00"])
def test_other_contents_of_the_clients_files_change_nothing(client: Path, text: str) -> None:
    (client / "settings.json").write_text(text)
    (client.parent / ".claude.json").write_text(text)
    assert expected(client, known=SEEN) == 166_000


def test_settings_that_are_linked_to_count(client: Path, tmp_path: Path) -> None:
    (tmp_path / "dotfiles.json").write_text('{"autoCompactEnabled": false}')
    (client / "settings.json").symlink_to(tmp_path / "dotfiles.json")
    assert expected(client, known=SEEN) is None
