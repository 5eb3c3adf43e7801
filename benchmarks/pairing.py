"""Cases measured in turn: A B A B, so that disturbances of the machine affect all of them."""

import statistics
from typing import NamedTuple

from benchmarks.case import Case
from benchmarks.process import peak, run

WARM_UP = 3
PEAKS = 3


class Measured(NamedTuple):
    """All runs of one case, in the order of the rounds."""

    name: str
    seconds: list[float]
    mebibytes: float
    """The highest peak memory of a few runs."""

    @property
    def median(self) -> float:
        return statistics.median(self.seconds)

    def ratio(self, other: "Measured") -> float:
        """The median over the rounds of this case's time divided by the other's."""
        return statistics.median(a / b for a, b in zip(self.seconds, other.seconds, strict=True))


def measure(cases: list[Case], rounds: int) -> dict[str, Measured]:
    """Run every case once in each round. Raises Unexpected."""
    for _ in range(WARM_UP):
        for case in cases:
            run(case)
    seconds: dict[str, list[float]] = {case.name: [] for case in cases}
    for number in range(rounds):
        # Every other round backwards: no case always follows the same one.
        for case in cases if number % 2 == 0 else reversed(cases):
            seconds[case.name].append(run(case).seconds)
    peaks = {case.name: max(peak(case) for _ in range(PEAKS)) for case in cases}
    return {name: Measured(name, seconds[name], peaks[name]) for name in seconds}
