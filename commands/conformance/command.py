"""`tidegauge conformance`: whether a status line's percentage agrees with the client's own.

The command comes from the person's own command line and from nowhere else: no setting and no project can name one.
"""

import argparse
import os
import re
import shlex
import shutil
import signal
from collections.abc import Iterator, Sequence
from contextlib import suppress
from types import FrameType
from typing import NoReturn

from commands.command import ALL_RIGHT, SOMETHING_WRONG, USAGE, CommandError, add_json
from commands.conformance.case import RecordedCase, read_cases
from commands.conformance.judgement import PERCENTAGE, CaseResult, Standard, case_result
from commands.conformance.observation import observe
from commands.terminal import TableRow, folded, print_result, table, width
from shared.text.quantities import counted

SUMMARY = "run a status line on recorded sessions, and compare what it says with the client"
EXAMPLES = (
    ("tidegauge conformance ~/.claude/tidegauge/bin/statusline", "our own status line"),
    ("tidegauge conformance 'ccusage statusline'", "another one"),
)
FAILURE = "the status line disagrees with the client somewhere"
_SECONDS = 5.0
_NOT_FOUND = 127
"""The shell's exit code for a missing program."""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("status_line", metavar="COMMAND", help="the status line, one word for the shell (quote it)")
    parser.add_argument("--printed", action="store_true", help="judge what it prints, even if it writes a bridge")
    parser.add_argument("--pattern", metavar="REGEX", help="the percentage in what it prints (default: the first N%%)")
    parser.add_argument("--remaining", action="store_true", help="it prints what is left, not what is in use")
    parser.add_argument("--timeout", metavar="SECONDS", type=float, default=_SECONDS, help="per redraw (default: 5)")
    parser.add_argument("--case", metavar="NAME", action="append", help="only this case; may be repeated")
    add_json(parser)


def run(options: argparse.Namespace, root: str) -> int:
    if not options.status_line.strip() or "\0" in options.status_line:
        raise CommandError("COMMAND: it must be a command for the shell, such as 'ccusage statusline'", USAGE)
    if not 0.1 <= options.timeout <= 60:
        raise CommandError(f"--timeout {options.timeout:g}: it must be between 0.1 and 60", USAGE)
    pattern = _pattern(options.pattern or PERCENTAGE)
    signal.signal(signal.SIGTERM, _exit_on_signal)
    cases = _select_cases(options.case)
    observations = []
    for case in cases:
        observations.append(list(observe(case, options.status_line, options.timeout, root)))
        if any(redraw.status == _NOT_FOUND for redraw in observations[-1]):
            _refuse_missing(options.status_line)
    # A program that writes a bridge at all is judged by it, so a missing one counts as no percentage.
    is_bridge = not options.printed and any(redraw.has_bridge for redraws in observations for redraw in redraws)
    standard = Standard(pattern, is_remaining=options.remaining, is_bridge=is_bridge)
    results = [case_result(*pair, standard) for pair in zip(cases, observations, strict=True)]
    judged = "bridge" if is_bridge else "line"
    document = {"command": options.status_line, "judged": judged, "cases": results}
    print_result(document, _lines(results, judged, width()), as_json=options.json)
    return SOMETHING_WRONG if any(case.faults for case in results) else ALL_RIGHT


def _exit_on_signal(number: int, _frame: FrameType | None) -> NoReturn:
    """Exit on a signal by raising, so that the running status line and its temporary directories go, too."""
    raise SystemExit(128 + number)


def _refuse_missing(line: str) -> None:
    """Raise CommandError if the program of a command line, for which the shell reported `not found`, doesn't exist."""
    with suppress(ValueError):  # unterminated quotes
        program = os.path.expanduser(next(iter(shlex.split(line)), ""))
        if os.path.dirname(program) and not os.path.isabs(program):
            raise CommandError(f"{program}: not found in a directory of its own; give its whole path", USAGE)
        if "=" not in program and shutil.which(program) is None:
            raise CommandError(f"{program}: not found", USAGE)


def _pattern(text: str) -> re.Pattern[str]:
    try:
        pattern = re.compile(text)
    except re.error as problem:
        raise CommandError(f"--pattern {text}: {problem}", USAGE) from None
    except (RecursionError, OverflowError):
        raise CommandError("--pattern: it is nested too deeply, or repeats too often", USAGE) from None
    if not pattern.groups:
        raise CommandError(f"--pattern {text}: its first group must be the number, as in {PERCENTAGE}", USAGE)
    return pattern


def _select_cases(names: list[str] | None) -> list[RecordedCase]:
    cases = read_cases()
    all_names = {case.name for case in cases}
    if unknown := [name for name in names or () if name not in all_names]:
        raise CommandError(f"--case {unknown[0]}: there are {', '.join(sorted(all_names))}", USAGE)
    return [case for case in cases if not names or case.name in names]


def _lines(results: Sequence[CaseResult], judged: str, columns: int | None) -> Iterator[str]:
    """A row per case, with its first fault; what was judged, and how many agree."""
    rows = [TableRow(("", "case", "client", "redraws", "about"))]
    for case in results:
        mark, tone, note = "right", "calm", case.title
        if case.faults:
            more = f"; and {len(case.faults) - 1} more" if len(case.faults) > 1 else ""
            mark, tone, note = "wrong", "urgent", f"{case.title}: {case.faults[0]}{more}"
        rows.append(TableRow((mark, case.name, case.client, f"{case.right}/{case.expected}", note), tone))
    yield from (*table(rows, columns), "")
    by = "its bridge" if judged == "bridge" else "what it prints"
    cases, right = counted(len(results), "case"), sum(not case.faults for case in results)
    redraws = counted(sum(case.expected for case in results), "redraw")
    right_redraws = sum(case.right for case in results)
    yield from folded(f"Judged by {by}: {right} of {cases} right, {right_redraws} of {redraws}.", columns)
