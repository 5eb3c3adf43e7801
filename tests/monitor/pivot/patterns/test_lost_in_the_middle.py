import pytest

from monitor.pivot.patterns.lost_in_the_middle import find
from tests.monitor.pivot.steps import Steps, facts_of


def started_session(*paths: str, gap: int = 30) -> Steps:
    """A session that began with these files and has done other work since."""
    steps = Steps()
    for path in paths or ("a.py", "b.py", "c.py"):
        steps.read(path)
    steps.talk(gap)
    return steps


def test_files_that_are_read_again_although_nothing_has_changed_are_found_with_their_turns() -> None:
    steps = started_session()
    for path in ("a.py", "b.py", "a.py", "c.py"):
        steps.read(path)
        steps.talk(8)
    score, [(text, count, turns, files)] = facts_of(find(steps.log))
    assert (score, count, turns, files) == (0.667, 4, (34, 61), ["a.py", "b.py", "c.py"])
    assert text == "4 times something was looked up that the window still held, and that the session had not changed"


@pytest.mark.parametrize(("gap", "is_found"), [(13, True), (14, False)])
def test_reads_scattered_over_a_long_session_are_not_found(gap: int, *, is_found: bool) -> None:
    steps = started_session()
    for path in ("a.py", "b.py", "c.py"):
        steps.read(path)
        steps.talk(gap)
    assert (find(steps.log) is not None) is is_found


@pytest.mark.parametrize(("reads", "is_found"), [(2, False), (3, True)])
def test_it_takes_several_reads(reads: int, *, is_found: bool) -> None:
    steps = started_session()
    for number in range(reads):
        steps.read("abc"[number] + ".py")
    assert (find(steps.log) is not None) is is_found


@pytest.mark.parametrize(("count", "is_found"), [(3, False), (4, True)])
def test_the_same_call_made_again_at_once_counts_when_it_shows_the_same(count: int, *, is_found: bool) -> None:
    read, searched, changed = Steps(), Steps(), Steps()
    for number in range(count):
        read.read("a.py")
        searched.search("price")
        changed.read("build.log", output=f"{number} lines")
        changed.run("make build")
    assert [find(steps.log) is not None for steps in (read, searched, changed)] == [is_found, is_found, False]


@pytest.mark.parametrize(("gap", "is_found"), [(3, False), (4, True)])
def test_a_closer_look_at_lines_just_shown_weighs_half(gap: int, *, is_found: bool) -> None:
    steps = Steps()
    steps.read("a.py")
    for part in ("10-20", "30-40", "50-60"):
        steps.talk(gap)
        steps.read("a.py", part=part)
    assert (find(steps.log) is not None) is is_found


def test_paging_through_a_file_is_not_found() -> None:
    steps = Steps()
    for number in range(1, 9):
        steps.read("a.py", part=f"{number}00-{number}99")
    assert find(steps.log) is None


def test_four_files_read_eight_times_each_seven_turns_apart_are_found() -> None:
    steps = Steps()
    for _ in range(8):
        for path in ("a.py", "b.py", "c.py", "d.py"):
            steps.read(path)
        steps.talk(3)
    score, [(_, count, _, files)] = facts_of(find(steps.log))
    assert (score, count, len(files)) == (1, 18, 4)


def test_a_repeated_search_counts_whatever_edits_changed_in_its_lines() -> None:
    steps = Steps()
    for number in range(4):
        steps.search("price", output=f"line {number}")
        steps.talk(6)
    assert find(steps.log) is not None


@pytest.mark.parametrize("failed", [False, True])
def test_reads_for_an_edit_are_not_found(*, failed: bool) -> None:
    steps = started_session()
    for path in ("a.py", "b.py", "c.py"):
        steps.read(path)
        steps.talk(2)
        steps.edit(path, "one", "other", failed=failed)
    assert find(steps.log) is None


@pytest.mark.parametrize(("files", "is_found"), [("abcde", False), ("abcdef", True)])
def test_a_file_the_session_edited_is_half_known(files: str, *, is_found: bool) -> None:
    steps = Steps()
    for path in files:
        steps.read(f"{path}.py")
        steps.edit(f"{path}.py", "one", "other")
    steps.talk(10)
    for path in files:
        steps.read(f"{path}.py", output="other")
    assert (find(steps.log) is not None) is is_found


def test_an_edit_keeps_a_file_in_hand() -> None:
    steps = started_session()
    for path in ("a.py", "b.py", "c.py"):
        steps.edit(path, "one", "other")
        steps.talk(3)
        steps.read(path, output="other")
    assert find(steps.log) is None


def test_reading_a_file_changed_by_somebody_else_is_no_repeat() -> None:
    steps = started_session()
    for path in ("a.py", "b.py", "c.py"):
        steps.read(path, output="changed")
    assert find(steps.log) is None


def test_a_file_git_may_have_replaced_is_unknown() -> None:
    steps = started_session()
    steps.commit()
    for path in ("a.py", "b.py", "c.py"):
        steps.read(path, part="10-20")
    assert find(steps.log) is None


def test_lines_already_read_are_known_but_other_parts_are_not() -> None:
    steps = started_session()
    steps.read("d.py", part="1-100")
    steps.talk(30)
    for part in ("101-200", "201-300", "90-110"):
        steps.read("d.py", part=part)
    assert find(steps.log) is None
    steps.talk(10)
    for part in ("10-20", "50-100"):
        steps.read("d.py", part=part)
        steps.talk(6)
    steps.read("a.py", part="30-60")
    assert find(steps.log) is not None


def test_reads_right_after_a_prompt_weigh_half() -> None:
    steps = started_session("a.py", "b.py", "c.py", "d.py", "e.py")
    steps.asks()
    for path in ("a.py", "b.py", "c.py", "d.py", "e.py"):
        steps.read(path)
    assert find(steps.log) is None
    steps.talk(10)
    steps.read("a.py")
    assert find(steps.log) is not None


def test_an_empty_history_shows_nothing() -> None:
    assert find(Steps().log) is None
