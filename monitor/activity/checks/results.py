"""The failed and passed checks of a command, by its exit code and output."""

import re
from typing import NamedTuple

from monitor.activity.checks import output as outputs
from monitor.activity.checks import programs
from monitor.activity.checks.run import CheckRun
from shared.client import client

_EXIT_CODE = re.compile(rf"\s*{client.EXIT_CODE}(\d{{1,5}})")
"""The client's line before a failing command's output."""
_SCRIPT = re.compile(
    r'script "([^"\n]{1,60})" exited|^\[([\w:.-]{1,60})\] ERROR'
    r"|: \*\*\* \[(?:[^\]\n]{0,300}[^\]\n\w.-])?([\w.-]{1,60})\]",
    re.MULTILINE,
)
"""A script runner's line about the script that failed."""
_UNKNOWN = frozenset({124, 127, 130, 137, 143})
"""Exit codes of a command that was stopped from outside, by a time limit or the person, or doesn't exist (127)."""


class CheckResult(NamedTuple):
    """The known results of one command's checks; a check in neither list has an unknown result."""

    failed: tuple[CheckRun, ...] = ()
    passed: tuple[CheckRun, ...] = ()
    is_certain: bool = True
    """Whether each check in `failed` is known to have failed; otherwise only one of them, it isn't known which."""


def result_of(runs: tuple[CheckRun, ...], output: str, *, is_error: bool, is_alone: bool) -> CheckResult:
    """The result of a command; `is_error`: it failed as a whole; `is_alone`: no other part of it can fail."""
    if is_error:
        return _of_failed_command(runs, output, is_alone=is_alone)
    certain = tuple(run for run in runs if run.is_status_known)
    # A program may exit with 0 although it reports a failure; its earlier output may be part of the test.
    outcome = outputs.outcome_of(output, by_end=len(certain) == len(runs))
    if outcome == "failed":
        return _by_output(runs, output, certain if len(certain) < len(runs) else ())
    # Nothing is known about the output of a project's own script when it fails.
    is_shown = not any(run.is_output_hidden or "." in run.tool for run in runs)
    is_silent = not any(outputs.lines_of(output)) and all(run.tool in programs.SILENT for run in runs)
    has_passed = outcome == "passed" or is_silent or is_shown
    return CheckResult((), runs if has_passed and not outputs.could_not_start(output) else certain)


def _of_failed_command(runs: tuple[CheckRun, ...], output: str, *, is_alone: bool) -> CheckResult:
    exited = _EXIT_CODE.match(output)
    code, output = (int(exited[1]), output.partition("\n")[2]) if exited else (None, output)
    outcome = outputs.outcome_of(output)
    if outcome == "failed":
        return _by_output(runs, output)
    if code is None or code in _UNKNOWN or outputs.could_not_start(output):
        return CheckResult()
    if outcome == "passed" and not is_alone:
        return CheckResult((), runs)
    return CheckResult(runs) if is_alone else CheckResult()


def _by_output(runs: tuple[CheckRun, ...], output: str, passed: tuple[CheckRun, ...] = ()) -> CheckResult:
    """The checks that the output says failed or passed; else all failed but those that `passed` by exit code."""
    names = [name for names in _SCRIPT.findall(output) for name in names if name] if len(runs) > 1 else []
    if failed := tuple(run for run in runs if any(_is_part(name, run) for name in names)):
        return CheckResult(failed, _before(failed[0], runs))
    outcomes = outputs.outcomes_of(output)
    if len(outcomes) != len(runs):
        failed = tuple(run for run in runs if run not in passed)
        return CheckResult(failed, passed, len(failed) == 1)
    by_run = list(zip(runs, outcomes, strict=True))
    failed, passed = (tuple(run for run, outcome in by_run if outcome == what) for what in ("failed", "passed"))
    return CheckResult(failed, passed)


def _is_part(name: str, run: CheckRun) -> bool:
    """Whether the script `name` is the one that `run` runs, or a part of it, as `lint:go` is of `lint`."""
    script = run.targets[0].partition(":")[2] if run.targets else ""
    return bool(script) and (name == script or name.startswith(f"{script}:"))


def _before(failed: CheckRun, runs: tuple[CheckRun, ...]) -> tuple[CheckRun, ...]:
    """The checks that must have passed before `failed` ran at all: `&&` stops at the first failure."""
    return tuple(run for run in runs[: runs.index(failed)] if run.is_status_known)
