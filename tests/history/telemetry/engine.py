"""A real engine on loopback: VictoriaMetrics as Debian packages it (`apt install victoria-metrics`).

It has no OTLP endpoint yet, so it gets the points as the OpenTelemetry Collector's
`prometheusremotewrite` would send them: the same names, labels and times.
"""

import json
import os
import shutil
import socket
import subprocess
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from http.client import HTTPConnection
from typing import Any
from urllib.parse import urlencode

from tests.history.telemetry.receiver import Received

ENGINE = shutil.which("victoria-metrics")
UNITS = {"s": "_seconds", "1": "_ratio"}
"""Of the metrics' units, what becomes part of a name; those in braces are dropped."""


def name_of(point: Received) -> str:
    """The collector's name for the point's metric."""
    return point.metric.replace(".", "_") + UNITS.get(point.unit, "") + "_total" * point.is_counter


def labels_of(point: Received) -> dict[str, str]:
    labels = {name.replace(".", "_"): value for name, value in point.attributes.items()}
    return labels | {"job": point.resource["service.name"], "instance": point.resource["service.instance.id"]}


def imported(points: Iterable[Received]) -> bytes:
    """`points` as lines of Prometheus's text format, in milliseconds."""
    lines = []
    for point in points:
        pairs = ",".join(f"{label}={json.dumps(value)}" for label, value in labels_of(point).items())
        lines.append(f"{name_of(point)}{{{pairs}}} {point.value} {point.at // 10**6}\n")
    return "".join(lines).encode()


class Engine:
    """A running engine."""

    def __init__(self, port: int, directory: str) -> None:
        self.port, self._directory = port, directory

    def request(self, path: str, body: bytes | None = None, headers: Mapping[str, str] | None = None) -> bytes:
        with closing(HTTPConnection("127.0.0.1", self.port, timeout=10)) as connection:
            connection.request("POST" if body else "GET", path, body, headers or {})
            answer = connection.getresponse()
            text = answer.read()
            assert answer.status < 300, text
            return text

    def wait_for(self, path: str) -> None:
        """Return once the engine answers at `path`; it has 30 seconds."""
        for _ in range(600):
            with suppress(OSError, AssertionError):
                self.request(path)
                return
            time.sleep(0.05)
        raise AssertionError(f"no answer at {path}")

    def take(self, points: Iterable[Received]) -> None:
        self.request("/api/v1/import/prometheus", imported(points))
        self.request("/internal/force_flush")

    def ask(self, query: str, at: int) -> dict[tuple[str, ...], float]:
        """The results of an instant query, by their labels' values."""
        answer = json.loads(self.request("/api/v1/query?" + urlencode({"query": query, "time": at, "nocache": 1})))
        results: list[dict[str, Any]] = answer["data"]["result"]
        return {tuple(v for _, v in sorted(row["metric"].items())): float(row["value"][1]) for row in results}

    def bytes_on_disk(self) -> int:
        """The size of its files once writing has ended."""
        sizes = [-1]
        while len(sizes) < 3 or len(set(sizes[-3:])) > 1:
            time.sleep(2)
            paths = [os.path.join(where, name) for where, _, names in os.walk(self._directory) for name in names]
            sizes.append(sum(os.path.getsize(path) for path in paths if os.path.exists(path)))
        return sizes[-1]


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as free:
        return int(free.getsockname()[1])


@contextmanager
def engine(directory: str) -> Iterator[Engine]:
    """An engine with its files in `directory`, running during the block."""
    port = free_port()
    options = {
        "httpListenAddr": f"127.0.0.1:{port}",
        "storageDataPath": directory,
        "retentionPeriod": "100y",
        "search.latencyOffset": "0",
        "loggerLevel": "ERROR",
    }
    with subprocess.Popen([str(ENGINE), *(f"-{name}={value}" for name, value in options.items())]) as process:
        try:
            server = Engine(port, directory)
            server.wait_for("/health")
            yield server
        finally:
            process.terminate()
