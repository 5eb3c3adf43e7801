import pytest

from monitor.activity.activity import Activity, Task
from monitor.pivot.decision import complexity_of
from tests.monitor.pivot.steps import Steps


def kind(steps: Steps, tasks: int = 0) -> str:
    return complexity_of(activity(steps, tasks)).kind


def activity(steps: Steps, tasks: int = 0) -> Activity:
    listed = {str(number): Task("do it", "pending" if number < tasks else "completed") for number in range(9)}
    return Activity(log=steps.log, tasks=listed if tasks else {})


def test_a_session_that_does_little_is_simple() -> None:
    steps = Steps()
    assert complexity_of(activity(steps)).reasons == ("0 files edited",)
    steps.edit("x.py", "one", "other")
    steps.run("make")
    assert (kind(steps), complexity_of(activity(steps)).reasons) == ("simple", ("1 file edited",))


@pytest.mark.parametrize(("files", "expected"), [(5, "simple"), (6, "complex")])
def test_many_edited_files_make_it_complex(files: int, expected: str) -> None:
    steps = Steps()
    for number in range(files):
        steps.edit(f"src/{number}.py", "one", "other")
        steps.edit(f"src/{number}.py", "other", "third")
    assert kind(steps) == expected


@pytest.mark.parametrize(("places", "expected"), [("ab", "simple"), ("abc", "complex")])
def test_edits_in_many_places_make_it_complex(places: str, expected: str) -> None:
    steps = Steps()
    for place in places:
        steps.edit(f"{place}/x.py", "one", "other")
    assert kind(steps) == expected


@pytest.mark.parametrize(("tasks", "expected"), [(4, "simple"), (5, "complex")])
def test_many_open_tasks_make_it_complex(tasks: int, expected: str) -> None:
    assert kind(Steps(), tasks) == expected


def test_looking_without_changing_is_research() -> None:
    steps = Steps()
    for number in range(14):
        steps.read(f"{number}.py")
    assert kind(steps) == "simple"
    steps.run("make")
    assert kind(steps) == "simple"
    steps.search("more")
    assert (kind(steps), complexity_of(activity(steps)).reasons) == ("research", ("15 reads and searches, 0 edits",))
    steps.edit("x.py", "one", "other")
    assert kind(steps) == "research"
    steps.edit("x.py", "other", "third")
    assert kind(steps) == "simple"


def test_several_signals_are_all_named() -> None:
    steps = Steps()
    for place in "abcdef":
        steps.edit(f"{place}/x.py", "one", "other")
    assert complexity_of(activity(steps, 5)).reasons == (
        "6 edited files",
        "6 edited directories",
        "5 open tasks",
    )
