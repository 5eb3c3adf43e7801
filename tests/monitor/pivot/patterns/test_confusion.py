import pytest

from monitor.pivot.patterns.confusion import find
from shared.config import PivotPatterns
from tests.monitor.pivot.steps import Steps, told

SETTINGS = PivotPatterns()


def test_the_same_failing_command_is_found_with_its_turns() -> None:
    steps = Steps(40)
    for _ in range(4):
        steps.run("npm test", fails="Error: no such module")
        steps.run("git status")
    score, [(text, count, turns, files)] = told(find(steps.log, SETTINGS))
    assert (score, count, turns, files) == (0.667, 4, (41, 47), [])
    assert text == "the same command failed 4 times in a row, with nothing gained in between"


@pytest.mark.parametrize(("count", "is_found"), [(2, False), (3, True)])
def test_it_takes_several_failures(count: int, *, is_found: bool) -> None:
    steps = Steps()
    for _ in range(count):
        steps.run("npm test", fails="Error")
    assert (find(steps.log, SETTINGS) is not None) is is_found


def test_a_success_ends_the_row() -> None:
    steps = Steps()
    for fails in ("Error", "Error", "", "Error", "Error"):
        steps.run("npm test", fails=fails)
    assert find(steps.log, SETTINGS) is None


def test_test_driven_work_is_nothing() -> None:
    steps = Steps()
    for number in range(8):
        steps.edit("x.py", f"one {number}", f"other {number}")
        steps.run("npm test", fails="FAILED test_" + "abcdefgh"[number])
    assert find(steps.log, SETTINGS) is None


def test_edits_that_change_nothing_in_the_failure_weigh_half() -> None:
    steps = Steps()
    for number in range(4):
        steps.edit("x.py", f"one {number}", f"other {number}")
        steps.run("npm test", fails=f"FAILED test_a in {number / 7:.2f} s")
    assert find(steps.log, SETTINGS) is None
    steps.run("npm test", fails="FAILED test_a in 0.93 s")
    assert find(steps.log, SETTINGS) is not None


def test_an_edit_that_fails_again_and_again_counts_like_a_command() -> None:
    steps = Steps()
    for _ in range(3):
        steps.edit("x.py", "not there", "other", failed=True)
    [(text, _, _, files)] = told(find(steps.log, SETTINGS))[1]
    assert text.startswith("the same call failed 3 times")
    assert files == ["x.py"]


def test_the_same_file_read_again_and_again_is_found() -> None:
    steps = Steps()
    for _ in range(5):
        steps.read("x.py")
        steps.talk()
    score, [(text, count, turns, files)] = told(find(steps.log, SETTINGS))
    assert (score, count, turns, files) == (0.625, 5, (1, 9), ["x.py"])
    assert text == "the same part of a file was read 5 times, without an edit of it in between"


@pytest.mark.parametrize(("count", "is_found"), [(3, False), (4, True)])
def test_it_takes_several_reads(count: int, *, is_found: bool) -> None:
    steps = Steps()
    for _ in range(count):
        steps.read("x.py")
    assert (find(steps.log, SETTINGS) is not None) is is_found


def test_an_edit_of_the_file_ends_the_row_and_one_of_another_does_not() -> None:
    for path, is_found in (("x.py", False), ("y.py", True)):
        steps = Steps()
        for number in range(4):
            steps.read("x.py")
            steps.edit(path, f"one {number}", f"other {number}")
        assert (find(steps.log, SETTINGS) is not None) is is_found


def test_reads_far_apart_are_nothing() -> None:
    steps = Steps()
    for _ in range(6):
        steps.read("x.py")
        steps.talk(6)
    assert find(steps.log, SETTINGS) is None


def test_paging_through_a_file_is_nothing() -> None:
    steps = Steps()
    for number in range(9):
        steps.read("x.py", part=f"{number}00")
    assert find(steps.log, SETTINGS) is None


def test_a_log_that_commands_make_longer_is_nothing() -> None:
    steps = Steps()
    for number in range(8):
        steps.run("make build")
        steps.read("build.log", said=f"{number} lines")
    assert find(steps.log, SETTINGS) is None


def test_most_calls_failing_is_a_sign_of_its_own() -> None:
    steps = Steps()
    for number in range(12):
        steps.run(f"./fix --step {'abcdefghijkl'[number]}", fails="Error")
    assert told(find(steps.log, SETTINGS))[1][0][0] == "12 of the last 12 calls failed"


def test_an_empty_history_shows_nothing() -> None:
    assert find(Steps().log, SETTINGS) is None
