"""A person with a store and a collector."""

import json
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from history.telemetry.sending import send
from shared.settings.config import TelemetrySettings
from tests.history.telemetry.receiver import Receiver, receiver
from tests.history.telemetry.stored import NOW, Stored


class Telemetry:
    """The store, the collector, and a method that sends from one to the other."""

    def __init__(self, root: str, opened: ExitStack, collector: Receiver) -> None:
        self.root = root
        self.stored = Stored(root, opened)
        self.collector = collector
        self.config_file = Path(root) / "config" / "config.toml"

    def send(self, now: float = NOW, environ: dict[str, str] | None = None, **settings: object) -> str:
        chosen = {"endpoint": self.collector.endpoint, "timeout": 20.0} | settings
        return send(self.stored.rows, TelemetrySettings(**chosen), str(self.config_file), environ or {}, now)  # type: ignore[arg-type]  # by name


@pytest.fixture
def telemetry(tmp_path: Path) -> Iterator[Telemetry]:
    places = {name: str(tmp_path / name) for name in ("config", "log", "history")}
    (tmp_path / "directories.json").write_text(json.dumps(places))
    (tmp_path / "config").mkdir()
    with receiver() as collector, ExitStack() as opened:
        yield Telemetry(str(tmp_path), opened, collector)
