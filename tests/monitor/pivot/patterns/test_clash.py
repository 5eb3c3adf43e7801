import pytest

from monitor.pivot.patterns.clash import find
from tests.monitor.pivot.steps import Steps, facts_of

BODY = "def total(order):\n    price = order.price\n    return price * order.count\n"


def test_an_edit_and_its_opposite_in_turn_are_found() -> None:
    steps = Steps(10)
    for number in range(5):
        steps.edit("x.py", *(("limit = 30", "limit = 60") if number % 2 else ("limit = 60", "limit = 30")))
    score, evidence = facts_of(find(steps.log))
    text = "3 times the session went back on edits of its own, unasked"
    assert (score, evidence[0]) == (0.75, (text, 3, (13, 15), ["x.py"]))


@pytest.mark.parametrize(("edits", "is_found"), [(2, False), (3, False), (4, True)])
def test_an_abandoned_attempt_or_a_change_removed_and_restored_is_no_clash(edits: int, *, is_found: bool) -> None:
    steps = Steps()
    for number in range(edits):
        steps.edit("x.py", *(("limit = 30", "limit = 60") if number % 2 else ("limit = 60", "limit = 30")))
        steps.run("npm test", fails=f"FAILED {'abcd'[number]}")
    assert (find(steps.log) is not None) is is_found


def test_a_change_reverted_at_the_persons_request_is_no_clash() -> None:
    steps = Steps()
    for number in range(8):
        steps.asks()
        steps.edit("x.py", *(("limit = 30", "limit = 60") if number % 2 else ("limit = 60", "limit = 30")))
    assert find(steps.log) is None


def test_a_change_removed_for_a_separate_commit_is_no_clash() -> None:
    steps = Steps()
    for number in range(8):
        steps.edit("x.py", *(("limit = 30", "limit = 60") if number % 2 else ("limit = 60", "limit = 30")))
        steps.commit()
    assert find(steps.log) is None


def test_a_reverted_rename_in_many_places_is_one_attempt() -> None:
    steps = Steps()
    for old, new in (("get", "fetch"), ("fetch", "get")):
        for number in range(9):
            steps.edit("x.py", f"{old}_{number}()", f"{new}_{number}()")
    assert find(steps.log) is None


def test_abandoned_attempts_and_faults_added_to_try_the_tests_are_no_clash() -> None:
    steps = Steps()
    for path, value in (("x.py", 30), ("x.py", 40), ("y.py", 30), ("z.py", 30)):
        steps.edit(path, f"limit = {value}", f"limit = {value + 1}")
        steps.run("npm test", fails="FAILED")
        steps.edit(path, f"limit = {value + 1}", f"limit = {value}")
    assert find(steps.log) is None


@pytest.mark.parametrize(("times", "is_found"), [(1, False), (2, True)])
def test_text_written_removed_and_restored_repeatedly_is_found(times: int, *, is_found: bool) -> None:
    steps = Steps()
    steps.edit("x.py", "run()", "check()\nrun()")
    for _ in range(times):
        steps.edit("x.py", "check()\nrun()", "run()")
        steps.edit("x.py", "run()", "check()\nrun()")
    assert (find(steps.log) is not None) is is_found


def test_a_change_removed_from_several_files_and_restored_counts_once() -> None:
    steps = Steps()
    for old, new in (("one", "other"), ("other", "one"), ("one", "other")):
        for path in ("x.py", "y.py", "z.py"):
            steps.edit(path, old, new)
    assert find(steps.log) is None


def test_the_context_of_an_edit_does_not_hide_it() -> None:
    steps = Steps()
    for _ in range(2):
        steps.edit("x.py", f"{BODY}    # end", f"{BODY.replace('order.count', 'count')}    # end")
        steps.edit("x.py", "    return price * count", "    return price * order.count")
        steps.edit("x.py", f"    # start\n{BODY}", f"    # start\n{BODY.replace('order.count', 'count')}")
        steps.edit("x.py", "    return price * count", "    return price * order.count")
    assert find(steps.log) is not None


def test_the_same_lines_in_other_files_are_no_clash() -> None:
    steps = Steps()
    for number in range(6):
        old, new = ("limit = 30", "limit = 60") if number % 2 else ("limit = 60", "limit = 30")
        steps.edit(f"x{number}.py", old, new)
    assert find(steps.log) is None


def test_a_moved_passage_is_no_clash() -> None:
    steps = Steps()
    for number in range(4):
        passage = BODY.replace("total", f"total_{number}").replace("price", f"price_{number}")
        steps.edit("x.py", passage + "next", "next")
        steps.edit("x.py", "last", "last\n" + passage)
    assert find(steps.log) is None


def test_a_debugging_line_is_no_clash_unless_it_comes_back() -> None:
    steps = Steps()
    for line in ("print(one)", "print(two)", "print(three)"):
        steps.edit("x.py", "run()", f"run()\n{line}")
        steps.edit("x.py", f"run()\n{line}", "run()")
    assert find(steps.log) is None
    for _ in range(4):
        steps.edit("x.py", "run()", "run()\nretry(3)")
        steps.edit("x.py", "run()\nretry(3)", "run()")
    assert find(steps.log) is not None


def test_a_rewritten_file_that_keeps_the_edits_undoes_nothing() -> None:
    steps = Steps()
    for number in range(4):
        steps.edit("x.py", "one", f"other {number}")
        steps.write("x.py", f"text {number}")
    assert find(steps.log) is None


def test_a_file_that_is_written_back_and_forth_is_found() -> None:
    steps = Steps()
    for text in ("one", "other", "one", "other", "one"):
        steps.write("x.py", text)
    assert find(steps.log) is not None


def test_a_failed_edit_undoes_nothing() -> None:
    steps = Steps()
    for number in range(6):
        old, new = ("limit = 30", "limit = 60") if number % 2 else ("limit = 60", "limit = 30")
        steps.edit("x.py", old, new, failed=number > 0)
    assert find(steps.log) is None
