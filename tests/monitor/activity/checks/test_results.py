"""The results of a command's checks, by its exit code and their output."""

import pytest

from monitor.activity.checks.command import checks_in, is_alone
from monitor.activity.checks.results import result_of

WARNINGS = "tests/a.py:1: Warning: old\n" * 20
LINT_FAILED = "failed: bun run lint"


def result(command: str, output: str, *, is_error: bool = False) -> str:
    outcome = result_of(checks_in(command), output, is_error=is_error, is_alone=is_alone(command))
    failed, passed = ([run.command for run in runs] for runs in (outcome.failed, outcome.passed))
    return f"failed: {', '.join(failed)}" if failed else f"passed: {', '.join(passed)}" if passed else "unknown"


@pytest.mark.parametrize(
    ("command", "output", "is_error", "expected"),
    [
        ("npm test", "Exit code 1\nboom", True, "failed: npm test"),
        ("npm test", "all good", False, "passed: npm test"),
        ("npm test", "2 passed, 1 failed\nTests: 1 failed, 2 passed", False, "failed: npm test"),
        ("npm test | tail", "Tests: 1 failed, 2 passed", False, "failed: npm test"),
        ("npm test || true", "Tests: 1 failed, 2 passed", False, "failed: npm test"),
        ("npm test | tail", "Tests: 3 passed", False, "passed: npm test"),
        ("npm test | head -3", "starting", False, "unknown"),
        ("npx tsc --noEmit | head -3", "", False, "passed: npx tsc --noEmit"),
        ("npm test && git push", "Exit code 1\nTests: 3 passed\nno remote", True, "passed: npm test"),
        ("npm run build && node a.js", "Exit code 1\nTypeError: x", True, "unknown"),
        ("npm test", "Exit code 127\nsh: npm: command not found", True, "unknown"),
        ("rtk npm test | tail", "error: unrecognized subcommand 'npm'", False, "unknown"),
        ("npm test", "Exit code 143\nTerminated", True, "unknown"),
        ("npm test", "Command timed out after 2m", True, "unknown"),
        ("bun run lint && bun test", 'Exit code 1\nerror: script "lint" exited with code 1', True, LINT_FAILED),
        ("npm run lint && npm test | tail", "Tests: 3 passed", False, "passed: npm run lint, npm test"),
        ("npm run lint && npm test | head -2", "quiet", False, "passed: npm run lint"),
        ("pytest | tail; ruff check; ty check", "3 passed in 2s\nAll checks passed!\nFound 1 diagnostic", False,
         "failed: ty check"),
        ("pytest | tail; ruff check", "FAILED a.py::b\n1 failed in 2s\nAll checks passed!", False, "failed: pytest"),
        ("pytest | tail; ruff check", "1 failed in 2s", False, "failed: pytest"),
        ("pytest | tail; ruff check | tail", "1 failed in 2s", False, "failed: pytest, ruff check"),
        ("ruff check && uv run ty check | tail", "All checks passed!\nerror: Failed to spawn: `ty`", False,
         "passed: ruff check"),
        ("python -m ty check | tail", '1:"ty"\n/bin/python3: No module named ty', False, "unknown"),
        ("ty check; echo", "bash: line 1: ty: command not found", False, "unknown"),
        ("pytest -k x | tail -40", f"{WARNINGS}=== no tests ran in 0.02s ===", False, "unknown"),
        ("pytest -k x", f"Exit code 5\n{WARNINGS}no tests ran in 0.02s\n{WARNINGS}", True, "unknown"),
        ("pytest -k x | tail; ruff check", f"{WARNINGS}no tests ran in 0.02s\nAll checks passed!", False,
         "passed: ruff check"),
        ("pytest -k x; pytest | tail", f"{WARNINGS}no tests ran in 0.02s\n1 failed in 2s", False,
         "failed: pytest -k x, pytest"),
        ("pytest", "E   ModuleNotFoundError: No module named 'ty'\n1 failed in 2s", True, "failed: pytest"),
        ("./test.sh", "Exit code 127\nchecking", True, "unknown"),
        ("sh check.sh || true", "", False, "unknown"),
        ("sh check.sh || true", "looking ...", False, "unknown"),
        ("sh check.sh", "looking ...", False, "passed: sh check.sh"),
        ("make test 2>/dev/null; echo done", "done", False, "unknown"),
        ("! pytest -q >/dev/null", "", False, "unknown"),
        ("! pytest -q >/dev/null", "Exit code 1", True, "unknown"),
        ("make -n test", "pytest -q", False, "unknown"),
        ("make -i lint", "make: [Makefile:8: lint] Error 1 (ignored)", False, "unknown"),
        ("flake8 || true", "", False, "passed: flake8"),
        ("make lint; make test", "make: *** [Makefile:8: lint] Error 1\nok", False, "failed: make lint"),
    ],
)  # fmt: skip
def test_a_check_is_judged_by_exit_code_and_output(command: str, output: str, expected: str, *, is_error: bool) -> None:
    assert result(command, output, is_error=is_error) == expected


def test_an_error_that_a_passing_test_prints_is_no_failure() -> None:
    output = "FAILED tests/made_up.py::test_it - as it should\n========== 3 passed in 0.1s =========="
    assert result("pytest", output) == "passed: pytest"
    assert result("pytest | tail", output) == "failed: pytest"


def test_passed_checks_of_several_are_known_if_each_reports_its_outcome() -> None:
    runs = checks_in("pytest | tail -3; ruff check")
    both = result_of(runs, "3 passed in 2s\nFound 1 error.", is_error=False, is_alone=False)
    assert ([run.tool for run in both.failed], [run.tool for run in both.passed]) == (["ruff check"], ["pytest"])


def outcome(command: str, output: str, *, is_error: bool = False) -> tuple[list[str], list[str], bool]:
    """The tools that failed and passed, and whether the output tells them apart."""
    result = result_of(checks_in(command), output, is_error=is_error, is_alone=False)
    failed, passed = ([run.command.split()[-1] for run in runs] for runs in (result.failed, result.passed))
    return failed, passed, result.is_certain


@pytest.mark.parametrize(
    ("command", "output", "expected"),
    [
        ("ruff check|tail; ty check|tail; pytest|tail", "Found 1 error.\nFound 4 diagnostics\n3 passed in 2s",
         (["check", "check"], ["pytest"], True)),
        ("ruff check|tail; pytest|tail", "a.py:1:1: E501 x\na.py:2:1: E501 x\nFound 2 errors.\n3 passed in 2s",
         (["check"], ["pytest"], True)),
        ("ruff check|tail; pytest|tail", "Found 1 error.\nE   no\n2 failed, 1 passed in 2s",
         (["check", "pytest"], [], True)),
        ("go build && go test | tail", "FAIL\ta\nok  \tb\t1s\nFAIL\tc", (["test"], ["build"], True)),
    ],
)  # fmt: skip
def test_a_total_ends_the_output_of_one_of_several_checks(
    command: str, output: str, expected: tuple[list[str], list[str], bool]
) -> None:
    assert outcome(command, output) == expected


def test_checks_before_the_failed_one_have_passed() -> None:
    output = "Exit code 1\n[lint:go] ERROR task failed\n\n[lint:go] a.go:1:1: no"
    assert outcome("mise run build && mise run lint && mise run test", output, is_error=True) == (
        ["lint"],
        ["build"],
        True,
    )
    assert outcome("mise run build && mise run test", output, is_error=True) == (["build", "test"], [], False)
