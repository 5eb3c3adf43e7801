"""Points in the SDK's own records, as its exporter takes them."""

from collections.abc import Sequence

from opentelemetry.sdk.metrics import export as sdk
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.util.instrumentation import InstrumentationScope

from history.telemetry.points import Point

_CUMULATIVE = sdk.AggregationTemporality.CUMULATIVE


def of(points: Sequence[Point], instance: str) -> sdk.MetricsData:
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
    made = [sdk.NumberDataPoint(dict(p.attributes), p.started or 0, p.at, p.value) for p in points]
    if points[0].started is None:
        return sdk.Gauge(made)
    return sdk.Sum(made, _CUMULATIVE, is_monotonic=True)
