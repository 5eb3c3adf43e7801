"""What a collector receives, and what happens to the figures while it is unreachable."""

from http.server import BaseHTTPRequestHandler
from typing import Any

import pytest

from history.store import schema
from history.telemetry.ledger import SPOOL_DAYS, Ledger
from shared.gauge.levels import Level
from tests.history.telemetry import receiver
from tests.history.telemetry.conftest import Telemetry
from tests.history.telemetry.stored import HOUR, NOW, work

TOTALS = {
    "tidegauge.context.sessions": {
        (model, version, level.name.lower(), project): 1
        for model, version, highest, project in (
            ("claude-opus-5", "2.1.330", Level.CRITICAL, "alpha"),
            ("claude-sonnet-5", "2.1.197", Level.WARNING, "beta"),
        )
        for level in Level
        if level <= highest
    },
    "tidegauge.context.unwarned": {("claude-sonnet-5", "2.1.197", "beta"): 1},
    "tidegauge.context.compactions": {("claude-opus-5", "alpha", "auto"): 1, ("claude-opus-5", "alpha", "manual"): 1},
    "tidegauge.context.compaction.time": {("claude-opus-5", "alpha", "auto"): 90.5},
    "tidegauge.context.warnings": {("warning", "alpha"): 1, ("critical", "alpha"): 1},
    "tidegauge.context.warning.outcomes": {("warning", "saved", "alpha"): 1},
}
GAUGES = {
    "tidegauge.context.fill": {("claude-opus-5", "alpha"): 160_000, ("claude-sonnet-5", "beta"): 150_006},
    "tidegauge.context.window": {("claude-opus-5", "alpha"): 200_000, ("claude-sonnet-5", "beta"): 200_000},
    "tidegauge.context.utilization": {("claude-opus-5", "alpha"): 0.8, ("claude-sonnet-5", "beta"): 0.75003},
    "tidegauge.context.level": {("claude-opus-5", "alpha"): Level.CRITICAL, ("claude-sonnet-5", "beta"): Level.WARNING},
    "tidegauge.context.distance": {("claude-opus-5", "alpha"): 7_000, ("claude-sonnet-5", "beta"): 16_994},
}
UNITS = {
    "tidegauge.context.sessions": "{session}", "tidegauge.context.unwarned": "{session}",
    "tidegauge.context.compactions": "{compaction}", "tidegauge.context.compaction.time": "s",
    "tidegauge.context.warnings": "{warning}", "tidegauge.context.warning.outcomes": "{warning}",
    "tidegauge.context.fill": "{token}", "tidegauge.context.window": "{token}",
    "tidegauge.context.utilization": "1", "tidegauge.context.level": "1",
    "tidegauge.context.distance": "{token}",
}  # fmt: skip


def test_every_figure_arrives_with_its_unit_and_attributes(telemetry: Telemetry) -> None:
    work(telemetry.stored)

    message = telemetry.send()

    arrived = telemetry.collector
    assert message == f"127.0.0.1:{arrived.port}: {len(arrived.points)} points sent"
    assert arrived.latest() == TOTALS | GAUGES
    assert {point.metric: point.unit for point in arrived.points} == UNITS
    assert {point.attributes["gen_ai.provider.name"] for point in arrived.points} == {"anthropic"}
    assert {point.metric for point in arrived.points if point.is_counter} == set(TOTALS)


def test_each_figure_has_its_hours_time_and_a_counter_begins_at_zero(telemetry: Telemetry) -> None:
    work(telemetry.stored)

    telemetry.send()

    points = telemetry.collector.points
    fills = {point.at: point.value for point in points if point.metric.endswith(".fill")}
    assert fills == {(HOUR - 3600) * 10**9: 140_000, HOUR * 10**9: 150_006, NOW * 10**9: 160_000}
    warned = [p for p in points if p.metric.endswith(".sessions") and p.attributes["tidegauge.level"] == "critical"]
    assert [(p.at, p.value, p.started) for p in warned] == [
        (HOUR * 10**9, 0, HOUR * 10**9),
        (NOW * 10**9, 1, HOUR * 10**9),
    ]


