"""The collector: the only place that uses a network, and only if the person's own file names one (SECURITY.md)."""

import logging  # noqa: TID251  the SDK logs with stack traces; no hot path loads this
import threading
from typing import Any, NoReturn

import requests  # noqa: TID251  the network that the person switched on: the exporter sends through this
import urllib3
from google.protobuf.message import DecodeError
from opentelemetry.exporter.otlp.proto.http import Compression
from opentelemetry.exporter.otlp.proto.http.metric_exporter import OTLPMetricExporter
from opentelemetry.proto.collector.metrics.v1.metrics_service_pb2 import ExportMetricsServiceResponse
from opentelemetry.sdk.metrics import export as sdk
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.util.instrumentation import InstrumentationScope

from history.telemetry.destination import Destination
from history.telemetry.ledger import Point
from shared.text.plain import plain
from shared.text.quantities import counted

_ANSWER_BYTES = 1 << 16
_OTLP = "application/x-protobuf"
for _logger in map(logging.getLogger, ("opentelemetry", "urllib3")):  # we report what went wrong, once
    _logger.addHandler(logging.NullHandler())
    _logger.propagate = False


class DeliveryError(Exception):
    """Why the collector hasn't taken what was sent: a few words."""


def deliver(points: list[Point], instance: str, where: Destination, seconds: float) -> str:
    """Send `points` of this installation's store, called `instance`; return the collector's remark, or nothing.

    Raises DeliveryError, after at most `seconds`. The points may have arrived anyway.
    """
    if seconds <= 0:
        raise DeliveryError("there is no time left")
    session = _Session(where)
    exporter = OTLPMetricExporter(
        endpoint=where.endpoint,
        headers=where.headers,
        certificate_file=where.certificate,
        timeout=seconds,
        compression=Compression.Gzip,
        session=session,
    )
    results: list[sdk.MetricExportResult] = []
    work = threading.Thread(target=lambda: results.append(exporter.export(_message(points, instance))), daemon=True)
    work.start()
    # Each byte of an answer may take as long as the whole: the SDK's time-out doesn't end a slow drip.
    work.join(seconds)
    if results != [sdk.MetricExportResult.SUCCESS]:
        raise DeliveryError(session.problem or f"no answer within {where.seconds:g} s")
    return session.remark


def _message(points: list[Point], instance: str) -> sdk.MetricsData:
    """One message with all of `points`, from the store that is called `instance`.

    They are made here and not by the SDK's instruments, which only know the present time. The resource is also made by
    hand: the SDK's would add what it finds out about the machine.
    """
    kinds = dict.fromkeys(point.metric for point in points)
    metrics = [
        sdk.Metric(kind.name, kind.description, kind.unit, _data([point for point in points if point.metric == kind]))
        for kind in kinds
    ]
    resource = Resource({"service.name": "tidegauge", "service.instance.id": instance})
    scope = sdk.ScopeMetrics(InstrumentationScope("tidegauge"), metrics, "")
    return sdk.MetricsData([sdk.ResourceMetrics(resource, [scope], "")])


def _data(points: list[Point]) -> sdk.Sum | sdk.Gauge:
    numbers = [sdk.NumberDataPoint(dict(p.attributes), p.started or 0, p.at, p.value) for p in points]
    if points[0].started is None:
        return sdk.Gauge(numbers)
    return sdk.Sum(numbers, sdk.AggregationTemporality.CUMULATIVE, is_monotonic=True)


class _Session(requests.Session):
    """A session that ignores the environment, follows no redirect, and accepts only OTLP answers.

    The exporter treats a redirect as a success, retries by itself, and never reads an answer. Here the store is
    the spool: the next sync tries again.
    """

    def __init__(self, where: Destination) -> None:
        super().__init__()
        self._where = where
        self.trust_env = False  # no proxy, no .netrc, no certificates from elsewhere
        self.problem = ""
        self.remark = ""

    def request(self, method: str, url: str, **options: Any) -> requests.Response:  # type: ignore[override]  # the exporter names them all
        options |= {"allow_redirects": False, "stream": True}
        try:
            response = super().request(method, url, **options)
            with response:
                answer = response.raw.read(_ANSWER_BYTES, decode_content=True)
        except requests.Timeout:
            self._refuse("")
        except (OSError, urllib3.exceptions.HTTPError) as problem:  # requests' own are OSErrors
            self._refuse(_system_message(problem))
        if not 200 <= response.status_code < 300:
            self._refuse(f"answered {response.status_code} {self._quoted(response.reason or '', 60)}".rstrip())
        if answer:
            self._check_answer(answer, response.headers.get("Content-Type", ""))
        return response

    def _check_answer(self, answer: bytes, kind: str) -> None:
        if not kind.startswith(_OTLP):
            self._refuse(f"its answer isn't OTLP but {self._quoted(kind, 60) or 'of no type'}")
        try:
            partial = ExportMetricsServiceResponse.FromString(answer).partial_success
        except DecodeError:
            self._refuse("its answer isn't OTLP")
        if partial.rejected_data_points > 0:  # which ones it doesn't say, and the protocol forbids sending them again
            why = self._quoted(partial.error_message, 200)
            self.remark = f"it rejected {counted(partial.rejected_data_points, 'point')}: {why}"

    def _quoted(self, words: str, most: int) -> str:
        """The collector's own words, cut to `most` characters.

        What could control a terminal is removed first: it could split a secret, which would be whole again without it.
        """
        return plain(self._where.without_secrets(plain(words, len(words))), most)

    def _refuse(self, problem: str) -> NoReturn:
        self.problem = problem
        raise DeliveryError(problem)  # not a connection error to the exporter, which would retry at once


def _system_message(problem: BaseException) -> str:
    """The system's words for what went wrong, which requests wraps four times."""
    inner: BaseException | None = problem
    while inner is not None:
        if isinstance(inner, OSError) and inner.strerror:
            return inner.strerror
        inner = inner.__cause__ or inner.__context__
    return f"no answer of HTTP's ({type(problem).__name__})"
