import pytest

from monitor.pivot.patterns.distraction import find
from tests.monitor.pivot.steps import Steps, told


def scattered(*paths: str) -> Steps:
    """A session that has begun its work, and then reads these files one after the other."""
    steps = Steps()
    steps.talk(20)
    steps.edit("src/begun.py", "one", "other")
    for path in paths:
        steps.read(path)
    return steps


def test_many_directories_in_a_short_span_are_found() -> None:
    steps = scattered(*(f"{name}/x.py" for name in "abcdefg"))
    score, [(text, count, turns, places)] = told(find(steps.log))
    assert (score, count, turns, places) == (0.583, 7, (22, 28), ["a", "b", "c", "d", "e"])
    assert text == "7 unrelated parts of the project were worked in within 10 turns"


def test_it_stays_in_the_report() -> None:
    finding = find(scattered(*(f"{name}/x.py" for name in "abcdefg")).log)
    assert finding is not None
    assert not finding.counts


@pytest.mark.parametrize(("count", "is_found"), [(5, False), (6, True)])
def test_it_takes_several_directories(count: int, *, is_found: bool) -> None:
    steps = scattered(*(f"{name}/x.py" for name in "abcdefgh"[:count]))
    assert (find(steps.log) is not None) is is_found


def test_parts_of_a_project_of_src_and_tests_are_told_apart() -> None:
    inside = [f"src/{name}/x.py" for name in "abcdef"] + [f"tests/{name}/y.py" for name in "abc"]
    finding = find(scattered(*inside).log)
    assert finding is not None
    assert finding.evidence[0].count == 7  # with `src` itself; a directory of the tests goes with what it tests


def test_spread_over_the_session_they_are_nothing() -> None:
    steps = scattered()
    for name in "abcdefgh":
        steps.read(f"{name}/x.py")
        steps.talk(2)
    assert find(steps.log) is None


def test_a_look_around_at_the_beginning_is_nothing() -> None:
    steps = Steps()
    for name in "abcdefgh":
        steps.read(f"{name}/x.py")
    for number in range(16):
        steps.edit("a/x.py", f"one {number}", f"other {number}")
    assert find(steps.log) is None


def test_a_look_around_after_a_prompt_is_nothing() -> None:
    steps = scattered()
    steps.asks()
    for name in "abcdefgh":
        steps.read(f"{name}/x.py")
    steps.edit("a/x.py", "one", "other")
    assert find(steps.log) is None


def test_many_files_in_few_directories_are_nothing() -> None:
    names = "abcdefgh"
    steps = scattered(*(f"src/{name}.py" for name in names), *(f"docs/{name}.md" for name in names), "README.md")
    assert find(steps.log) is None


def test_packages_of_one_repository_are_told_apart() -> None:
    assert find(scattered(*(f"packages/{name}/x.ts" for name in "abcdef")).log) is not None


def test_places_outside_of_the_project_count() -> None:
    outside = ("/etc/hosts", "/var/log/x", "/opt/tool/x", "/home/dev/other/x", "/home/dev/third/x")
    assert find(scattered("src/x.py", *outside).log) is not None


def test_the_same_edit_in_many_places_is_one_work() -> None:
    steps = scattered()
    for name in "abcdefgh":
        steps.edit(f"{name}/x.py", "    old_name()", "    new_name()")
    assert find(steps.log) is None


def test_a_test_goes_with_its_subject() -> None:
    steps = scattered("cart/order.py", "test/test_order.py", "web/page.ts", "spec/page.spec.ts", "docs/x", "tools/x")
    assert find(steps.log) is None


def test_what_fails_was_not_worked_in() -> None:
    steps = scattered()
    for name in "abcdefgh":
        steps.edit(f"{name}/x.py", f"one {name}", f"other {name}", failed=True)
    assert find(steps.log) is None