def test_nothing_names_a_session_a_person_or_a_machine(telemetry: Telemetry, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/jane")
    work(telemetry.stored)
    telemetry.stored.call(telemetry.stored.session("/home/jane"), HOUR + 5, 1000, Level.NORMAL)

    telemetry.send()

    everything = " ".join(map(repr, telemetry.collector.points))
    assert "jane" not in everything
    assert "the-session-id" not in everything
    assert "'~'" in everything
    (instance,) = {point.resource["service.instance.id"] for point in telemetry.collector.points}
    assert {tuple(point.resource) for point in telemetry.collector.points} == {("service.name", "service.instance.id")}
    salt = telemetry.stored.rows.execute("SELECT value FROM meta WHERE key = 'salt'").fetchone()[0]
    assert salt.hex() not in instance.replace("-", "")


def test_acknowledged_figures_are_not_sent_again_and_counters_continue(telemetry: Telemetry) -> None:
    work(telemetry.stored)
    telemetry.send()
    before = len(telemetry.collector.requests)

    assert telemetry.send(NOW + 60) == ""
    assert len(telemetry.collector.requests) == before

    more = telemetry.stored.session("/home/jane/alpha")
    telemetry.stored.call(more, NOW + 100, 20_000, Level.NORMAL)
    telemetry.send(NOW + 120)
    assert (
        telemetry.collector.latest()["tidegauge.context.sessions"][("claude-opus-5", "2.1.330", "normal", "alpha")] == 2
    )


def test_transcripts_that_are_read_again_change_nothing(telemetry: Telemetry) -> None:
    work(telemetry.stored)
    telemetry.send()
    opened = telemetry.stored.rows
    for table in ("parts", "calls", "compactions", "warnings", "cycles", "transcripts"):
        opened.execute(f"DELETE FROM {table}")  # noqa: S608  names of our own
    work(telemetry.stored)

    assert telemetry.send(NOW + 1) == ""


def test_rows_read_late_count_from_then_on(telemetry: Telemetry) -> None:
    """An engine accepts a counter's points only in order of time."""
    work(telemetry.stored)
    telemetry.send()
    late = telemetry.stored.session("/home/jane/alpha")
    telemetry.stored.call(late, HOUR - 86_400, 20_000, Level.NORMAL)
    telemetry.stored.call(late, NOW + 50, 140_000, Level.WARNING)

    telemetry.send(NOW + 60)

    assert (
        telemetry.collector.latest()["tidegauge.context.sessions"][("claude-opus-5", "2.1.330", "normal", "alpha")] == 2
    )
    series: dict[Any, list[int]] = {}
    for point in telemetry.collector.points:
        if point.is_counter:
            series.setdefault((point.metric, *sorted(point.attributes.items())), []).append(point.at)
    assert all(times == sorted(set(times)) for times in series.values())


def test_a_warning_whose_outcome_is_known_later_counts_once(telemetry: Telemetry) -> None:
    work(telemetry.stored)
    telemetry.send()
    telemetry.stored.rows.execute("UPDATE warnings SET outcome = ?", (schema.WarningOutcome.SAVED,))

    telemetry.send(NOW + 60)

    assert telemetry.collector.latest()["tidegauge.context.warning.outcomes"] == {
        ("warning", "saved", "alpha"): 1,
        ("critical", "saved", "alpha"): 1,
    }
    assert telemetry.collector.latest()["tidegauge.context.warnings"] == TOTALS["tidegauge.context.warnings"]


def test_a_session_without_tools_does_not_suggest_a_missing_hook(telemetry: Telemetry) -> None:
    talk = telemetry.stored.session("/home/jane/talk")
    for number in range(9):
        telemetry.stored.call(talk, HOUR + number, 150_000, Level.WARNING, after_tool=number < 5)

    telemetry.send()

    assert "tidegauge.context.unwarned" not in telemetry.collector.latest()


def test_figures_too_far_back_are_left_out_and_forgotten(telemetry: Telemetry) -> None:
    work(telemetry.stored)
    old = telemetry.stored.session("/home/jane/old")
    telemetry.stored.call(old, NOW - (SPOOL_DAYS + 1) * 86_400, 20_000, Level.NORMAL)
    telemetry.send()

    assert "old" not in {point.attributes["tidegauge.project"] for point in telemetry.collector.points}
    new = telemetry.stored.session("/home/jane/alpha", last_at=NOW + 40 * 86_400)
    telemetry.stored.call(new, NOW + 40 * 86_400, 20_000, Level.NORMAL)
    other = telemetry.stored.session("/home/jane/other", last_at=NOW + 38 * 86_400)
    for day in range(2, 40, 3):
        telemetry.stored.call(other, NOW + day * 86_400, 20_000, Level.NORMAL)
    telemetry.send(NOW + 40 * 86_400)
    assert telemetry.stored.rows.execute("SELECT min(hour) > ? FROM telemetry_cells", (NOW,)).fetchone() == (1,)
    assert (
        telemetry.collector.latest()["tidegauge.context.sessions"][("claude-opus-5", "2.1.330", "normal", "alpha")] == 2
    )


def test_a_clock_that_was_months_ahead_has_nothing_counted_twice(telemetry: Telemetry) -> None:
    work(telemetry.stored)
    telemetry.send()
    before = telemetry.collector.latest()
    ahead = telemetry.stored.session("/home/jane/other", last_at=NOW + 100 * 86_400)
    telemetry.stored.call(ahead, NOW + 100 * 86_400, 20_000, Level.NORMAL)
    telemetry.send(NOW + 100 * 86_400)

    telemetry.send(NOW + 60)

    after = telemetry.collector.latest()
    counters = {name: after[name].items() >= before[name].items() for name in TOTALS}
    assert all(counters.values()), counters


TROUBLE = {
    "dead": ("Connection refused", None),
    "silent": ("no answer within 1 s", receiver.silent),
    "dripping": ("no answer within 1 s", receiver.dripping),
    "hanging up": ("", receiver.hanging_up),
    "no HTTP": ("no answer of HTTP's", receiver.no_http),
    "500": ("answered 500", receiver.with_status(500)),
    "503": ("answered 503", receiver.with_status(503)),
    "401": ("answered 401", receiver.with_status(401)),
    "redirect": ("answered 307", receiver.redirecting("http://127.0.0.1:9/v1/metrics")),
    "garbage": ("its answer isn't OTLP", receiver.with_status(200, b"\xff\xff\xff\xff")),
    "a login page": ("its answer isn't OTLP but text/html", receiver.with_status(200, b"<html>", "text/html")),
    "endless": ("its answer isn't OTLP", receiver.endless),
}


@pytest.mark.parametrize("trouble", TROUBLE)
def test_figures_a_failing_collector_did_not_accept_are_kept_for_the_next_sync(
    telemetry: Telemetry, trouble: str, capfd: pytest.CaptureFixture[str]
) -> None:
    work(telemetry.stored)
    words, answer = TROUBLE[trouble]
    if answer is None:
        message = telemetry.send(endpoint="http://127.0.0.1:9")
    else:
        telemetry.collector.answer = answer
        message = telemetry.send(timeout=1.0 if "within 1 s" in words else 20.0)

    assert words in message
    assert message.endswith("; 0 points sent, the rest goes with the next sync")
    assert len(message.splitlines()) == 1
    assert len(telemetry.collector.requests) <= 1  # the next sync tries again, this one doesn't
    assert capfd.readouterr() == ("", "")  # the SDK's own log stays silent

    telemetry.collector.answer, telemetry.collector.points = receiver.good, []
    telemetry.send(NOW + 60)
    assert telemetry.collector.latest() == TOTALS | GAUGES


def test_rejected_figures_are_reported_once_and_not_sent_again(telemetry: Telemetry) -> None:
    """The protocol forbids resending; a counter's next point makes up for the rejected one."""
    work(telemetry.stored)
    telemetry.collector.answer = receiver.rejecting

    assert telemetry.send().endswith("points sent; it rejected 2 points: too old")
    assert telemetry.send(NOW + 60) == ""


def test_a_collector_that_rejects_less_than_nothing_rejects_nothing(telemetry: Telemetry) -> None:
    work(telemetry.stored)
    telemetry.collector.answer = receiver.rejecting_with("too old", -1)
    assert telemetry.send().endswith("points sent")


def test_a_long_backlog_goes_in_several_requests(telemetry: Telemetry) -> None:
    session = telemetry.stored.session("/home/jane/alpha")
    for hour in range(1200 // 24 * 24):
        telemetry.stored.call(session, HOUR - hour % 700 * 3600, 20_000 + hour, Level.NORMAL, model=f"m{hour % 3}")

    telemetry.send()

    sizes = [len(list(receiver.decoded(body))) for _, _, body in telemetry.collector.requests]
    assert len(sizes) > 1
    assert max(sizes) <= 5 * 1000 + 1000


def test_only_one_of_two_simultaneous_syncs_acknowledges(telemetry: Telemetry) -> None:
    work(telemetry.stored)
    ours = Ledger(telemetry.stored.rows, NOW)
    telemetry.send()

    assert not ours.acknowledge()


def test_an_empty_store_sends_nothing(telemetry: Telemetry) -> None:
    assert telemetry.send() == ""
    assert telemetry.collector.requests == []


def test_a_header_repeated_by_a_collector_is_not_quoted(telemetry: Telemetry) -> None:
    def repeating(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(401, f"unknown {handler.headers['authorization']}")
        handler.send_header("Content-Length", "0")
        handler.end_headers()

    work(telemetry.stored)
    telemetry.collector.answer = repeating
    telemetry.config_file.touch(0o600)

    message = telemetry.send(headers={"authorization": "Bearer token-of-mine"})

    assert "answered 401 unknown [hidden] [hidden];" in message


@pytest.mark.parametrize("control", ["\0", "\x1b[0m", "\u200b", "\u202e"])
def test_a_key_repeated_by_a_collector_in_two_halves_is_hidden(telemetry: Telemetry, control: str) -> None:
    work(telemetry.stored)
    telemetry.config_file.touch(0o600)
    telemetry.collector.answer = receiver.rejecting_with(f"no: token-{control}of-mine")
    message = telemetry.send(headers={"authorization": "Bearer token-of-mine"})
    assert message.endswith(": no: [hidden]")
