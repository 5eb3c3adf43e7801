"""A runner's output tells whether it passed, and why it didn't."""

import pytest

from monitor.activity.checks import output
from monitor.activity.checks.command import checks_in, is_alone
from monitor.activity.checks.reason import reason_in
from monitor.activity.checks.results import result_of
from tests.monitor.activity.checks.runner_outputs import CAPTURED, FAILED, PASSED, RunnerOutput


@pytest.mark.parametrize("run", FAILED, ids=lambda run: run.name)
def test_a_run_that_failed_says_so(run: RunnerOutput) -> None:
    assert output.outcome_of(run.output) == "failed"


@pytest.mark.parametrize("run", FAILED, ids=lambda run: run.name)
def test_the_reason_names_what_failed(run: RunnerOutput) -> None:
    assert run.reason in reason_in(run.output)


@pytest.mark.parametrize("run", PASSED, ids=lambda run: run.name)
def test_a_passed_run_is_not_judged_failed(run: RunnerOutput) -> None:
    assert output.outcome_of(run.output) != "failed"


def outcome(command: str, printed: str, exit_code: int = 0) -> str:
    """The outcome of the checks of `command`, as the client reports it."""
    text = f"Exit code {exit_code}\n{printed}" if exit_code else printed
    result = result_of(checks_in(command), text, is_error=exit_code > 0, is_alone=is_alone(command))
    return "failed" if result.failed else "passed" if result.passed else "unknown"


@pytest.mark.parametrize("run", CAPTURED, ids=lambda run: run.name)
def test_a_captured_run_is_judged_right_however_it_was_called(run: RunnerOutput) -> None:
    expected = "failed" if run.exit_code else "passed"
    assert bool(run.reason) == (run.exit_code > 0)
    assert outcome(run.command, run.output, run.exit_code) == expected
    assert outcome(f"{run.command} || true", run.output) == expected
    assert outcome(f"{run.command} 2>&1 | tail -20", run.end) == expected


@pytest.mark.parametrize(
    "printed",
    [
        "# ./a\nstat /srv/shop/a/a: directory not found\nFAIL\t./a [setup failed]\nFAIL",
        "package shop/a: build constraints exclude all Go files in /srv/shop/a\nFAIL\tshop/a [setup failed]\nFAIL",
        "(eval):cd:1: no such file or directory: shop/a",
    ],
)
def test_a_test_that_could_not_be_started_has_not_failed(printed: str) -> None:
    assert outcome("go test -v ./a", printed, 1) == "unknown"
    assert outcome("go test -v ./a 2>&1 | tail -20", printed) == "unknown"


def test_as_many_failures_are_named_as_fit() -> None:
    printed = "\n".join(
        f"src/{name}.ts(3,5): error TS2304: Cannot find name '{name}'." for name in ("cart", "till", "tax")
    )
    assert "tax.ts" in reason_in(printed)
    assert reason_in(printed, 140).endswith("; src/till.ts(3,5): error TS2304: Cannot find name 'till'.")


def test_the_clients_note_on_the_directory_is_not_part_of_the_output() -> None:
    note = "\nShell cwd was reset to /srv/failed"
    assert reason_in(f"nothing is here{note}") == "nothing is here"
    assert outcome("npx tsc --noEmit 2>&1 | head -20", note) == "passed"


def test_a_test_that_is_only_compiled_says_nothing_when_it_passes() -> None:
    assert outcome("go test -c -o /dev/null ./a 2>&1 | head -20", "") == "passed"
    assert outcome("go test ./a 2>&1 | head -20", "") != "passed"
