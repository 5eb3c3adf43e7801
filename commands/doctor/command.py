"""`tidegauge doctor`: whether each link between client and agent holds, and why a warning came or didn't."""

import argparse
import platform
import subprocess
import sys
from collections.abc import Iterator

from commands.command import ALL_RIGHT, SOMETHING_WRONG, add_json, add_session
from commands.doctor import checks, finding
from commands.doctor.finding import CheckFinding, CheckStatus
from commands.doctor.installation import thresholds
from commands.doctor.installation.thresholds import ThresholdRow
from commands.doctor.session import report
from commands.doctor.session.explain import explain
from commands.environment.environment import Environment, environment_here
from commands.terminal import TableRow, json_text, painted, print_result, safe, table, width
from installer.program import source
from monitor import command_line
from monitor.session import Session
from shared.secrets.masking import masked
from shared.settings.config import Config

SUMMARY = "name each problem with its fix, or say why a warning came or didn't"
EXAMPLES = (
    ("tidegauge doctor", "the problems, each with its fix"),
    ("tidegauge doctor -v", "every check, and the thresholds in force"),
    ("tidegauge doctor --session 5b0c", "why a warning came in that session, or didn't"),
    ("tidegauge doctor --fix", "apply the safe fixes"),
)
FAILURE = "something is wrong"
NOTE = "--fix loses nothing of yours: it runs tidegauge repair, and checks again."


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("-v", "--verbose", action="store_true", help="list every check, and the thresholds in force")
    parser.add_argument("--fix", action="store_true", help="apply the safe fixes, then check again")
    add_json(parser)
    add_session(parser)


def run(options: argparse.Namespace, root: str) -> int:
    environment = environment_here(root)
    if options.session is not None:
        explanation = explain(environment, options.session)
        print_result(explanation, report.lines(explanation, width(), _program(environment)), as_json=options.json)
        return ALL_RIGHT if explanation.is_sound else SOMETHING_WRONG
    findings = checks.find(checks.LINKS + checks.OTHERS, environment)
    if options.fix and finding.can_be_repaired(findings):
        print(f"fix: {safe(_repair(environment.layout.command))}", file=sys.stderr)
        # The running program has been replaced.
        flags = [*(["--verbose"] if options.verbose else []), *(["--json"] if options.json else [])]
        return subprocess.run([environment.layout.command, "doctor", *flags], check=False).returncode
    return _report(environment, findings, options)


def _repair(command: str) -> str:
    """Run the repair, and return one line on what was done, or why it wasn't."""
    if sys.platform == "win32":  # an interpreter that runs cannot be replaced
        return f"to do yourself: {command} repair"
    result = subprocess.run([command, "repair"], stdin=subprocess.DEVNULL, stdout=sys.stderr, check=False)
    return f"{command} repair" + (f" ended with exit code {result.returncode}" if result.returncode else "")


def _report(environment: Environment, findings: list[CheckFinding], options: argparse.Namespace) -> int:
    table_rows = thresholds.rows(environment.configuration.config)
    version = source.version(source.RUNNING)
    if options.json:
        system = {"version": version, "python": platform.python_version(), "system": platform.platform()}
        report = {**system, "root": environment.root, "findings": findings, "thresholds": table_rows}
        # It is meant to be shown to others, and the person's commands may contain keys.
        print(masked(json_text(report)))
    else:
        print(painted(f"Tidegauge {version} in {safe(environment.root)}", "bold"))
        print(*_lines(findings, table_rows, _program(environment), verbose=options.verbose), sep="\n")
    return SOMETHING_WRONG if any(result.status is CheckStatus.WRONG for result in findings) else ALL_RIGHT


def _program(environment: Environment) -> str:
    return command_line.program(Session(environment.root, Config(), environment.environ, environment.now))


def _lines(
    findings: list[CheckFinding], table_rows: list[ThresholdRow], program: str, *, verbose: bool
) -> Iterator[str]:
    columns = width()
    if verbose:
        yield from (*finding.lines(findings, columns, program), "")
        rows = [TableRow(cells) for cells in thresholds.cells(table_rows)]
        yield from (*table(rows, columns), f"  {thresholds.FOOTNOTE}", "")
    else:
        problems = finding.problems(findings)
        yield from finding.lines(problems, columns, program)
        if finding.can_be_repaired(problems):
            yield f"  {program} doctor --fix applies the safe fixes."
    yield f"  {finding.summary(findings)}"
