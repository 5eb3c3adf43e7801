"""The figures in a real engine, and every panel of the dashboard asked there."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.history.telemetry.conftest import Telemetry
from tests.history.telemetry.engine import ENGINE, Engine, engine, imported
from tests.history.telemetry.stored import NOW, work

DASHBOARD = Path(__file__).parents[3] / "docs" / "team-dashboard.json"


@pytest.fixture
def running(tmp_path: Path) -> Iterator[Engine]:
    if ENGINE is None:
        pytest.skip("victoria-metrics isn't installed")
    with engine(str(tmp_path / "engine")) as found:
        yield found


EXPECTED: dict[str, dict[tuple[str, ...], float]] = {
    "Sessions by level": {("normal",): 2, ("warning",): 2, ("critical",): 1},
    "Peak fill by model and project": {("claude-opus-5", "alpha"): 0.8, ("claude-sonnet-5", "beta"): 0.75003},
    "Nearest to the limit": {("claude-opus-5",): 7_000, ("claude-sonnet-5",): 16_994},
    "Peak fill over time": {("claude-opus-5", "alpha"): 160_000, ("claude-sonnet-5", "beta"): 150_006},
    "Compactions": {("auto",): 1, ("manual",): 1},
    "Time lost to compactions": {("alpha",): 90.5},
    "Facts lost in compactions": {(): 3},
    "Warnings that helped": {(): 1},
    "What followed warnings": {("warning", "saved"): 1},
    "Clients without the hook": {("2.1.197",): 1},
    "Machines that reported": {(): 1},
    "Machines without the hook": {(): 1},
}


def test_every_panel_shows_the_figures_that_were_stored(telemetry: Telemetry, running: Engine) -> None:
    work(telemetry.made)
    telemetry.send()
    running.take(telemetry.collector.points)
    shown = {}

    for panel in json.loads(DASHBOARD.read_text())["panels"]:
        (target,) = panel["targets"]
        query = re.sub(r"\$__(range|interval)", "7d", target["expr"]).replace("$model", ".*").replace("$project", ".*")
        shown[panel["title"]] = running.ask(query, NOW + 60)

    assert shown == {title: pytest.approx(figures) for title, figures in EXPECTED.items()}


def test_every_metric_that_a_panel_asks_for_is_sent_and_every_one_sent_is_asked_for(telemetry: Telemetry) -> None:
    work(telemetry.made)
    telemetry.send()
    sent = {line.partition("{")[0] for line in imported(telemetry.collector.points).decode().splitlines()}

    asked = set(re.findall(r"tidegauge_context\w+", " ".join(re.findall(r'"expr": "(.*)"', DASHBOARD.read_text()))))

    without_a_panel = {"tidegauge_context_window", "tidegauge_context_level_ratio", "tidegauge_context_warnings_total"}
    assert sent - asked == without_a_panel
    assert asked - sent == set()
