"""The page for teams: its tables name what is sent, and its queries return the figures in ClickHouse (chdb)."""

import json
import re
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from history.telemetry.metrics import COUNTED, PEAKS
from tests.history.telemetry.conftest import Telemetry
from tests.history.telemetry.receiver import Received
from tests.history.telemetry.stored import work

PAGE = (Path(__file__).parents[3] / "docs" / "team.md").read_text("utf-8")
EXPECTED: list[list[dict[str, Any]]] = [
    [
        {"level": "critical", "sessions": 1},
        {"level": "normal", "sessions": 2},
        {"level": "warning", "sessions": 2},
    ],
    [
        {"model": "claude-opus-5", "project": "alpha", "peak": 0.8},
        {"model": "claude-sonnet-5", "project": "beta", "peak": 0.75003},
    ],
    [{"compactions": 2, "seconds": 90.5}],
    [{"helped": 1}],
    [{"version": "2.1.197", "sessions": 1, "machines": 1}],
]


def test_the_table_has_a_row_for_each_metric_with_its_type_and_unit() -> None:
    counters = [metric for question in COUNTED for metric in question.metrics.values()]
    sent = {(metric.name, "counter", metric.unit) for metric in counters}
    sent |= {(metric.name, "gauge", metric.unit) for metric in PEAKS.metrics.values()}

    assert set(re.findall(r"^\| `(tidegauge[\w.]+)` \| (\w+) \| `([^`]+)` \|", PAGE, re.MULTILINE)) == sent


def insert(points: list[Received], *, is_counter: bool) -> str:
    rows = []
    for point in points:
        if point.is_counter == is_counter:
            row = {
                "ResourceAttributes": point.resource,
                "ServiceName": point.resource["service.name"],
                "MetricName": point.metric,
                "Attributes": point.attributes,
                "TimeUnix": datetime.fromtimestamp(point.at / 1e9, UTC).strftime("%Y-%m-%d %H:%M:%S.%f"),
                "Value": point.value,
            }
            rows.append(json.dumps(row))
    return f"INSERT INTO otel_metrics_{'sum' if is_counter else 'gauge'} FORMAT JSONEachRow {' '.join(rows)}"


def test_every_query_returns_the_stored_figures_even_if_received_twice(telemetry: Telemetry) -> None:
    reason = "ClickHouse isn't installed (.venv/bin/uv pip install --no-deps -r requirements/clickhouse.txt)"
    session = pytest.importorskip("chdb.session", reason=reason).Session()
    work(telemetry.stored)
    telemetry.send()
    *tables, view, sessions, peaks, compactions, helped, silent = re.findall(
        r"^```sql\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL
    )
    for statement in [one for text in (*tables, view) for one in text.split(";\n") if one.strip()]:
        session.query(statement)
    for _ in range(2):
        session.query(insert(telemetry.collector.points, is_counter=True))
        session.query(insert(telemetry.collector.points, is_counter=False))

    answers = [session.query(query, "JSON") for query in (sessions, peaks, compactions, helped, silent)]

    assert [json.loads(str(answer))["data"] for answer in answers] == EXPECTED
