"""`python -m benchmarks.history`: measure a first sync of about 1 GB, paired with ccusage; a second; the store.

The folder is made for it and removed again. ccusage is fetched from npm as a native program, and reads the same folder
for its daily totals; without it the pairing is left out. Everything is checked against the folder's known totals: a run
that counts anything else is an error.
"""

import argparse
import glob
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile

from benchmarks import history_tree
from benchmarks.case import Case, Unexpected
from benchmarks.installation import REPOSITORY, BenchmarkInstallation, install
from benchmarks.process import TimedRun, peak, run

PACKAGE, VERSION = "ccusage", "20.0.24"
ROUNDS, MEGABYTES = 5, 1_000
MOST_RATIO, MOST_SECONDS, MOST_MEBIBYTES, MOST_BYTES = 1.5, 0.3, 150, 240
_PROCESSES = 3
"""Of a first sync: one writes, two read."""


def main(arguments: list[str]) -> int:
    """Measure and print; return 1 if a figure is beyond its limit."""
    parser = argparse.ArgumentParser(prog="python3 -m benchmarks.history", description=__doc__)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--megabytes", type=int, default=MEGABYTES)
    parser.add_argument(
        "--ccusage", default=os.path.join(REPOSITORY, ".clients", "ccusage"), help="where it is or goes"
    )
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="tidegauge-benchmarks-") as scratch:
        installed = install(scratch)
        totals = history_tree.make(os.path.dirname(installed.root), options.megabytes)
        print(f"{options.megabytes:,} MB: {totals.calls:,} calls, {totals.sessions + totals.subagents:,} files")
        return 0 if _measure(installed, totals, _ccusage(options.ccusage, installed), options.rounds) else 1


def _measure(installed: BenchmarkInstallation, totals: history_tree.Totals, peer: Case | None, rounds: int) -> bool:
    store = _store(installed)
    command = [os.path.join(installed.root, "bin", "tidegauge"), "history"]

    def forget() -> None:
        for path in glob.glob(f"{store}*"):
            os.unlink(path)

    first = Case(
        "first sync", [*command, "sync"], installed.environment, prepare=forget, expected=b"with something new"
    )
    second = Case("second sync", [*command, "sync"], installed.environment, expected=b", 0 with")
    ours, theirs, again = [], [], []
    for _ in range(rounds):
        theirs += [run(peer)] if peer else []
        ours.append(run(first))
        again.append(run(second).seconds)
    asked = json.loads(
        run(Case("totals", [*command, "totals", "--json"], installed.environment, expected=b"calls")).output
    )
    if asked != totals._asdict():
        raise Unexpected(f"totals: {asked}, not {totals._asdict()}")
    memory = peak(first)
    size = os.path.getsize(store) / totals.calls
    rows = [
        ("second sync, nothing new", statistics.median(again), MOST_SECONDS, "s"),
        ("memory of the largest process", memory, MOST_MEBIBYTES / _PROCESSES, "MiB"),
        ("the store", size, MOST_BYTES, "bytes a call"),
    ]
    _print_times("first sync", ours)
    if theirs:
        _print_times("ccusage", theirs)
        pairs = list(zip(ours, theirs, strict=True))
        ratio = statistics.median(mine.processor_seconds / other.processor_seconds for mine, other in pairs)
        print(f"{'processor time / ccusage':32}{ratio:8.2f}")
        ratio = statistics.median(mine.seconds / other.seconds for mine, other in pairs)
        rows.insert(0, ("first sync / ccusage", ratio, MOST_RATIO, ""))
    for name, value, most, unit in rows:
        print(f"{name:32}{value:8.2f} {unit} (at most {most:g}){'' if value <= most else '  TOO MUCH'}")
    return all(value <= most for _, value, most, _ in rows)


def _print_times(name: str, runs: list[TimedRun]) -> None:
    seconds, processor = zip(*[(run.seconds, run.processor_seconds) for run in runs], strict=True)
    print(f"{name:32}{statistics.median(seconds):8.2f} s, {statistics.median(processor):.2f} s of processor time")


def _store(installed: BenchmarkInstallation) -> str:
    with open(os.path.join(installed.root, "directories.json"), encoding="utf-8") as file:
        return os.path.join(json.load(file)["history"], "history.sqlite")


def _ccusage(directory: str, installed: BenchmarkInstallation) -> Case | None:
    """The path of ccusage's native program; None, with a printed line, if it can't be installed."""
    pattern = os.path.join(directory, "node_modules", "@ccusage", "*", "bin", "ccusage*")
    if not glob.glob(pattern) and shutil.which("npm"):
        quiet = ["--no-save", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"]
        command = ["npm", "install", *quiet, "--prefix", directory, f"{PACKAGE}@{VERSION}"]
        subprocess.run(command, check=False, stdout=subprocess.DEVNULL)
    for program in glob.glob(pattern):
        os.chmod(program, 0o700)  # npm leaves it to a script, which isn't run
        environment = dict(installed.environment) | {"CLAUDE_CONFIG_DIR": os.path.dirname(installed.root)}
        return Case("ccusage", [program, "claude", "daily", "--offline", "--json"], environment, expected=b"totals")
    print(f"Without {PACKAGE}: npm could not install it.", file=sys.stderr)
    return None


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
