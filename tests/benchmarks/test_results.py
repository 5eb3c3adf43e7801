"""The tables say what was measured and what wasn't."""

import pytest

from benchmarks import results
from benchmarks.groups import TARGETS, Group
from benchmarks.growth import Growth
from benchmarks.pairing import Measured


def group(seconds: dict[str, float]) -> Group:
    cases = {name: Measured(name, [time], 10.0) for name, time in seconds.items()}
    return Group("PostToolUse", next(iter(cases)), cases)


def grown(mean: float, peer_mean: float | None) -> list[Growth]:
    return [Growth(0.0, 100, 20, 5, mean, peer_mean), Growth(0.1, 100, 20, 5, 0.015, peer_mean)]


@pytest.mark.parametrize(("seconds", "verdict"), [(0.004, "reached"), (0.006, "**missed**")])
def test_a_target_is_reached_or_missed(seconds: float, verdict: str) -> None:
    times = {"python -I -S -c pass": 0.010, "quiet": seconds}
    tables = results.tables(results.record([group(times)], grown(2 * seconds, 0.03), rounds=1))

    assert f"| {TARGETS[0].name} | ≤ 0.5 | {seconds * 100:.2f} | {verdict} |" in tables
    assert f"| 0 ms late | 20 | 5 | {seconds * 2000:.1f} | ≤ 10 | {verdict} | 30.0 |" in tables
    assert "| 100 ms late | 20 | 5 | 15.0 | ≤ 15 | reached | 30.0 |" in tables


def test_without_the_peer_its_targets_are_not_measured() -> None:
    times = {"python -I -S -c pass": 0.010, "status line": 0.030}
    tables = results.tables(results.record([group(times)], grown(0.01, None), rounds=1))

    assert "| status line / GSD status line | ≤ 0.9 | not measured |  |" in tables
    assert "| 0 ms late | 20 | 5 | 10.0 | ≤ 10 | reached | not measured |" in tables
