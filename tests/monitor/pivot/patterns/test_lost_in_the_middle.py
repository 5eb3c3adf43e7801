import pytest

from monitor.pivot.patterns.lost_in_the_middle import find
from shared.config import PivotPatterns
from tests.monitor.pivot.steps import Steps, told

SETTINGS = PivotPatterns()


def begun(*paths: str, gap: int = 30) -> Steps:
    """A session that has begun with these files, and has done other things since."""
    steps = Steps()
    for path in paths or ("a.py", "b.py", "c.py"):
        steps.read(path)
    steps.talk(gap)
    return steps


def test_files_of_the_beginning_that_are_read_again_are_found_with_their_turns() -> None:
    steps = begun()
    for path in ("a.py", "b.py", "a.py", "c.py"):
        steps.read(path)
        steps.talk(11)
    score, [(text, count, turns, files)] = told(find(steps.log, SETTINGS))
    assert (score, count, turns, files) == (0.667, 4, (34, 70), ["a.py", "b.py", "c.py"])
    assert text.startswith("4 of the 4 reads since the first third of the session")


@pytest.mark.parametrize(("reads", "is_found"), [(2, False), (3, True)])
def test_it_takes_several_reads(reads: int, *, is_found: bool) -> None:
    steps = begun()
    for number in range(reads):
        steps.read("abc"[number] + ".py")
    assert (find(steps.log, SETTINGS) is not None) is is_found


@pytest.mark.parametrize(("gap", "is_found"), [(8, False), (9, True)])
def test_a_file_that_is_in_hand_is_not_read_again(gap: int, *, is_found: bool) -> None:
    steps = Steps()
    steps.read("a.py")
    steps.talk(9)
    for _ in range(3):
        steps.talk(gap)
        steps.read("a.py")
    assert (find(steps.log, SETTINGS) is not None) is is_found


def test_an_edit_keeps_a_file_in_hand() -> None:
    steps = begun()
    for path in ("a.py", "b.py", "c.py"):
        steps.edit(path, "one", "other")
        steps.talk(4)
        steps.read(path)
    assert find(steps.log, SETTINGS) is None


def test_beside_much_else_that_is_read_it_is_nothing() -> None:
    steps = begun()
    for number in range(12):
        steps.read(f"new_{number}.py")
    for path in ("a.py", "b.py", "c.py"):
        steps.read(path)
    assert find(steps.log, SETTINGS) is None


def test_what_was_first_seen_later_does_not_count() -> None:
    steps = Steps()
    steps.talk(30)
    for _ in range(4):
        steps.read("late.py")
        steps.talk(12)
    assert find(steps.log, SETTINGS) is None


def test_another_part_of_a_file_is_not_read_again() -> None:
    steps = Steps()
    steps.read("a.py", part="1-100")
    steps.talk(30)
    for part in ("101-200", "201-300", "301-400"):
        steps.read("a.py", part=part)
        steps.talk(11)
    assert find(steps.log, SETTINGS) is None
    for _ in range(3):
        steps.read("a.py", part="1-100")
        steps.talk(11)
    assert find(steps.log, SETTINGS) is not None


@pytest.mark.parametrize("is_edited", [False, True])
def test_what_the_person_asked_for_anew_weighs_half_where_it_is_worked_on(*, is_edited: bool) -> None:
    steps = begun("a.py", "b.py", "c.py", "d.py", "e.py")
    steps.asks()
    for path in ("a.py", "b.py", "c.py", "d.py", "e.py"):
        steps.read(path)
        if is_edited:
            steps.edit(path, "one", "other")
    assert (find(steps.log, SETTINGS) is None) is is_edited
    steps.talk(10)
    steps.read("a.py")
    assert find(steps.log, SETTINGS) is not None


def test_an_empty_history_shows_nothing() -> None:
    assert find(Steps().log, SETTINGS) is None
