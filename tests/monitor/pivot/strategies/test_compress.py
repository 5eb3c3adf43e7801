"""Compress: what to keep and what is stale."""

import re

import pytest

from monitor.pivot.strategies import carry_out
from tests.monitor.conftest import Carried
from tests.monitor.workshop import Workshop

LONG = "word " * 4_000
"""20,000 characters: about 5,000 tokens."""


def read(workshop: Workshop, name: str, output: str = LONG) -> None:
    workshop.call("Read", output=output, file_path=str(workshop.project / name))


def test_outdated_results_are_stale(workshop: Workshop, context: Carried) -> None:
    for name in ("src/app.py", "src/edited.py", "src/other.py"):
        read(workshop, name)
    workshop.edit("src/app.py")
    workshop.edit("src/edited.py")
    read(workshop, "src/app.py")

    outcome = carry_out("compress", context())

    assert outcome.files == ()
    assert re.search(r"- `src/app.py`, read again since: about 5,0\d\d tokens", outcome.text)
    assert re.search(r"- `src/edited.py`, read before it was edited: about 5,0\d\d tokens", outcome.text)
    assert "src/other.py" not in outcome.text
    assert re.search(r"^About 10,0\d\d tokens of tool results are stale \(an estimate", outcome.text, re.MULTILINE)


def test_the_output_of_commands_run_again_is_stale(workshop: Workshop, context: Carried) -> None:
    for _ in range(3):
        workshop.call("Bash", output=LONG, command="make test")

    text = carry_out("compress", context()).text

    assert re.search(r"- run again since: about 10,0\d\d tokens", text)


@pytest.mark.parametrize(("times", "is_stale"), [(1, False), (2, True)])
def test_a_failed_call_is_stale_once_repeated(
    workshop: Workshop, context: Carried, times: int, *, is_stale: bool
) -> None:
    for _ in range(times):
        workshop.bash("make test", code=1)

    text = carry_out("compress", context()).text

    assert ("- failed calls that were made again: about" in text) is is_stale


def test_the_focus_is_one_line_that_keeps_the_work(workshop: Workshop, context: Carried) -> None:
    workshop.call("TodoWrite", todos=[{"content": "Rename the helper", "status": "pending"}])
    read(workshop, "src/app.py")
    workshop.edit("src/app.py")
    workshop.bash("npm test", code=1)

    line = carry_out("compress", context()).text.splitlines()[0]

    assert line.startswith("/compact ")
    for part in (
        "Rename the helper",
        "src/app.py",
        "`npm test`",
        "Leave out what was read of src/app.py: it has changed since or was read again.",
    ):
        assert part in line


def test_the_five_largest_are_named(workshop: Workshop, context: Carried) -> None:
    for number in range(7):
        for _ in range(2):
            read(workshop, f"src/{number}.py", LONG * (number + 1))

    items = [line for line in carry_out("compress", context()).text.splitlines() if line.startswith("- ")]

    assert [item.partition(",")[0] for item in items] == [f"- `src/{number}.py`" for number in (6, 5, 4, 3, 2)]


def test_calls_before_a_compaction_do_not_count(workshop: Workshop, context: Carried) -> None:
    read(workshop, "src/app.py")
    read(workshop, "src/app.py")
    workshop.transcript.boundary()
    read(workshop, "src/other.py")

    outcome = carry_out("compress", context())

    assert "No result of a tool is known to be stale" in outcome.text


def test_a_path_cannot_steer_the_client(workshop: Workshop, context: Carried) -> None:
    read(workshop, "a\n/clear\x1b[2J<x>.py")
    workshop.edit("a\n/clear\x1b[2J<x>.py")

    text = carry_out("compress", context()).text

    assert "\n/clear" not in text
    assert "\x1b" not in text


def test_the_line_is_whole_however_much_there_is_to_say(workshop: Workshop, context: Carried) -> None:
    workshop.transcript.prompt("Add vouchers " + "to every part of the shop " * 60)
    todos = [{"content": f"Task {n} " + "of many words " * 20, "status": "pending"} for n in range(9)]
    workshop.call("TodoWrite", todos=todos)
    for number in range(9):
        name = f"src/{'deep/' * 20}{number}.py"
        read(workshop, name)
        workshop.edit(name)
        workshop.bash(f"pytest {name}", code=1)

    line = carry_out("compress", context()).text.splitlines()[0]

    assert len(line) <= 920
    assert line.startswith("/compact Keep the task, decisions with their reasons, and what comes next; asked: Add")
    assert line.endswith("it has changed since or was read again.")
