import pytest

from monitor.pivot.patterns.distraction import find
from shared.config import PivotPatterns
from tests.monitor.pivot.steps import Steps, told

SETTINGS = PivotPatterns()


def scattered(*paths: str, steps: Steps | None = None) -> Steps:
    """A session that reads these files one after the other, after it has worked for a while."""
    steps = steps or Steps()
    steps.talk(20)
    for path in paths:
        steps.read(path)
    return steps


def test_many_directories_in_a_short_span_are_found() -> None:
    steps = scattered(*(f"{name}/x.py" for name in "abcdefg"))
    score, [(text, count, turns, places)] = told(find(steps.log, SETTINGS))
    assert (score, count, turns, places) == (0.583, 7, (21, 27), ["a", "b", "c", "d", "e"])
    assert text == "7 unrelated directories were worked in within 10 turns"


@pytest.mark.parametrize(("count", "is_found"), [(5, False), (6, True)])
def test_it_takes_several_directories(count: int, *, is_found: bool) -> None:
    steps = scattered(*(f"{name}/x.py" for name in "abcdefgh"[:count]))
    assert (find(steps.log, SETTINGS) is not None) is is_found


def test_spread_over_the_session_they_are_nothing() -> None:
    steps = Steps()
    steps.talk(20)
    for name in "abcdefgh":
        steps.read(f"{name}/x.py")
        steps.talk(2)
    assert find(steps.log, SETTINGS) is None


def test_a_look_around_at_the_beginning_is_nothing() -> None:
    steps = Steps()
    for name in "abcdefgh":
        steps.read(f"{name}/x.py")
    for _ in range(16):
        steps.edit("a/x.py", "one", "other")
    assert find(steps.log, SETTINGS) is None


def test_many_files_in_few_directories_are_nothing() -> None:
    steps = scattered(*(f"src/{name}/x.py" for name in "abcdefgh"), "tests/x.py", "README.md", "setup.py")
    assert find(steps.log, SETTINGS) is None


def test_packages_of_one_repository_are_told_apart() -> None:
    assert find(scattered(*(f"packages/{name}/x.ts" for name in "abcdef")).log, SETTINGS) is not None


def test_places_outside_of_the_project_count() -> None:
    outside = ("/etc/hosts", "/var/log/x", "/opt/tool/x", "/home/dev/other/x", "/home/dev/third/x")
    assert find(scattered("src/x.py", *outside).log, SETTINGS) is not None


def test_the_same_edit_in_many_places_is_one_work() -> None:
    steps = Steps()
    steps.talk(20)
    for name in "abcdefgh":
        steps.edit(f"{name}/x.py", "    old_name()", "    new_name()")
    assert find(steps.log, SETTINGS) is None


def test_a_test_goes_with_its_subject() -> None:
    steps = scattered("cart/order.py", "test/test_order.py", "web/page.ts", "spec/page.spec.ts", "docs/x", "tools/x")
    assert find(steps.log, SETTINGS) is None


def test_what_fails_was_not_worked_in() -> None:
    steps = Steps()
    steps.talk(20)
    for name in "abcdefgh":
        steps.edit(f"{name}/x.py", f"one {name}", f"other {name}", failed=True)
    assert find(steps.log, SETTINGS) is None


def test_results_that_were_overtaken_are_found_with_their_share() -> None:
    steps = Steps()
    for _ in range(3):
        steps.read("big.py", tokens=20_000)
        steps.talk(12)
    steps.log.measured_tokens = 80_000
    score, [(text, count, turns, files)] = told(find(steps.log, SETTINGS))
    assert (score, count, turns, files) == (0.556, 2, (1, 14), ["big.py"])
    assert text == "about 40,000 tokens, 50% of the window, are results of tools that have been overtaken since"


@pytest.mark.parametrize("is_written_anew", [False, True])
def test_an_edit_overtakes_half_and_a_new_file_all_of_what_was_read(*, is_written_anew: bool) -> None:
    steps = Steps()
    steps.read("big.py", tokens=30_000)
    steps.write("big.py") if is_written_anew else steps.edit("big.py", "one", "other")
    steps.talk(12)
    steps.log.measured_tokens = 60_000
    assert (find(steps.log, SETTINGS) is not None) is is_written_anew


def test_a_command_that_is_run_again_overtakes_its_older_output() -> None:
    steps = Steps()
    for _ in range(3):
        steps.run("make check", tokens=20_000)
        steps.talk(12)
    steps.log.measured_tokens = 60_000
    assert find(steps.log, SETTINGS) is not None


def test_what_is_new_or_small_or_was_not_overtaken_is_no_burden() -> None:
    new = Steps()
    for _ in range(3):
        new.read("big.py", tokens=20_000)
    small = Steps()
    for _ in range(3):
        small.read("small.py", tokens=2_000)
        small.talk(12)
    other = Steps()
    for name in "abc":
        other.read(f"{name}.py", tokens=20_000)
        other.talk(12)
    for steps in (new, small, other):
        steps.log.measured_tokens = 60_000
        assert find(steps.log, SETTINGS) is None


def test_without_a_measurement_the_window_is_estimated() -> None:
    steps = Steps()
    for _ in range(3):
        steps.read("big.py", tokens=20_000)
        steps.talk(12)
    steps.log.bytes_read = 4 * 80_000
    assert told(find(steps.log, SETTINGS))[0] == 0.556
