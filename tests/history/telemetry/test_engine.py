"""The figures in a real engine, and every panel of the dashboard asked there.

The engine is VictoriaMetrics as Debian packages it (`apt install victoria-metrics`), which is older than its own OTLP
endpoint. So the receiver hands the points on as the OpenTelemetry Collector's `prometheusremotewrite` does: its names,
its labels, its times.
"""

import json
import re
import shutil
import socket
import subprocess
import time
from collections.abc import Iterable, Iterator
from contextlib import closing, suppress
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest

from tests.history.telemetry.conftest import Telemetry
from tests.history.telemetry.receiver import Received
from tests.history.telemetry.stored import NOW, work

ENGINE = shutil.which("victoria-metrics")
DASHBOARD = Path(__file__).parents[3] / "docs" / "team-dashboard.json"
UNITS = {"s": "_seconds", "1": "_ratio"}  # units in braces are dropped
pytestmark = pytest.mark.skipif(ENGINE is None, reason="victoria-metrics isn't installed")


def imported(points: Iterable[Received]) -> bytes:
    """`points` as lines of Prometheus's text, in milliseconds."""
    lines = []
    for point in points:
        name = point.metric.replace(".", "_") + UNITS.get(point.unit, "") + "_total" * point.is_counter
        labels = point.attributes | {
            "job": point.resource["service.name"],
            "instance": point.resource["service.instance.id"],
        }
        pairs = ",".join(f"{label.replace('.', '_')}={json.dumps(value)}" for label, value in labels.items())
        lines.append(f"{name}{{{pairs}}} {point.value} {point.at // 10**6}\n")
    return "".join(lines).encode()


class Engine:
    def __init__(self, port: int) -> None:
        self.port = port

    def request(self, path: str, body: bytes | None = None) -> bytes:
        with closing(HTTPConnection("127.0.0.1", self.port, timeout=10)) as connection:
            connection.request("POST" if body else "GET", path, body)
            answer = connection.getresponse()
            text = answer.read()
            assert answer.status < 300, text
            return text

    def take(self, points: Iterable[Received]) -> None:
        self.request("/api/v1/import/prometheus", imported(points))
        self.request("/internal/force_flush")

    def ask(self, query: str, at: int) -> dict[tuple[str, ...], float]:
        """The values of an instant query, by their labels' values."""
        answer = json.loads(self.request("/api/v1/query?" + urlencode({"query": query, "time": at, "nocache": 1})))
        found: list[dict[str, Any]] = answer["data"]["result"]
        return {tuple(v for _, v in sorted(row["metric"].items())): float(row["value"][1]) for row in found}


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    options = {
        "httpListenAddr": f"127.0.0.1:{port}",
        "storageDataPath": str(tmp_path / "engine"),
        "retentionPeriod": "100y",
        "search.latencyOffset": "0",
        "loggerLevel": "ERROR",
    }
    with subprocess.Popen([str(ENGINE), *(f"-{name}={value}" for name, value in options.items())]) as process:
        try:
            made = Engine(port)
            for _ in range(200):
                with suppress(OSError):
                    made.request("/health")
                    break
                time.sleep(0.05)
            yield made
        finally:
            process.terminate()


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


def test_every_panel_shows_the_figures_that_were_stored(telemetry: Telemetry, engine: Engine) -> None:
    work(telemetry.made)
    telemetry.send()
    engine.take(telemetry.collector.points)
    shown = {}

    for panel in json.loads(DASHBOARD.read_text())["panels"]:
        (target,) = panel["targets"]
        query = re.sub(r"\$__(range|interval)", "7d", target["expr"]).replace("$model", ".*").replace("$project", ".*")
        shown[panel["title"]] = engine.ask(query, NOW + 60)

    assert shown == {title: pytest.approx(figures) for title, figures in EXPECTED.items()}


def test_every_metric_that_a_panel_asks_for_is_sent_and_every_one_sent_is_asked_for(telemetry: Telemetry) -> None:
    work(telemetry.made)
    telemetry.send()
    sent = {line.partition("{")[0] for line in imported(telemetry.collector.points).decode().splitlines()}

    asked = set(re.findall(r"tidegauge_context\w+", " ".join(re.findall(r'"expr": "(.*)"', DASHBOARD.read_text()))))

    without_a_panel = {"tidegauge_context_window", "tidegauge_context_level_ratio", "tidegauge_context_warnings_total"}
    assert sent - asked == without_a_panel
    assert asked - sent == set()
