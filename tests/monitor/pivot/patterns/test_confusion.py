import pytest

from monitor.pivot.patterns.confusion import find
from tests.monitor.pivot.steps import Steps, facts_of


def test_the_same_failing_command_is_found_with_its_turns() -> None:
    steps = Steps(40)
    for _ in range(4):
        steps.run("npm test", fails="Error: no such module")
        steps.run("git status")
    score, [(text, count, turns, files)] = facts_of(find(steps.log))
    assert (score, count, turns, files) == (0.667, 4, (41, 47), [])
    assert text == "the same command failed 4 times in a row, with nothing gained in between"


@pytest.mark.parametrize(("count", "is_found"), [(2, False), (3, True)])
def test_it_takes_several_failures(count: int, *, is_found: bool) -> None:
    steps = Steps()
    for _ in range(count):
        steps.run("npm test", fails="Error")
    assert (find(steps.log) is not None) is is_found


def test_a_success_ends_the_row() -> None:
    steps = Steps()
    for fails in ("Error", "Error", "", "Error", "Error"):
        steps.run("npm test", fails=fails)
    assert find(steps.log) is None


def test_test_driven_work_is_no_confusion() -> None:
    steps = Steps()
    for number in range(8):
        steps.edit("x.py", f"one {number}", f"other {number}")
        steps.run("npm test", fails="FAILED test_" + "abcdefgh"[number])
    assert find(steps.log) is None


def test_edits_that_change_nothing_in_the_failure_weigh_half() -> None:
    steps = Steps()
    for number in range(4):
        steps.edit("x.py", f"one {number}", f"other {number}")
        steps.run("npm test", fails=f"FAILED test_a in {number / 7:.2f} s")
    assert find(steps.log) is None
    steps.run("npm test", fails="FAILED test_a in 0.93 s")
    assert find(steps.log) is not None


def test_an_edit_that_fails_again_and_again_counts_like_a_command() -> None:
    steps = Steps()
    for _ in range(3):
        steps.edit("x.py", "not there", "other", failed=True)
    text, _, _, files = facts_of(find(steps.log))[1][0]
    assert text.startswith("the same call failed 3 times")
    assert files == ["x.py"]


def test_edits_of_one_file_that_fail_in_a_row_are_found() -> None:
    for is_helped in (False, True):
        steps = Steps()
        for number in range(4):
            steps.edit("x.py", f"one {number}", f"other {number}", failed=True)
            steps.read("x.py", part=f"{number}-9")
            if is_helped:
                steps.edit("x.py", f"third {number}", f"fourth {number}")
        evidence = facts_of(find(steps.log))[1]
        assert [each[0] for each in evidence] == ([] if is_helped else ["4 edits of one file failed in a row"])


def test_failed_edits_in_one_answer_count_once() -> None:
    steps = Steps()
    for number in range(4):
        steps.edit("x.py", f"one {number}", f"other {number}", failed=True)
        steps.same_turn()
    assert find(steps.log) is None


def test_a_command_that_finally_works_unaided_was_waited_for() -> None:
    for is_edited in (False, True):
        steps = Steps()
        for _ in range(4):
            steps.run("curl up", fails="refused")
        if is_edited:
            steps.edit("x.py", "one", "other")
        steps.run("curl up")
        assert (find(steps.log) is not None) is is_edited


def test_a_bisection_is_no_confusion() -> None:
    steps = Steps()
    for _ in range(6):
        steps.run("npm test", fails="Error")
        steps.run("git bisect bad")
        steps.commit()
    assert find(steps.log) is None


def test_a_command_run_after_other_work_or_that_waits_is_no_confusion() -> None:
    edited, waiting, other = Steps(), Steps(), Steps()
    for number in range(6):
        edited.run(f"npm test | tail -{number}")
        edited.edit("x.py", f"one {number}", f"other {number}")
        waiting.run("npm status | tail -1")
        other.run(f"npm test | tail -{number}")
        other.run(f"npm install {number}")
    assert [find(steps.log) for steps in (edited, waiting, other)] == [None, None, None]


@pytest.mark.parametrize(("reads", "is_found"), [(2, False), (3, True)])
def test_several_reads_of_missing_files_in_a_row_are_found(reads: int, *, is_found: bool) -> None:
    steps = Steps()
    for number in range(reads):
        steps.read(f"{number}.py", failed=True)
        steps.search("price")
    evidence = facts_of(find(steps.log))[1]
    assert [each[0] for each in evidence] == (["3 reads failed in a row"] if is_found else [])


def test_a_read_that_works_ends_the_row() -> None:
    steps = Steps()
    for number in range(4):
        steps.read(f"{number}.py", failed=True)
        steps.read("x.py")
    assert find(steps.log) is None


def test_an_environment_repaired_step_by_step_is_no_confusion() -> None:
    steps = Steps()
    for missing in ("toolchain", "postgres", "database", "permission"):
        steps.run("make test", fails=f"Error: no {missing}")
        steps.run(f"install {missing}")
    assert find(steps.log) is None


def test_an_empty_history_shows_nothing() -> None:
    assert find(Steps().log) is None


def test_different_failures_with_no_work_in_between_are_one_row() -> None:
    steps = Steps()
    for number in range(5):
        steps.run("npm test", fails=f"FAILED {'abcde'[number]}")
        steps.read(f"{number}.py")
    assert find(steps.log) is not None
