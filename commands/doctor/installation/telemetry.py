"""Whether telemetry can be sent, where the person has named an endpoint."""

import importlib.util
from collections.abc import Iterator

from commands.doctor.finding import CheckFinding, ok, warning
from commands.environment.environment import Environment
from history.telemetry.destination import DestinationError, destination
from shared import paths


def collector(environment: Environment) -> Iterator[CheckFinding]:
    """The collector's address and headers, and the packages that send there; nothing is sent."""
    chosen = environment.configuration.config.telemetry
    if chosen.endpoint is None:
        return
    try:
        where = destination(chosen, paths.config_file(environment.root), environment.environ)
    except DestinationError as problem:
        remedy = "correct it in your config.toml (docs/team.md): until then nothing is sent"
        yield warning("collector", str(problem), remedy)
        return
    if importlib.util.find_spec("opentelemetry") is None:
        text = "the packages that send the figures aren't installed"
        yield warning("collector", text, "run: tidegauge install --otlp")
    else:
        yield ok("collector", f"{where.endpoint}, at each `tidegauge history sync`")
