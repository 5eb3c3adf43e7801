"""`python3 -m benchmarks`: measure Tidegauge, freshly installed, against its floors and its peer."""

import argparse
import json
import os
import sys
import tempfile

from benchmarks import groups, growth, gsd, hooks, results
from benchmarks.installation import REPOSITORY, install

RECORD = os.path.join(REPOSITORY, "benchmarks", "results.json")


def main(arguments: list[str]) -> int:
    """Measure, print the tables, write the record."""
    options = _options(arguments)
    with tempfile.TemporaryDirectory(prefix="tidegauge-benchmarks-") as scratch:
        measured = _measure(scratch, options.gsd, options.rounds)
    print(results.tables(measured))
    os.makedirs(os.path.dirname(os.path.abspath(options.json)), exist_ok=True)
    _write(options.json, json.dumps(measured, indent=2) + "\n")
    if options.record:
        _write(RECORD, json.dumps(measured, indent=2) + "\n")
    return 0


def _options(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python3 -m benchmarks", description=__doc__)
    parser.add_argument("--rounds", type=int, default=60, help="runs of each case (default: 60)")
    parser.add_argument("--json", default=os.path.join(REPOSITORY, "dist", "benchmarks.json"), help="where to write")
    parser.add_argument("--gsd", default=os.path.join(REPOSITORY, ".clients", "gsd"), help="where GSD is or goes")
    parser.add_argument("--record", action="store_true", help="also keep it for docs/performance.md")
    return parser.parse_args(arguments)


def _measure(scratch: str, directory: str, rounds: int) -> dict[str, object]:
    print("Installing into an empty home ...", file=sys.stderr)
    installed = install(scratch)
    os.makedirs(os.path.join(scratch, "shop", ".git"))
    _write(os.path.join(scratch, "shop", ".git", "HEAD"), "ref: refs/heads/main\n")
    fetched = gsd.fetch(directory, installed.environment["TMPDIR"], "benchmark-peer")
    peer = None if isinstance(fetched, str) else fetched
    if isinstance(fetched, str):
        print(f"Without GSD: {fetched}.", file=sys.stderr)
    print("Measuring ...", file=sys.stderr)
    measured = [
        groups.monitors(installed, scratch, peer, rounds),
        groups.status_lines(installed, scratch, peer, rounds),
        hooks.hooks(installed, scratch, rounds),
        groups.transcripts(installed, scratch, rounds),
    ]
    return results.record(measured, growth.sessions(installed, scratch, peer), rounds)


def _write(path: str, text: str) -> None:
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


sys.exit(main(sys.argv[1:]))
