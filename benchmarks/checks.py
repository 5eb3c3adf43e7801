"""`python -m benchmarks.checks --transcripts DIRECTORY`: count the failing checks that are recognised and listed.

Each command that tests, builds or lints is judged as a hook judges it. The counts show what the exit code alone tells,
and what the output adds. `--failed N`, `--passed N` and `--listed N` print this many random examples, with the ends of
their outputs, for a person to judge: runs taken for failed, runs that weren't despite a word of failure in the output,
and what would be reported as failing at the end of a session.
"""

import argparse
import random
import re
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from monitor.activity import reader
from monitor.activity.activity import Activity
from monitor.activity.checks import background
from monitor.activity.checks.command import checks_in, is_alone
from monitor.activity.checks.failures import Failure
from monitor.activity.checks.reason import reason_of
from monitor.activity.checks.results import CheckResult, result_of
from monitor.activity.checks.run import CheckRun
from shared.client.tools import TOOLS
from shared.transcript.line import ContentBlock, line_in

SEED = 18
CHARACTERS = 500
"""Characters of an output's end that are printed."""
SUSPECT = re.compile(r"(?i)\bfail|\berror|not ok|\u2716|\u2717|\u00d7|\bE\d{3,4}\b|exit (?:code|status)")


class JudgedRun(NamedTuple):
    """A command that ran checks, with its verdict."""

    transcript: str
    line: int
    command: str
    checks: tuple[CheckRun, ...]
    output: str
    is_error: bool
    result: CheckResult

    @property
    def verdict(self) -> str:
        return "failed" if self.result.failed else "passed" if self.result.passed else "unknown"


def runs_in(path: Path) -> Iterator[JudgedRun]:
    """The commands with checks in one transcript, except those in the background."""
    pending: dict[str, str] = {}
    with path.open("rb") as file:
        for number, data in enumerate(file, 1):
            line = line_in(data) if b'"tool_' in data else None
            if line is None or line.message is None or line.isSidechain:
                continue
            for block in line.message.blocks:
                if block.type == "tool_use":
                    _remember(pending, block)
                command = pending.pop(block.tool_use_id, "") if block.type == "tool_result" else ""
                if command and (run := _judged(path, number, command, block, bytes(line.toolUseResult))):
                    yield run


def _remember(pending: dict[str, str], block: ContentBlock) -> None:
    tool = TOOLS.get(block.name)
    command = (block.arguments or {}).get(tool.target) if tool and tool.kind == "command" else None
    if isinstance(command, str):
        pending[block.id] = command


def _judged(path: Path, number: int, command: str, block: ContentBlock, record: bytes) -> JudgedRun | None:
    checks, output = checks_in(command), block.result
    if not checks or background.task_id_in(record) or "want to proceed" in output[:200]:
        return None
    is_error = bool(block.is_error)
    result = result_of(checks, output, is_error=is_error, is_alone=is_alone(command))
    return JudgedRun(f"{path.parent.name}/{path.name}", number, command, checks, output, is_error, result)


class ListedFailure(NamedTuple):
    """A check reported as failing at a transcript's end."""

    transcript: str
    failure: Failure
    reason: str


def listed_in(path: Path) -> Iterator[ListedFailure]:
    activity = reader.advance(Activity(), str(path))
    for failure in activity.failures:
        yield ListedFailure(f"{path.parent.name}/{path.name}", failure, reason_of(failure, str(path)))


def summary(runs: list[JudgedRun], listed: list[ListedFailure]) -> str:
    verdicts = Counter((run.verdict, run.is_error) for run in runs)
    failed = [run for run in runs if run.verdict == "failed"]
    hidden = [run for run in failed if not run.is_error]
    sessions = len({one.transcript for one in listed})
    piped = sum(not all(check.is_status_known for check in run.checks) for run in runs)
    return (
        f"{len(runs)} runs of checks, {piped} of them behind a pipe or joined so that their exit code is lost.\n"
        f"{len(failed)} failed: {len(failed) - len(hidden)} by their exit code, {len(hidden)} by their output alone"
        f" ({len(hidden) / max(1, len(failed)):.0%}).\n"
        f"{verdicts['passed', False] + verdicts['passed', True]} passed;"
        f" nothing is known of {verdicts['unknown', False]} with exit code 0,"
        f" {verdicts['unknown', True]} with another.\n"
        f"{len(listed)} checks are listed as failing, at the ends of {sessions} sessions.\n"
    )


def description(run: JudgedRun) -> str:
    by = "exit code" if run.is_error else "output"
    head = f"== {run.transcript}, line {run.line}: {run.verdict} ({by})\n$ {run.command[:400]}\n"
    return f"{head}{run.output[-CHARACTERS:]}\n"


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.checks", description=__doc__)
    parser.add_argument("--transcripts", required=True, type=Path, nargs="+", help="directories with .jsonl files")
    parser.add_argument("--failed", type=int, default=0, metavar="N", help="print N runs that are taken for failed")
    parser.add_argument("--passed", type=int, default=0, metavar="N", help="print N others that look like a failure")
    parser.add_argument("--listed", type=int, default=0, metavar="N", help="print N of what is reported as failing")
    options = parser.parse_args(arguments)
    paths = sorted(path for directory in options.transcripts for path in directory.expanduser().rglob("*.jsonl"))
    runs = [run for path in paths for run in runs_in(path)]
    listed = [one for path in paths for one in listed_in(path)]
    chosen = random.Random(SEED)  # noqa: S311  the same ones in each run
    failed = [run for run in runs if run.verdict == "failed"]
    suspect = [run for run in runs if run.verdict != "failed" and SUSPECT.search(run.output)]
    for sample, count in ((failed, options.failed), (suspect, options.passed)):
        sys.stdout.writelines(description(run) for run in chosen.sample(sample, min(count, len(sample))))
    for one in chosen.sample(listed, min(options.listed, len(listed))):
        sys.stdout.write(f"{one.transcript}, line {one.failure.line}: `{one.failure.command}` {one.reason!r}\n")
    sys.stdout.write(summary(runs, listed))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
