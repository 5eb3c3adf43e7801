"""`tidegauge doctor`: whether each link between client and agent holds, and why a warning came or didn't."""

import argparse
import os
import platform
import subprocess
import sys
import time
from collections.abc import Iterator
from typing import Any

import msgspec

from installer import source
from monitor.commands.command import ALL_RIGHT, SOMETHING_WRONG
from monitor.commands.diagnosis import checks, fixes, lines, surroundings, thresholds
from monitor.commands.diagnosis.finding import CheckFinding, CheckStatus, Fix
from monitor.commands.diagnosis.surroundings import Surroundings
from monitor.commands.diagnosis.thresholds import ThresholdRow
from monitor.commands.explanation import report
from monitor.commands.explanation.explain import explain
from monitor.commands.terminal import painted, safe, width
from shared import settings
from shared.secrets.masking import masked

_PROGRAM = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SUMMARY = "name each problem with its fix, or say why a warning came or didn't"


_EPILOG = (
    "--fix loses nothing of yours: it runs tidegauge repair, corrects our files' permissions, and removes run-time "
    "state that can't be read. Exit code: 0 success, 1 something is wrong, 2 the command line is not understood."
)


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = _EPILOG
    parser.add_argument("-v", "--verbose", action="store_true", help="list every check, and the thresholds in force")
    parser.add_argument("--fix", action="store_true", help="apply the safe fixes, then check again")
    parser.add_argument("--json", action="store_true", help="print one JSON object, for scripts and bug reports")
    parser.add_argument(
        "--session", metavar="ID", help="explain one session instead: its id, or enough of its beginning"
    )


def run(options: argparse.Namespace, root: str) -> int:
    place = _look(root)
    if options.session is not None:
        return _explain(place, options.session, as_json=options.json)
    found = checks.find(checks.LINKS + checks.OTHERS, place)
    if options.fix and (wanted := fixes.of(found)):
        for fix, path in wanted:
            print(f"fix: {safe(fixes.carry_out(fix, path, place))}", file=sys.stderr)
        if wanted[-1][0] is Fix.REPAIR:  # what is running has been replaced
            return _start_again(place, options)
        place = _look(root)
        found = checks.find(checks.LINKS + checks.OTHERS, place)
    return _report(place, found, options)


def _look(root: str) -> Surroundings:
    return surroundings.look(root, os.getcwd(), os.environ, time.time())


def _start_again(place: Surroundings, options: argparse.Namespace) -> int:
    flags = [*(["--verbose"] if options.verbose else []), *(["--json"] if options.json else [])]
    return subprocess.run([place.layout.command, "doctor", *flags], check=False).returncode


def _report(place: Surroundings, findings: list[CheckFinding], options: argparse.Namespace) -> int:
    thresholds_found = thresholds.rows(settings.load(place.root, place.environ).config)
    version = source.version(_PROGRAM)
    if options.json:
        system = {"version": version, "python": platform.python_version(), "system": platform.platform()}
        report = {**system, "root": place.root, "findings": findings, "thresholds": thresholds_found}
        # Made to be shown to others, and commands of the person's may hold keys.
        print(masked(msgspec.json.format(msgspec.json.encode(report)).decode()))
    else:
        print(painted(f"Tidegauge {version} in {safe(place.root)}", "bold"))
        print(*_text(findings, thresholds_found, verbose=options.verbose), sep="\n")
    return SOMETHING_WRONG if any(finding.status is CheckStatus.WRONG for finding in findings) else ALL_RIGHT


def _text(findings: list[CheckFinding], found: list[ThresholdRow], *, verbose: bool) -> Iterator[str]:
    columns = width()
    if verbose:
        yield from (*lines.of(findings, columns), "")
        yield from (*lines.table(list(thresholds.cells(found)), columns), f"  {thresholds.footnote()}", "")
        yield lines.summary(findings)
        return
    problems = lines.problems(findings)
    yield from lines.of(problems, columns)
    if any(one.fix for one in problems):
        yield "  tidegauge doctor --fix applies the safe fixes."
    yield (
        f"  {lines.summary(findings)}; -v lists all." if problems else f"  All is well: {lines.summary(findings)} (-v)."
    )


def _explain(place: Surroundings, session: str, *, as_json: bool) -> int:
    found = explain(place, session)
    if as_json:
        _print_json(found)
    else:
        print(*report.text(found), sep="\n")
    is_unmeasured = found.session.reading is None
    is_broken = any(finding.status is CheckStatus.WRONG for finding in found.findings)
    return SOMETHING_WRONG if is_unmeasured or is_broken else ALL_RIGHT


def _print_json(document: Any) -> None:
    print(msgspec.json.format(msgspec.json.encode(document)).decode())
