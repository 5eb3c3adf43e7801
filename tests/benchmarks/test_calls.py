"""Our processes stay within their budgets of files, calls, locks, renames and opened files."""

import pytest

from benchmarks import calls
from benchmarks.calls import Count

pytestmark = pytest.mark.any_python


@pytest.fixture(scope="module")
def counts() -> dict[str, Count]:
    return {name: calls.count_of(*row) for name, row in calls.ROWS.items()}


@pytest.mark.parametrize(
    ("name", "files", "most_calls", "locks", "renames"),
    [
        ("tool use, quiet", 25, 250, 0, 1),
        ("tool use, WARNING", 37, 390, 1, 1),
        ("tool use, CRITICAL again", 38, 420, 1, 1),
        ("status line", 39, 400, 0, 2),
    ],
)
def test_a_process_keeps_to_its_budget(
    *, counts: dict[str, Count], name: str, files: int, most_calls: int, locks: int, renames: int
) -> None:
    count = counts[name]

    assert 20 < len(count.files) <= files
    assert 200 < count.calls <= most_calls
    assert (count.locks, count.renames) == (locks, renames)


def test_each_row_measures_what_it_says(counts: dict[str, Count]) -> None:
    assert counts["tool use, quiet"].answer == ""
    assert "CONTEXT WINDOW WARNING" in counts["tool use, WARNING"].answer
    assert "CONTEXT WINDOW CRITICAL" in counts["tool use, CRITICAL, with its checkpoint"].answer
    assert "CONTEXT WINDOW CRITICAL" in counts["tool use, CRITICAL again"].answer
    assert "30%" in counts["status line"].answer


def test_a_tool_use_opens_its_transcript_once(counts: dict[str, Count]) -> None:
    tool_uses = ("tool use, quiet", "tool use, WARNING", "tool use, CRITICAL again")
    assert {counts[name].opened for name in tool_uses} == {1}


def test_a_row_can_be_listed_by_file_and_function(counts: dict[str, Count]) -> None:
    lines = calls.listed(counts["tool use, quiet"])

    assert len(lines) == len(counts["tool use, quiet"].files)
    assert "     1  monitor/dispatch.py: main 1" in lines
    assert sum(int(line.split()[0]) for line in lines) == counts["tool use, quiet"].calls
