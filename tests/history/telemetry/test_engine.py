"""The figures in real engines, queried by every panel of the dashboard."""

import json
import re
from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from shared.gauge.levels import Level
from tests.history.telemetry.conftest import Telemetry
from tests.history.telemetry.engine import ENGINE, Engine, engine, imported
from tests.history.telemetry.prometheus import PROMETHEUS, prometheus
from tests.history.telemetry.stored import NOW, work

DASHBOARD = Path(__file__).parents[3] / "docs" / "team-dashboard.json"


def victoria_metrics(directory: Path) -> AbstractContextManager[Engine]:
    return engine(str(directory))


ENGINES = {"victoria-metrics": (ENGINE, victoria_metrics), "prometheus": (PROMETHEUS, prometheus)}


@pytest.fixture(params=ENGINES)
def running(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Engine]:
    program, start = ENGINES[request.param]
    if program is None:
        pytest.skip(f"{request.param} isn't installed")
    with start(tmp_path / "engine") as result:
        yield result


def panels_of(running: Engine, span: str, at: int) -> dict[str, dict[tuple[str, ...], float]]:
    """Each panel's figures for the `span` before `at`, in epoch seconds."""
    panels = {}
    for panel in json.loads(DASHBOARD.read_text())["panels"]:
        (target,) = panel["targets"]
        query = re.sub(r"\$__(range|interval)", span, target["expr"]).replace("$model", ".*").replace("$project", ".*")
        panels[panel["title"]] = running.ask(query, at)
    return panels


EXPECTED: dict[str, dict[tuple[str, ...], float]] = {
    "Sessions by level": {
        (level.name.lower(),): 2 if level <= Level.WARNING else 1 for level in Level if level <= Level.CRITICAL
    },
    "Peak fill by model and project": {("claude-opus-5", "alpha"): 0.8, ("claude-sonnet-5", "beta"): 0.75003},
    "Nearest to the limit": {("claude-opus-5",): 7_000, ("claude-sonnet-5",): 16_994},
    "Peak fill over time": {("claude-opus-5", "alpha"): 160_000, ("claude-sonnet-5", "beta"): 150_006},
    "Compactions": {("auto",): 1, ("manual",): 1},
    "Time lost to compactions": {("alpha",): 90.5},
    "Warnings that helped": {(): 1},
    "What followed warnings": {("warning", "saved"): 1},
    "Clients without the hook": {("2.1.197",): 1},
    "Machines that reported": {(): 1},
    "Machines without the hook": {(): 1},
}


def test_every_panel_shows_the_stored_figures(telemetry: Telemetry, running: Engine) -> None:
    work(telemetry.stored)
    telemetry.send()
    running.take(telemetry.collector.points)

    panels = panels_of(running, "7d", NOW + 60)

    assert panels == {title: pytest.approx(figures) for title, figures in EXPECTED.items()}


def test_a_panel_counts_only_what_was_added_in_its_range(telemetry: Telemetry, running: Engine) -> None:
    work(telemetry.stored)
    telemetry.send()
    again = telemetry.stored.session("/home/jane/alpha")
    for _ in range(2):
        telemetry.stored.compaction(again, NOW + 600, 60_000)
    telemetry.send(now=NOW + 900)
    running.take(telemetry.collector.points)

    panels = panels_of(running, "10m", NOW + 960)

    assert panels["Compactions"] == {("auto",): 2}
    assert panels["Time lost to compactions"] == {("alpha",): 120}


def test_sessions_that_were_read_late_are_counted(telemetry: Telemetry, running: Engine) -> None:
    """A machine that was offline sends hours before those that others have sent."""
    work(telemetry.stored)
    telemetry.send()
    running.take(telemetry.collector.points)
    late = [
        point._replace(at=point.at - 20 * 86_400 * 10**9, resource=point.resource | {"service.instance.id": "late"})
        for point in telemetry.collector.points
    ]

    running.take(late)

    assert panels_of(running, "30d", NOW + 60)["Machines that reported"] == {(): 2}
    assert panels_of(running, "30d", NOW + 60)["Sessions by level"] == {
        level: 2 * count for level, count in EXPECTED["Sessions by level"].items()
    }


def test_panels_and_sent_metrics_match(telemetry: Telemetry) -> None:
    work(telemetry.stored)
    telemetry.send()
    sent = {line.partition("{")[0] for line in imported(telemetry.collector.points).decode().splitlines()}

    asked = set(re.findall(r"tidegauge_context\w+", " ".join(re.findall(r'"expr": "(.*)"', DASHBOARD.read_text()))))

    without_a_panel = {"tidegauge_context_window", "tidegauge_context_level_ratio", "tidegauge_context_warnings_total"}
    assert sent - asked == without_a_panel
    assert asked - sent == set()
