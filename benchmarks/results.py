"""The results of one run, as a record for programs and as tables for people."""

import itertools
import os
import platform
import subprocess
from typing import Any

from benchmarks import gsd
from benchmarks.groups import PEAK_MEBIBYTES, TARGETS, Group
from benchmarks.growth import Growth

SESSION_MILLISECONDS = (10, 15)
"""What a session may add to a tool use at most, on average: with a transcript that is up to date, with a late one."""


def record(groups: list[Group], sessions: list[Growth], rounds: int) -> dict[str, Any]:
    """All measurements, in milliseconds and MiB."""
    return {
        "machine": machine(),
        "rounds": rounds,
        "targets": [_target(target, group) for target in TARGETS for group in groups if target.case in group.cases],
        "peak": {"most": PEAK_MEBIBYTES, "measured": _highest_peak(groups)},
        "groups": [_group(group) for group in groups],
        "sessions": [_growth(growth) for growth in sessions],
    }


def machine() -> str:
    """The class of this machine; never its name."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / (1 << 30)
    parts = [f"{platform.system()} {platform.machine()}", f"{os.cpu_count()} cores", f"{memory:.0f} GiB"]
    parts.append(f"CPython {platform.python_version()}")
    try:
        node = subprocess.run(["node", "--version"], capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return ", ".join(parts)
    return ", ".join([*parts, f"Node {node.removeprefix('v')}", f"GSD {gsd.VERSION}"])


def tables(results: dict[str, Any]) -> str:
    """The record as markdown."""
    lines = [f"{results['machine']}; {results['rounds']} rounds.", "", "| to reach | target | measured | |"]
    lines.append("|---|---|---|---|")
    for target in results["targets"]:
        measured = _number(target["measured"])
        lines.append(f"| {target['name']} | ≤ {target['most']} | {measured} | {_verdict(target)} |")
    peak = results["peak"]
    lines.append(
        f"| peak memory of either process, any transcript | ≤ {peak['most']} MiB | {peak['measured']} MiB "
        f"| {_verdict(peak)} |"
    )
    for reference, groups in itertools.groupby(results["groups"], lambda group: group["reference"]):
        cases = {case["name"]: case for group in groups for case in group["cases"]}
        first = cases.pop(reference)
        lines += [
            "",
            f"| a process (at PostToolUse, unless named) | median ms | peak MiB | / `{reference}` |",
            "|---|---|---|---|",
        ]
        lines += [
            f"| {case['name']} | {case['median_ms']} | {case['mebibytes']} | {case['ratio']:.2f} |"
            for case in [first, *cases.values()]
        ]
    return "\n".join([*lines, "", *_sessions(results["sessions"]), ""])


def _target(target: Any, group: Group) -> dict[str, Any]:
    reference = group.cases.get(target.reference)
    measured = None if reference is None else round(group.cases[target.case].ratio(reference), 3)
    return {"name": target.name, "most": target.most, "measured": measured}


def _highest_peak(groups: list[Group]) -> float:
    foreign = ("python ", "node ", "GSD ")
    ours = [c.mebibytes for group in groups for c in group.cases.values() if not c.name.startswith(foreign)]
    return round(max(ours), 1)


def _group(group: Group) -> dict[str, Any]:
    reference = group.cases[group.reference]
    cases = [
        {
            "name": case.name,
            "median_ms": round(case.median * 1000, 1),
            "mebibytes": round(case.mebibytes, 1),
            "ratio": round(case.ratio(reference), 3),
        }
        for case in group.cases.values()
    ]
    return {"title": group.title, "reference": group.reference, "cases": cases}


def _number(measured: float | None) -> str:
    return "not measured" if measured is None else f"{measured:.2f}"


def _verdict(target: dict[str, Any]) -> str:
    if target["measured"] is None:
        return ""
    return "reached" if target["measured"] <= target["most"] else "**missed**"


def _growth(growth: Growth) -> dict[str, Any]:
    return {
        "lag_ms": round(growth.lag * 1000),
        "most": SESSION_MILLISECONDS[growth.lag > 0],
        "tool_uses": growth.tool_uses,
        "started": growth.started,
        "messages": growth.messages,
        "measured": round(growth.mean * 1000, 1),
        "peer_mean_ms": None if growth.peer_mean is None else round(growth.peer_mean * 1000, 1),
    }


def _sessions(sessions: list[dict[str, Any]]) -> list[str]:
    rows = [
        f"| {session['lag_ms']} ms late | {session['started']} | {session['messages']} | {session['measured']} "
        f"| ≤ {session['most']} | {_verdict(session)} | {_milliseconds(session['peer_mean_ms'])} |"
        for session in sessions
    ]
    return [
        f"Whole sessions of {sessions[0]['tool_uses']} tool uses, from 10% to 90% of the window:",
        "",
        "| the answer is written | interpreter started | messages | ms added to a tool use | target | | GSD, ms |",
        "|---|---|---|---|---|---|---|",
        *rows,
    ]


def _milliseconds(measured: float | None) -> str:
    return "not measured" if measured is None else str(measured)