def test_results_that_were_overtaken_are_found_with_their_share_and_decide_nothing() -> None:
    steps = Steps()
    for _ in range(3):
        steps.read("big.py", tokens=20_000)
        steps.talk(12)
    steps.log.measured_tokens = 100_000
    finding = find(steps.log)
    assert finding is not None
    assert not finding.counts
    score, [(text, count, turns, files)] = told(finding)
    assert (score, count, turns, files) == (0.8, 2, (1, 14), ["big.py"])
    assert text == "about 40,000 tokens, 40% of the window, are old results: overtaken, or long output"


def test_a_new_file_overtakes_what_was_read_of_it_and_an_edit_does_not() -> None:
    for is_written in (False, True):
        steps = Steps()
        steps.read("big.py", tokens=30_000)
        steps.write("big.py") if is_written else steps.edit("big.py", "one", "other")
        steps.talk(12)
        steps.log.measured_tokens = 60_000
        assert (find(steps.log) is not None) is is_written


def test_a_whole_read_overtakes_the_parts_before_it() -> None:
    steps = Steps()
    for part in ("1-900", "901-1800"):
        steps.read("big.py", part=part, tokens=10_000)
    steps.read("big.py", tokens=20_000)
    steps.talk(12)
    steps.log.measured_tokens = 60_000
    assert find(steps.log) is not None


@pytest.mark.parametrize("tokens", [1_999, 2_000])
def test_long_output_of_commands_and_searches_is_noise(tokens: int) -> None:
    steps = Steps()
    for number in range(8):
        steps.run(f"make {number}", tokens=tokens)
        steps.search(f"word {number}", tokens=tokens)
    steps.talk(12)
    steps.log.measured_tokens = 60_000
    assert (find(steps.log) is not None) is (tokens >= 2_000)


@pytest.mark.parametrize(
    ("path", "is_noise"), [("node_modules/x/index.js", True), ("package-lock.json", True), ("src/index.js", False)]
)
def test_what_programs_wrote_is_noise(path: str, *, is_noise: bool) -> None:
    steps = Steps()
    steps.read(path, tokens=20_000)
    steps.talk(12)
    steps.log.measured_tokens = 60_000
    assert (find(steps.log) is not None) is is_noise


def test_a_command_that_is_run_again_overtakes_its_older_output() -> None:
    steps = Steps()
    for _ in range(3):
        steps.run("make check", tokens=20_000)
        steps.talk(12)
    steps.log.measured_tokens = 60_000
    assert find(steps.log) is not None


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
        assert find(steps.log) is None


def test_without_a_measurement_the_window_is_estimated() -> None:
    steps = Steps()
    for _ in range(3):
        steps.read("big.py", tokens=20_000)
        steps.talk(12)
    steps.log.bytes_read = 4 * 100_000
    assert told(find(steps.log))[0] == 0.8


def test_what_was_made_again_in_the_same_turn_overtakes_nothing() -> None:
    steps = Steps()
    steps.read("big.py", tokens=30_000)
    steps.same_turn()
    steps.read("big.py", tokens=30_000)
    steps.talk(12)
    steps.log.measured_tokens = 60_000
    assert find(steps.log) is None


@pytest.mark.parametrize(("turns", "is_found"), [(8, False), (9, True)])
def test_a_result_is_old_after_ten_turns(turns: int, *, is_found: bool) -> None:
    steps = Steps()
    steps.read("big.py", tokens=30_000)
    steps.write("big.py")
    steps.talk(turns)
    steps.log.measured_tokens = 60_000
    assert (find(steps.log) is not None) is is_found


@pytest.mark.parametrize(("tokens", "is_found"), [(4_999, False), (5_000, True)])
def test_fewer_than_5000_tokens_are_no_burden(tokens: int, *, is_found: bool) -> None:
    steps = Steps()
    steps.read("big.py", tokens=tokens)
    steps.write("big.py")
    steps.talk(12)
    steps.log.measured_tokens = 10_000
    assert (find(steps.log) is not None) is is_found
