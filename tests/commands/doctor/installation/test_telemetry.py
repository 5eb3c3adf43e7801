"""Doctor's findings about a team's collector."""

import importlib.util
import os
import time

import pytest

from commands.doctor.finding import CheckFinding
from commands.doctor.installation import state
from commands.environment.environment import environment_at
from tests.commands.person import Person


def findings_of(person: Person) -> list[CheckFinding]:
    return list(state.collector(environment_at(str(person.root), str(person.project), {}, time.time())))


def test_without_an_endpoint_nothing_is_reported(person: Person) -> None:
    assert findings_of(person) == []


def test_a_collector_that_can_be_sent_to_is_named_with_its_whole_address(person: Person) -> None:
    person.configure('telemetry.endpoint = "http://127.0.0.1:9"')

    (finding,) = findings_of(person)

    assert (finding.status, finding.message) == (
        "ok",
        "http://127.0.0.1:9/v1/metrics, at each `tidegauge history sync`",
    )


def test_packages_that_are_missing_are_a_warning(person: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    person.configure('telemetry.endpoint = "http://127.0.0.1:9"')
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: None)

    (finding,) = findings_of(person)

    assert (finding.status, finding.remedy) == ("warning", "run: tidegauge install --otlp")


@pytest.mark.skipif(os.name != "posix", reason="modes are POSIX's")
def test_headers_that_others_may_read_are_a_warning_without_them(person: Person) -> None:
    person.configure('[telemetry]\nendpoint = "http://127.0.0.1:9"\nheaders = { authorization = "secret" }\n')
    (person.home / "config" / "config.toml").chmod(0o644)

    (finding,) = findings_of(person)

    assert finding.status == "warning"
    assert "chmod 600" in finding.message
    assert "secret" not in finding.message + finding.remedy
