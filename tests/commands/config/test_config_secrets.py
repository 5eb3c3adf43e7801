"""`tidegauge config` with secrets: the headers for a collector."""

import os
import stat

import pytest

from tests.commands.configured import config, personal, values
from tests.commands.person import Person


def test_collector_headers_are_masked_wherever_they_would_be_shown(person: Person) -> None:
    output = config(person, "set", "telemetry.headers", "authorization=Bearer a=b")
    output += config(person, "show") + config(person, "show", "--json") + config(person, "get", "telemetry.headers")
    output += config(person, "get", "telemetry")
    assert "Bearer" not in output
    assert output.count("[masked]") == 5
    assert values(personal(person))["telemetry"]["headers"] == {"authorization": "Bearer a=b"}


@pytest.mark.parametrize("header", ["Bearer-a-token", "authorization=", "x=1, Bearer-a-token", "=Bearer-a-token"])
def test_a_header_without_name_or_value_is_refused_without_quoting_it(person: Person, header: str) -> None:
    output = config(person, "set", "telemetry.headers", header, code=2)
    assert "telemetry.headers: expected NAME=VALUE, NAME=VALUE" in output
    assert "a-token" not in output


@pytest.mark.parametrize(
    "table",
    [
        '{authorization = "Bearer planted"}',
        '{authorization = "planted", x = 5}',
        '"planted"',
        '["planted"]',
        '{x = "planted',
    ],
)
def test_no_command_prints_a_secret_of_a_valid_or_broken_file(person: Person, table: str) -> None:
    personal(person).parent.mkdir(exist_ok=True)
    personal(person).write_text(f'[telemetry]\nendpoint = "http://127.0.0.1:9"\nheaders = {table}\n')
    personal(person).chmod(0o600)
    commands = [("config", "show"), ("config", "show", "--json"), ("config", "get", "telemetry"), ("doctor", "--json")]
    commands += [("doctor", "-v"), ("history", "sync"), ("config", "set", "levels.warning.every", "9")]
    commands += [("config", "unset", "telemetry.headers")]

    for command in commands:
        result = person.tidegauge(*command)
        assert "planted" not in result.stdout + result.stderr, command


@pytest.mark.skipif(os.name != "posix", reason="modes are POSIX's")
@pytest.mark.parametrize("is_new", [True, False])
def test_a_file_that_gets_a_secret_becomes_private(person: Person, *, is_new: bool) -> None:
    if not is_new:
        person.configure("levels.warning.every = 9")
        personal(person).chmod(0o644)
    config(person, "set", "telemetry.headers", "authorization=secret")
    assert stat.S_IMODE(personal(person).stat().st_mode) == 0o600


def test_a_project_cannot_set_the_collector(person: Person) -> None:
    output = config(person, "set", "--project", "telemetry.endpoint", "http://127.0.0.1:9", code=2)
    assert "not for a project's file to set" in output
