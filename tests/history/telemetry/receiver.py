"""A collector on loopback that decodes requests with the official protobufs, or misbehaves."""

import gzip
import ssl
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import NamedTuple

from opentelemetry.proto.collector.metrics.v1.metrics_service_pb2 import (
    ExportMetricsServiceRequest,
    ExportMetricsServiceResponse,
)
from opentelemetry.proto.common.v1.common_pb2 import KeyValue
from opentelemetry.proto.metrics.v1.metrics_pb2 import AggregationTemporality

Attributes = dict[str, str]
OTLP = "application/x-protobuf"


class Received(NamedTuple):
    """One data point."""

    metric: str
    unit: str
    attributes: Attributes
    value: float
    at: int
    """Epoch nanoseconds."""
    started: int
    is_counter: bool
    resource: Attributes


class Receiver:
    """The received points, and the way to answer requests."""

    def __init__(self) -> None:
        self.points: list[Received] = []
        self.requests: list[tuple[str, dict[str, str], bytes]] = []
        """Path, headers by their lower-case names, body as it came."""
        self.answer: Callable[[BaseHTTPRequestHandler], None] = good
        self.port = 0

    @property
    def endpoint(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def latest(self) -> dict[str, dict[tuple[str, ...], float]]:
        """The value with the latest time, by metric and by all attributes but the provider's."""
        metrics: dict[str, dict[tuple[str, ...], float]] = {}
        for point in sorted(self.points, key=lambda point: point.at):
            values = tuple(value for name, value in sorted(point.attributes.items()) if name != "gen_ai.provider.name")
            metrics.setdefault(point.metric, {})[values] = point.value
        return metrics


def good(handler: BaseHTTPRequestHandler) -> None:
    reply(handler, 200, ExportMetricsServiceResponse().SerializeToString())


def reply(handler: BaseHTTPRequestHandler, status: int, body: bytes, kind: str = OTLP) -> None:
    handler.send_response(status)
    handler.send_header("Content-Type", kind)
    handler.send_header("Content-Length", str(len(body)))
    handler.end_headers()
    handler.wfile.write(body)


def rejecting(handler: BaseHTTPRequestHandler) -> None:
    rejecting_with("too\x1b[2J old")(handler)


def rejecting_with(words: str, points: int = 2) -> Callable[[BaseHTTPRequestHandler], None]:
    answer = ExportMetricsServiceResponse()
    answer.partial_success.rejected_data_points = points
    answer.partial_success.error_message = words
    return lambda handler: reply(handler, 200, answer.SerializeToString())


def silent(handler: BaseHTTPRequestHandler) -> None:
    time.sleep(3)


def dripping(handler: BaseHTTPRequestHandler) -> None:
    handler.send_response(200)
    handler.send_header("Content-Length", "1000")
    handler.end_headers()
    for _ in range(30):
        handler.wfile.write(b"x")
        time.sleep(0.1)


def endless(handler: BaseHTTPRequestHandler) -> None:
    handler.send_response(200)
    handler.end_headers()
    for _ in range(200):
        handler.wfile.write(b"x" * 65536)


def no_http(handler: BaseHTTPRequestHandler) -> None:
    handler.wfile.write(b"\x00\xffwhat?\n\n")


def hanging_up(handler: BaseHTTPRequestHandler) -> None:
    handler.connection.close()


def with_status(status: int, body: bytes = b"", kind: str = OTLP) -> Callable[[BaseHTTPRequestHandler], None]:
    return lambda handler: reply(handler, status, body, kind)


def redirecting(to: str) -> Callable[[BaseHTTPRequestHandler], None]:
    def answer(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(307)
        handler.send_header("Location", to)
        handler.send_header("Content-Length", "0")
        handler.end_headers()

    return answer


@contextmanager
def receiver(certificate: Path | None = None) -> Iterator[Receiver]:
    """A receiver that listens during the block; with TLS if given a file with a key and its certificate."""
    collector = Receiver()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            collector.requests.append((self.path, {k.lower(): v for k, v in self.headers.items()}, body))
            collector.points += decoded(body)
            self.close_connection = True
            try:
                collector.answer(self)
            except OSError:
                pass  # who sent has had enough

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        collector.port = server.server_port
        if certificate:
            context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
            context.load_cert_chain(certificate)
            server.socket = context.wrap_socket(server.socket, server_side=True)
        thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
        thread.start()
        try:
            yield collector
        finally:
            server.shutdown()
            thread.join()


def decoded(body: bytes) -> Iterator[Received]:
    """The points of a request's compressed body."""
    request = ExportMetricsServiceRequest.FromString(gzip.decompress(body))
    for resource in request.resource_metrics:
        for scope in resource.scope_metrics:
            for metric in scope.metrics:
                data = metric.sum if metric.HasField("sum") else metric.gauge
                if metric.HasField("sum"):
                    cumulative = AggregationTemporality.AGGREGATION_TEMPORALITY_CUMULATIVE
                    assert metric.sum.is_monotonic
                    assert metric.sum.aggregation_temporality == cumulative
                for point in data.data_points:
                    yield Received(
                        metric.name,
                        metric.unit,
                        texts(point.attributes),
                        point.as_double if point.HasField("as_double") else point.as_int,
                        point.time_unix_nano,
                        point.start_time_unix_nano,
                        metric.HasField("sum"),
                        texts(resource.resource.attributes),
                    )


def texts(pairs: Iterable[KeyValue]) -> Attributes:
    return {pair.key: pair.value.string_value for pair in pairs}
