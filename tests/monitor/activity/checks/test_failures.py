"""The failing checks that are reported: the newest failure of each, until it or a wider one has passed."""

import pytest

from monitor.activity.activity import Activity
from monitor.activity.checks.command import checks_in, is_alone
from monitor.activity.checks.failures import MOST_FAILING, FailingCheck, Failure, note
from monitor.activity.checks.results import result_of


class Session:
    """A session that runs checks."""

    def __init__(self) -> None:
        self.failing: dict[str, FailingCheck] = {}
        self.line = self.edits = 0

    def run(self, command: str, *, code: int = 0, edits: int = 0, output: str = "") -> None:
        self.line += 1
        output = f"Exit code {code}\n{output or 'Error: no'}" if code else output or "fine"
        result = result_of(checks_in(command), output, is_error=code > 0, is_alone=is_alone(command))
        note(self.failing, result, Failure("", self.line), edits)

    @property
    def failures(self) -> tuple[Failure, ...]:
        return Activity(failing=self.failing, edits=self.edits).failures

    @property
    def commands(self) -> list[str]:
        return [failure.command for failure in self.failures]


def test_the_newest_failure_comes_first_and_once() -> None:
    session = Session()
    for command in ("make test", "npm test", "make test"):
        session.run(command, code=1)
    assert [(failure.command, failure.line) for failure in session.failures] == [("make test", 3), ("npm test", 2)]


def test_a_pass_clears_the_check_and_what_it_covers() -> None:
    session = Session()
    for command in ("pytest tests/a.py", "pytest tests/b.py -k x", "mypy ."):
        session.run(command, code=1)
    session.run("pytest tests/a.py")
    assert session.commands == ["mypy .", "pytest tests/b.py -k x"]
    session.run("pytest")
    assert session.commands == ["mypy ."]


def test_a_wider_failure_takes_the_place_of_a_narrower_one() -> None:
    session = Session()
    session.run("pytest tests/a.py", code=1)
    session.run("pytest", code=1)
    assert session.commands == ["pytest"]


@pytest.mark.parametrize("passed", ["npm run lint", "npm test"])
def test_a_group_with_one_failure_is_uncertain_once_one_of_it_has_passed(passed: str) -> None:
    session = Session()
    session.run("npm run lint && npm test", output="not ok 1 - x", code=1)
    assert session.commands == ["npm run lint && npm test"]
    session.run(passed)
    assert session.commands == []


def test_a_check_that_may_not_have_run_keeps_its_state() -> None:
    session = Session()
    session.run("npm test", code=1)
    session.run("npm run lint && npm test", output="not ok 1 - x", code=1)
    session.run("npm run lint")
    assert session.commands == ["npm test"]


def test_each_of_several_failed_checks_has_to_pass() -> None:
    session = Session()
    session.run("ruff check; ty check | tail", output="Found 2 errors.\nFound 1 diagnostic")
    assert session.commands == ["ruff check && ty check"]
    session.run("ruff check")
    assert session.commands == ["ty check"]


def test_edits_since_are_counted() -> None:
    session = Session()
    session.run("make", code=2, edits=3)
    session.edits = 5
    (failure,) = session.failures
    assert failure.edits_since == 2


def test_the_oldest_failures_are_dropped_first() -> None:
    session = Session()
    for number in range(MOST_FAILING + 1):
        session.run(f"pytest tests/test_{number}.py", code=1)
    assert len(session.failing) == MOST_FAILING
    assert "pytest tests/test_0.py" not in session.failing
