import pytest

from monitor.pivot.patterns.clash import find
from shared.config import PivotPatterns
from tests.monitor.pivot.steps import Steps, told

SETTINGS = PivotPatterns()
BODY = "def total(order):\n    price = order.price\n    return price * order.count\n"


def test_an_edit_and_its_opposite_in_turns_are_found() -> None:
    steps = Steps(10)
    for number in range(5):
        steps.edit("x.py", *(("limit = 30", "limit = 60") if number % 2 else ("limit = 60", "limit = 30")))
    score, evidence = told(find(steps.log, SETTINGS))
    assert score == 1
    assert evidence[0] == ("4 edits undo what the session had written in the same lines", 4, (12, 15), ["x.py"])


def test_one_step_back_is_nothing() -> None:
    steps = Steps()
    steps.edit("x.py", "limit = 30", "limit = 60")
    steps.run("npm test", fails="FAILED")
    steps.edit("x.py", "limit = 60", "limit = 30")
    assert find(steps.log, SETTINGS) is None


def test_steps_back_in_several_files_add_up() -> None:
    steps = Steps()
    for path in ("x.py", "y.py"):
        steps.edit(path, "limit = 30", "limit = 60")
        steps.edit(path, "limit = 60", "limit = 30")
    assert find(steps.log, SETTINGS) is not None


def test_the_context_of_an_edit_does_not_hide_it() -> None:
    steps = Steps()
    steps.edit("x.py", f"{BODY}    # end", f"{BODY.replace('order.count', 'count')}    # end")
    steps.edit("x.py", "    return price * count", "    return price * order.count")
    steps.edit("x.py", f"    # start\n{BODY}", f"    # start\n{BODY.replace('order.count', 'count')}")
    assert find(steps.log, SETTINGS) is not None


def test_the_same_lines_in_other_files_are_nothing() -> None:
    steps = Steps()
    for number in range(6):
        old, new = ("limit = 30", "limit = 60") if number % 2 else ("limit = 60", "limit = 30")
        steps.edit(f"x{number}.py", old, new)
    assert find(steps.log, SETTINGS) is None


def test_a_passage_that_is_moved_is_nothing() -> None:
    steps = Steps()
    for number in range(4):
        passage = BODY.replace("total", f"total_{number}").replace("price", f"price_{number}")
        steps.edit("x.py", passage + "next", "next")
        steps.edit("x.py", "last", "last\n" + passage)
    assert find(steps.log, SETTINGS) is None


def test_a_line_to_debug_with_is_nothing_but_one_that_comes_back_is() -> None:
    steps = Steps()
    for line in ("print(one)", "print(two)", "print(three)"):
        steps.edit("x.py", "run()", f"run()\n{line}")
        steps.edit("x.py", f"run()\n{line}", "run()")
    assert find(steps.log, SETTINGS) is None
    for _ in range(3):
        steps.edit("x.py", "run()", "run()\nretry(3)")
        steps.edit("x.py", "run()\nretry(3)", "run()")
    assert find(steps.log, SETTINGS) is not None


@pytest.mark.parametrize(("versions", "is_found"), [(4, False), (5, True)])
def test_ever_new_versions_of_the_same_lines_are_found(versions: int, *, is_found: bool) -> None:
    steps = Steps()
    for number in range(versions):
        steps.edit("x.py", f"limit = {number}0", f"limit = {number + 1}0")
    finding = find(steps.log, SETTINGS)
    assert (finding is not None) is is_found
    if finding:
        assert (
            finding.evidence[0].text == "the same lines were written in 5 versions, each instead of the one before it"
        )


def test_edits_that_a_new_file_discards_are_found() -> None:
    steps = Steps()
    for number in range(2):
        steps.edit("x.py", "one", f"other {number}")
        steps.write("x.py", f"text {number}", discards=steps.log.turns)
    assert find(steps.log, SETTINGS) is not None


def test_a_file_that_is_written_back_and_forth_is_found() -> None:
    steps = Steps()
    for text in ("one", "other", "one", "other"):
        steps.write("x.py", text)
    assert find(steps.log, SETTINGS) is not None


def test_what_fails_undoes_nothing() -> None:
    steps = Steps()
    for number in range(6):
        old, new = ("limit = 30", "limit = 60") if number % 2 else ("limit = 60", "limit = 30")
        steps.edit("x.py", old, new, failed=number > 0)
    assert find(steps.log, SETTINGS) is None
