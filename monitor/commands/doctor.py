"""`tidegauge doctor`: whether each link between client and agent holds, and why a warning came or didn't."""

import argparse
import os
import time
from typing import Any

import msgspec

from monitor.commands.command import ALL_RIGHT, SOMETHING_WRONG
from monitor.commands.diagnosis import checks, lines, surroundings, thresholds
from monitor.commands.diagnosis.finding import CheckStatus
from monitor.commands.diagnosis.surroundings import Surroundings
from monitor.commands.explanation import report
from monitor.commands.explanation.explain import explain
from monitor.commands.terminal import painted, safe
from shared import settings

SUMMARY = "check each link, or say why a warning came or didn't"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--session", metavar="ID", help="explain one session instead: its id, or enough of its beginning"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(options: argparse.Namespace, root: str) -> int:
    place = surroundings.look(root, os.getcwd(), os.environ, time.time())
    if options.session is not None:
        return _explain(place, options.session, as_json=options.json)
    return _check(place, as_json=options.json)


def _check(place: Surroundings, *, as_json: bool) -> int:
    findings = checks.find(checks.LINKS + checks.OTHERS, place)
    found = thresholds.rows(settings.load(place.root, place.environ).config)
    if as_json:
        _print_json({"root": place.root, "findings": findings, "thresholds": found})
    else:
        print(painted(f"Tidegauge in {safe(place.root)}", "bold"))
        print(*lines.of(findings), "", sep="\n")
        print(*lines.table(list(thresholds.cells(found))), f"  {thresholds.footnote()}", "", sep="\n")
        print(lines.summary(findings))
    return SOMETHING_WRONG if any(finding.status is CheckStatus.WRONG for finding in findings) else ALL_RIGHT


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
