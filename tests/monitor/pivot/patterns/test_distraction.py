import pytest

from monitor.pivot.patterns.distraction import find
from tests.monitor.pivot.steps import Steps, facts_of


def test_outdated_results_are_found_with_their_share_and_decide_nothing() -> None:
    steps = Steps()
    for _ in range(3):
        steps.read("big.py", tokens=20_000)
        steps.talk(12)
    steps.log.measured_tokens = 100_000
    finding = find(steps.log)
    assert finding is not None
    assert not finding.counts
    score, [(text, count, turns, files)] = facts_of(finding)
    assert (score, count, turns, files) == (0.8, 2, (1, 14), ["big.py"])
    assert text == "about 40,000 tokens, 40% of the window, are old results that newer ones have overtaken"


def test_a_read_after_an_edit_outdates_earlier_reads_but_the_edit_alone_does_not() -> None:
    for is_read in (False, True):
        steps = Steps()
        steps.read("big.py", tokens=30_000)
        steps.edit("big.py", "one", "other")
        if is_read:
            steps.read("big.py")
        steps.talk(12)
        steps.log.measured_tokens = 60_000
        assert (find(steps.log) is not None) is is_read


def test_a_whole_read_outdates_earlier_partial_ones() -> None:
    steps = Steps()
    for part in ("1-900", "901-1800"):
        steps.read("big.py", part=part, tokens=10_000)
    steps.read("big.py", tokens=20_000)
    steps.talk(12)
    steps.log.measured_tokens = 60_000
    assert find(steps.log) is not None


def test_running_a_command_again_outdates_its_older_output() -> None:
    steps = Steps()
    for _ in range(3):
        steps.run("make check", tokens=20_000)
        steps.talk(12)
    steps.log.measured_tokens = 60_000
    assert find(steps.log) is not None


def test_new_small_or_current_results_are_no_burden() -> None:
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
    assert facts_of(find(steps.log))[0] == 0.8


@pytest.mark.parametrize(("turns", "is_found"), [(8, False), (9, True)])
def test_a_result_is_old_after_ten_turns(turns: int, *, is_found: bool) -> None:
    steps = Steps()
    steps.read("big.py", tokens=30_000)
    steps.read("big.py")
    steps.talk(turns)
    steps.log.measured_tokens = 60_000
    assert (find(steps.log) is not None) is is_found


@pytest.mark.parametrize(("tokens", "is_found"), [(4_999, False), (5_000, True)])
def test_fewer_than_5000_tokens_are_no_burden(tokens: int, *, is_found: bool) -> None:
    steps = Steps()
    steps.read("big.py", tokens=tokens)
    steps.read("big.py")
    steps.talk(12)
    steps.log.measured_tokens = 10_000
    assert (find(steps.log) is not None) is is_found
