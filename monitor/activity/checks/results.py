"""Which of a command's checks failed and which passed, by its exit code and by what they printed."""

import re
from typing import NamedTuple

from monitor.activity.checks import output as outputs
from monitor.activity.checks import programs
from monitor.activity.checks.run import CheckRun
from shared.client import client

_EXIT_CODE = re.compile(rf"\s*{client.EXIT_CODE}(\d{{1,5}})")
"""What the client puts before a failing command's output."""
_SCRIPT = re.compile(
    r'script "([^"\n]{1,60})" exited|^\[([\w:.-]{1,60})\] ERROR'
    r"|: \*\*\* \[(?:[^\]\n]{0,300}[^\]\n\w.-])?([\w.-]{1,60})\]",
    re.MULTILINE,
)
"""How a runner of scripts names the one that failed."""
_UNKNOWN = frozenset({124, 127, 130, 137, 143})
"""Exit codes of a command that was ended from outside, by a time limit or the person, or doesn't exist (127)."""


class CheckResult(NamedTuple):
    """What is known of the checks of one command; of those in neither list, nothing."""

    failed: tuple[CheckRun, ...] = ()
    passed: tuple[CheckRun, ...] = ()
    is_certain: bool = True
    """Whether each in `failed` is known to have failed; else one of them did, and nobody says which."""


def result_of(runs: tuple[CheckRun, ...], output: str, *, is_error: bool, is_alone: bool) -> CheckResult:
    """The result of a command, which failed as a whole if `is_error`; `is_alone`: nothing else of it can fail."""
    if is_error:
        return _of_failed_command(runs, output, is_alone=is_alone)
    certain = tuple(run for run in runs if run.is_status_known)
    # A program's exit code may be 0 although it says that it failed; what it printed earlier may be a part of the test.
    outcome = outputs.outcome_of(output, by_end=len(certain) == len(runs))
    if outcome == "failed":
        return _by_output(runs, output, certain if len(certain) < len(runs) else ())
    # Who knows what a script of the project's own prints when it fails?
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
    """Those of several checks that the output says have failed or passed; else all but those that `passed` by code."""
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
    """Whether a script of this name is the one that `run` runs, or a part of it: `lint:go` is one of `lint`."""
    script = run.targets[0].partition(":")[2] if run.targets else ""
    return bool(script) and (name == script or name.startswith(f"{script}:"))


def _before(failed: CheckRun, runs: tuple[CheckRun, ...]) -> tuple[CheckRun, ...]:
    """The checks that have passed since a later one ran at all: `&&` stops at the first failure."""
    return tuple(run for run in runs[: runs.index(failed)] if run.is_status_known)
