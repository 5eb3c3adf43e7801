"""`python -m benchmarks.telemetry`: measure a day's data from machines to a collector, and its size in an engine.

Several machines work a day, each with its own store, and sync every hour to a receiver on loopback. If VictoriaMetrics
(Debian's `victoria-metrics`) is installed, their data is stored as that of a thousand machines, and the engine's files
are measured once they are merged.
"""

import argparse
import json
import os
import random
import sys
import tempfile
from contextlib import ExitStack
from typing import NamedTuple

from history.telemetry.sending import send
from shared.gauge.levels import Level
from shared.settings.config import TelemetrySettings
from tests.history.telemetry.engine import ENGINE, engine
from tests.history.telemetry.receiver import Received, receiver
from tests.history.telemetry.stored import HOUR, Stored

HOURS, SESSIONS, ANSWERS = 8, 12, 60
MODELS = ("claude-opus-5", "claude-sonnet-5")
PROJECTS = ("web", "service", "infrastructure", "documentation")


class Day(NamedTuple):
    """The data that one machine sent."""

    requests: int
    wire: int
    """Bytes of the requests' bodies, compressed."""
    points: list[Received]


def main(arguments: list[str]) -> int:
    """Measure, and print the results."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.telemetry", description=__doc__)
    parser.add_argument("--distinct", type=int, default=20, help="machines that really work (default: 20)")
    parser.add_argument("--machines", type=int, default=1000, help="machines that the engine hears of (default: 1000)")
    parser.add_argument("--days", type=int, default=7, help="days that the engine hears of (default: 7)")
    options = parser.parse_args(arguments)
    days = [_day(number) for number in range(options.distinct)]
    for name, unit, figures in (
        ("requests", "", [day.requests for day in days]),
        ("on the wire", "B", [day.wire for day in days]),
        ("points", "", [len(day.points) for day in days]),
        ("series", "", [len(_series(day.points)) for day in days]),
    ):
        mean = sum(figures) / len(figures)
        print(f"{name:<12} {mean:>10,.0f} {unit:<2} a machine and day, {mean * options.machines:>14,.0f} {unit} in all")
    if ENGINE is None:
        print("victoria-metrics isn't installed: what an engine holds was not measured")
        return 0
    for number in sorted({1, options.days}):
        size, points = _disk_use(days, options.machines, number)
        print(f"{'held':<12} {size:>10,} B of {points:,} points: {options.machines:,} machines, {number} days")
    return 0


def _day(number: int) -> Day:
    """One machine's day: each session grows until it is compacted, and is warned on the way."""
    chance = random.Random(number)  # noqa: S311  no secret
    start = HOUR - HOURS * 3600
    with tempfile.TemporaryDirectory() as root, receiver() as collector, ExitStack() as opened:
        with open(os.path.join(root, "directories.json"), "w", encoding="utf-8") as file:
            json.dump({name: os.path.join(root, name) for name in ("config", "log", "history")}, file)
        stored = Stored(root, opened)
        planned = [(start + number * HOURS * 3600 // SESSIONS, chance.choice(MODELS)) for number in range(SESSIONS)]
        settings = TelemetrySettings(endpoint=collector.endpoint)
        events = sorted(event for begin, model in planned for event in _answers(begin, model, chance))
        cycles: dict[int, int] = {}
        for hour in range(HOURS + 1):
            until = start + (hour + 1) * 3600
            for event in [event for event in events if until - 3600 <= event[0] < until]:
                begin = event[1]
                if begin not in cycles:
                    cycles[begin] = stored.session(f"/projects/{chance.choice(PROJECTS)}")
                _answer(stored, cycles[begin], event, chance)
            send(stored.rows, settings, "", {}, until)
        return Day(len(collector.requests), sum(len(body) for *_, body in collector.requests), collector.points)


def _answers(begin: int, model: str, chance: random.Random) -> list[tuple[int, int, str, int]]:
    """The time, session, model and fill of a session's answers, about a minute apart."""
    fill, result = 20_000, []
    for number in range(ANSWERS):
        fill += chance.randint(300, 6_000)
        result.append((begin + number * 60 + chance.randint(0, 40), begin, model, min(fill, 166_000)))
    return result


def _answer(stored: Stored, cycle: int, event: tuple[int, int, str, int], chance: random.Random) -> None:
    at, _, model, fill = event
    level = Level(sum(fill >= bound for bound in (130_000, 150_000, 160_000)))
    stored.call(cycle, at, fill, level, model=model)
    if level and chance.random() < 0.1:
        stored.warning(cycle, at, level, chance.choice((0, 1, 2, 3)))
    if level is Level.EXHAUSTED and chance.random() < 0.1:
        stored.compaction(cycle, at, chance.randint(68_000, 177_000))


def _series(points: list[Received]) -> set[tuple[object, ...]]:
    return {(point.metric, *sorted(point.attributes.items())) for point in points}


def _disk_use(days: list[Day], machines: int, number: int) -> tuple[int, int]:
    """Bytes that the engine's files take after `number` days, and the points in them."""
    with tempfile.TemporaryDirectory() as directory, engine(directory) as running:
        count = 0
        for day in range(number):
            for machine in range(machines):
                points = [_of(point, machine, number - 1 - day) for point in days[(machine + day) % len(days)].points]
                running.take(points)
                count += len(points)
        running.request("/internal/force_merge")
        return running.bytes_on_disk(), count


def _of(point: Received, machine: int, days_ago: int) -> Received:
    resource = point.resource | {"service.instance.id": f"00000000-0000-0000-0000-{machine:012d}"}
    return point._replace(resource=resource, at=point.at - days_ago * 86_400 * 10**9)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
