import json
import os
from pathlib import Path

import pytest

from tests.commands.person import Person


def trust(person: Person, *directories: Path, state: Path | None = None) -> None:
    projects = {str(directory): {"hasTrustDialogAccepted": True} for directory in directories}
    (state or person.home / ".claude.json").write_text(json.dumps({"projects": projects}))


def test_a_trusted_directory_is_ok(person: Person) -> None:
    assert person.finding("trust") == ("ok", f"{person.project} is trusted")


def test_trust_extends_to_subdirectories(person: Person) -> None:
    trust(person, person.project.parent)

    assert person.finding("trust") == ("ok", f"{person.project} is trusted as part of {person.project.parent}")


def test_an_untrusted_directory_is_a_warning(person: Person) -> None:
    trust(person, person.project / "below")

    assert person.finding("trust").status == "warning"


def test_the_clients_state_is_in_its_own_configuration_directory_if_set(person: Person) -> None:
    (person.home / ".claude.json").unlink()
    trust(person, person.project, state=person.client / ".claude.json")

    assert person.finding("trust", {"CLAUDE_CONFIG_DIR": str(person.client)}).status == "ok"


def test_a_client_that_was_never_started_is_unknown(person: Person) -> None:
    (person.home / ".claude.json").unlink()

    assert person.finding("trust").status == "unknown"


@pytest.mark.parametrize(
    ("version", "status", "expected"),
    [
        ("2.1.330", "ok", "2.1.330"),
        ("2.1.400", "ok", "2.1.400, newer than 2.1.330"),
        (f"2.1.{'1' * 5_000}", "unknown", "its version is unknown"),
        ("2.1.97", "warning", "2.1.97 is older than 2.1.197"),
    ],
)
def test_the_version_is_that_of_the_newest_transcript(person: Person, version: str, status: str, expected: str) -> None:
    old = person.transcript("old")
    old.answer(1_000, top={"version": "1.0.0"})
    os.utime(old.path, (0, 0))
    person.transcript("new").answer(1_000, top={"version": version})

    finding = person.finding("client")

    assert finding.status == status
    assert finding.message.startswith(expected)


def test_without_a_transcript_the_version_is_unknown(person: Person) -> None:
    assert person.finding("client") == ("unknown", "its version is unknown until a transcript names it")


@pytest.mark.parametrize(
    ("settings", "status", "expected"),
    [
        ({}, "ok", "padded-countdown (the client's default): models may be told"),
        ({"totalTokensReminder": "fixed"}, "warning", "models may be told"),
        ({"totalTokensReminder": "countdown"}, "ok", "models are told how much of the window is left"),
        ({"totalTokensReminder": "off"}, "ok", "models are not told how many tokens are left"),
        ({"totalTokensReminder": 5}, "ok", "padded-countdown"),
    ],
)
def test_the_models_own_countdown_of_tokens_is_mentioned(
    person: Person, settings: dict[str, object], status: str, expected: str
) -> None:
    person.change_settings(**settings)

    finding = person.finding("<total_tokens>")

    assert (finding.status, expected in finding.message) == (status, True)
    is_offered = "install --countdown makes it the window's" in person.doctor("-v").stdout
    assert is_offered is (settings == {})
