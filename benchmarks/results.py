"""The results of one run, as the record that is written and as the tables that are read."""

import os
import platform
import subprocess
from typing import Any

from benchmarks import gsd
from benchmarks.groups import PEAK_MEBIBYTES, TARGETS, Group
from benchmarks.growth import Growth


def record(groups: list[Group], growth: Growth, rounds: int) -> dict[str, Any]:
    """Everything that was measured, in milliseconds and MiB."""
    return {
        "machine": machine(),
        "rounds": rounds,
        "targets": [_target(target, group) for target in TARGETS for group in groups if target.case in group.cases],
        "peak": {"most": PEAK_MEBIBYTES, "measured": _highest_peak(groups)},
        "groups": [_group(group) for group in groups],
        "session": {
            "tool_uses": growth.tool_uses,
            "started": growth.started,
            "mean_ms": round(growth.mean * 1000, 1),
            "peer_mean_ms": None if growth.peer_mean is None else round(growth.peer_mean * 1000, 1),
        },
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
    for group in results["groups"]:
        lines += [
            "",
            f"| {group['title']} | median ms | peak MiB | / `{group['reference']}` |",
            "|---|---|---|---|",
        ]
        lines += [
            f"| {case['name']} | {case['median_ms']} | {case['mebibytes']} | {case['ratio']:.2f} |"
            for case in group["cases"]
        ]
    return "\n".join([*lines, "", _session(results["session"]), ""])


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


def _session(session: dict[str, Any]) -> str:
    text = (
        f"A whole session of {session['tool_uses']} tool uses, from 10 % to 90 % of the window: "
        f"{session['mean_ms']} ms added per tool use on average; the interpreter was started for "
        f"{session['started']} of them."
    )
    peer = session["peer_mean_ms"]
    return text if peer is None else f"{text} GSD's monitor adds {peer} ms to each."
