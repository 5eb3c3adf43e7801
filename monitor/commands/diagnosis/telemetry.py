"""Whether what a team is told can be sent, where the person has named an endpoint."""

import importlib.util
from collections.abc import Iterator

from history.telemetry.destination import DestinationError, destination
from monitor.commands.diagnosis.finding import CheckFinding, ok, warning
from monitor.commands.diagnosis.surroundings import Surroundings
from shared import paths, settings


def collector(place: Surroundings) -> Iterator[CheckFinding]:
    """The collector's address and headers, and the packages that send there; nothing is sent."""
    chosen = settings.load(place.root, place.environ, place.directory).config.telemetry
    if chosen.endpoint is None:
        return
    try:
        where = destination(chosen, paths.config_file(place.root), place.environ)
    except DestinationError as problem:
        yield warning(
            "collector", str(problem), "correct it in your config.toml (docs/team.md): until then nothing is sent"
        )
        return
    if importlib.util.find_spec("opentelemetry") is None:
        yield warning(
            "collector", "the packages that send the figures aren't installed", "run: tidegauge install --otlp"
        )
    else:
        yield ok("collector", f"{where.endpoint}, at each `tidegauge history sync`")
