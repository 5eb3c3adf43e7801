"""`tidegauge history sync` and a team's collector, as a person runs them."""

import re
import time
from collections.abc import Iterator
from datetime import UTC, datetime

import pytest

from tests import scratch
from tests.commands.person import SESSION, Person
from tests.history.telemetry import receiver as receivers
from tests.history.telemetry.receiver import Receiver, receiver
from tests.transcripts import NEW_CLIENT, captured


@pytest.fixture
def collector() -> Iterator[Receiver]:
    with receiver() as result:
        yield result


@pytest.fixture
def worked(person: Person) -> Person:
    """The person, after a session of an hour ago."""
    folder = person.client / "projects" / "-project"
    folder.mkdir(parents=True)
    moment = datetime.fromtimestamp(time.time() - 3600, UTC).strftime("%Y-%m-%dT%H:%M:%S.000Z")
    text = re.sub(r'"timestamp":"[^"]+"', f'"timestamp":"{moment}"', captured(NEW_CLIENT).read_text("utf-8"))
    (folder / f"{SESSION}.jsonl").write_text(text, encoding="utf-8")
    return person


def test_a_sync_sends_new_figures_and_the_next_one_none(worked: Person, collector: Receiver) -> None:
    worked.configure(f'telemetry.endpoint = "{collector.endpoint}"')

    first = worked.tidegauge("history", "sync")
    second = worked.tidegauge("history", "sync")

    assert (first.returncode, second.returncode) == (0, 0)
    assert first.stderr == f"tidegauge: 127.0.0.1:{collector.port}: {len(collector.points)} points sent\n"
    assert second.stderr == ""
    assert len(collector.requests) == 1
    fills = collector.latest()["tidegauge.context.fill"]
    assert len(fills) == 1
    assert next(iter(fills.values())) > 0
    assert SESSION.encode() not in b"".join(body for *_, body in collector.requests)


@pytest.mark.parametrize("answer", [receivers.silent, receivers.dripping, receivers.with_status(500)])
def test_a_failing_collector_costs_a_line_but_not_the_sync(worked: Person, collector: Receiver, answer: object) -> None:
    worked.configure(f'telemetry.endpoint = "{collector.endpoint}"\ntelemetry.timeout = 1')
    collector.answer = answer  # type: ignore[assignment]  # a method, for this test
    begin = time.monotonic()

    result = worked.tidegauge("history", "sync")

    assert time.monotonic() - begin < 30
    assert result.returncode == 0
    assert result.stdout.startswith("1 transcript, 1 with something new")
    assert result.stderr.count("\n") == 1
    assert result.stderr.endswith("; 0 points sent, the rest goes with the next sync\n")


def test_without_an_endpoint_a_sync_reports_and_sends_nothing(worked: Person) -> None:
    result = worked.tidegauge("history", "sync")

    assert (result.returncode, result.stderr) == (0, "")


def test_the_end_of_a_session_sends_nothing(worked: Person, collector: Receiver) -> None:
    worked.configure(f'telemetry.endpoint = "{collector.endpoint}"')
    worked.tidegauge("history", "sync")
    before = len(collector.requests)
    transcript = worked.client / "projects" / "-project" / f"{SESSION}.jsonl"
    transcript.write_bytes(transcript.read_bytes() * 2)

    end = (
        f'{{"hook_event_name":"SessionEnd","session_id":"{SESSION}","transcript_path":"{transcript}","reason":"other"}}'
    )
    result = scratch.run(worked.root, end.encode())

    assert (result.returncode, result.stdout) == (0, b"")
    assert len(collector.requests) == before
