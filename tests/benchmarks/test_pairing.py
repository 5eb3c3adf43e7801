"""Cases take turns, each is warmed up, and an answer that isn't the expected one ends the measurement."""

import os
import sys

import pytest

from benchmarks.case import Case, Unexpected
from benchmarks.pairing import WARM_UP, Measured, measure

ENVIRONMENT = {"PATH": os.environ["PATH"]}


def case(name: str, turns: list[str], program: str, expected: bytes) -> Case:
    return Case(name, [sys.executable, "-I", "-c", program], ENVIRONMENT, b"{}", lambda: turns.append(name), expected)


def test_cases_take_turns() -> None:
    turns: list[str] = []
    echo = "import sys; print(sys.stdin.read())"
    measured = measure([case("a", turns, echo, b"{}"), case("b", turns, echo, b"{}")], rounds=2)

    assert turns[WARM_UP * 2 : WARM_UP * 2 + 4] == ["a", "b", "b", "a"]
    assert [len(measured[name].seconds) for name in ("a", "b")] == [2, 2]
    assert measured["a"].mebibytes > 1


@pytest.mark.parametrize(
    ("program", "expected"),
    [("print('told')", b""), ("pass", b"told"), ("print('told'); raise SystemExit(1)", b"told")],
    ids=["speaks when it should be silent", "is silent when it should speak", "fails"],
)
def test_an_unexpected_answer_is_no_measurement(program: str, expected: bytes) -> None:
    with pytest.raises(Unexpected, match="odd"):
        measure([case("odd", [], program, expected)], rounds=1)


def test_a_ratio_is_the_median_of_the_rounds() -> None:
    slow, fast = Measured("slow", [2.0, 9.0, 4.0], 0), Measured("fast", [1.0, 3.0, 1.0], 0)

    assert slow.ratio(fast) == 3
