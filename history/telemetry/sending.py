"""Sending what the collector hasn't taken yet, in requests of bounded size and within bounded time."""

import os
import sqlite3
import time
import uuid
from collections.abc import Mapping
from hashlib import blake2b
from urllib.parse import urlsplit

from history.store import store
from history.telemetry.amounts import amounts
from history.telemetry.destination import Destination, DestinationError, destination
from history.telemetry.ledger import Ledger
from shared.settings.config import TelemetrySettings
from shared.text.quantities import counted

_CELLS = 1000
"""Hours of a series that one request holds: a few hundred kilobytes before compression."""


def send(
    opened: sqlite3.Connection,
    settings: TelemetrySettings,
    config_file: str,
    environ: Mapping[str, str] = os.environ,
    now: float | None = None,
) -> str:
    """Send what is new in the store; return one line with the result, or nothing if there was nothing to do.

    `config_file` has the settings; `now` is in epoch seconds. What could not be sent stays in the store for
    the next time. Raises only sqlite3.Error.
    """
    try:
        return _send(opened, destination(settings, config_file, environ), time.time() if now is None else now)
    except DestinationError as problem:
        return f"nothing is sent: {problem}"
    except ImportError:
        return "telemetry.endpoint is set, but the packages that send aren't installed: run `tidegauge install --otlp`"


def _send(opened: sqlite3.Connection, where: Destination, now: float) -> str:
    book = Ledger(opened, int(now))
    stored = amounts(opened, book.since)
    cells = sorted(cell for cell, amount in stored.items() if amount.value > book.sent.get(cell, 0))  # the oldest first
    if not cells:
        return ""
    for name in [name for name in os.environ if name.startswith("OTEL_")]:
        del os.environ[name]  # the SDK would read it, and only the person's file says where to send
    from history.telemetry import collector  # noqa: PLC0415  the extra may not be installed

    # A constant name for the store, which reveals nothing about the machine or the person.
    instance = str(uuid.UUID(bytes=blake2b(store.salt(opened), digest_size=16, person=b"telemetry").digest()))
    name, sent, remarks = urlsplit(where.endpoint).netloc, 0, []
    deadline = time.monotonic() + where.seconds
    for start in range(0, len(cells), _CELLS):
        points = book.points(cells[start : start + _CELLS], stored, int(now * 1e9))
        try:
            remarks.append(collector.deliver(points, instance, where, deadline - time.monotonic()))
        except collector.DeliveryError as problem:
            return f"{name}: {problem}; {counted(sent, 'point')} sent, the rest goes with the next sync"
        if not book.acknowledge():
            return f"{name}: another sync is sending the same"
        sent += len(points)
    return "; ".join([f"{name}: {counted(sent, 'point')} sent", *filter(None, remarks)])
