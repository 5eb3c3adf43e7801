"""A real Prometheus on loopback, as Debian packages it (`apt install prometheus`).

It has no OTLP endpoint yet, so it gets the points by remote write, as the OpenTelemetry Collector's
`prometheusremotewrite` would send them; it accepts late ones, as docs/team.md tells people to configure it.
"""

import shutil
import struct
import subprocess
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.history.telemetry.engine import Engine, free_port, labels_of, name_of
from tests.history.telemetry.receiver import Received

PROMETHEUS = shutil.which("prometheus")
SETTINGS = "storage: {tsdb: {out_of_order_time_window: 30d}}\n"
HEADERS = {
    "Content-Encoding": "snappy",
    "Content-Type": "application/x-protobuf",
    "X-Prometheus-Remote-Write-Version": "0.1.0",
}


class Prometheus(Engine):
    """A running Prometheus."""

    def take(self, points: Iterable[Received]) -> None:
        self.request("/api/v1/write", stored_snappy(write_request(points)), HEADERS)


@contextmanager
def prometheus(directory: Path) -> Iterator[Prometheus]:
    """A Prometheus with its files in `directory`, running during the block."""
    directory.mkdir()
    settings = directory / "prometheus.yml"
    settings.write_text(SETTINGS)
    port = free_port()
    options = {
        "config.file": settings,
        "storage.tsdb.path": directory / "data",
        "web.listen-address": f"127.0.0.1:{port}",
        "log.level": "error",
    }
    command = [str(PROMETHEUS), *(f"--{name}={value}" for name, value in options.items())]
    with subprocess.Popen([*command, "--web.enable-remote-write-receiver"]) as process:
        try:
            result = Prometheus(port, str(directory))
            result.wait_for("/-/ready")
            yield result
        finally:
            process.terminate()


def write_request(points: Iterable[Received]) -> bytes:
    """The protocol's message: each series with its labels and its samples in order of time."""
    series: dict[tuple[tuple[str, str], ...], list[Received]] = {}
    for point in points:
        labels = labels_of(point) | {"__name__": name_of(point)}
        series.setdefault(tuple(sorted(labels.items())), []).append(point)
    message = b""
    for key, samples in series.items():
        body = b"".join(field(1, field(1, name.encode()) + field(2, value.encode())) for name, value in key)
        for point in sorted(samples, key=lambda point: point.at):
            body += field(2, b"\x09" + struct.pack("<d", point.value) + b"\x10" + varint(point.at // 10**6))
        message += field(1, body)
    return message


def field(number: int, data: bytes) -> bytes:
    """A field of a protobuf message with bytes, a text or a message in it."""
    return varint(number << 3 | 2) + varint(len(data)) + data


def varint(number: int) -> bytes:
    groups = []
    while number > 0x7F:
        groups.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes([*groups, number])


def stored_snappy(data: bytes) -> bytes:
    """`data` in Snappy's format, uncompressed: its length, then literals of at most 64 kB."""
    parts = [data[start : start + 0x10000] for start in range(0, len(data), 0x10000)]
    return varint(len(data)) + b"".join(b"\xf4" + struct.pack("<H", len(part) - 1) + part for part in parts)
