"""`python -m benchmarks.report`: time `tidegauge report` over a store of made-up sessions."""

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path

from benchmarks.installation import REPOSITORY
from tests.history.page import made_up
from tests.history.questions.stored import Stored


def main() -> None:
    """Measure, and print one line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.report", description=__doc__)
    parser.add_argument("--sessions", type=int, default=1_000)
    parser.add_argument("--answers", type=int, default=150, help="of each session (default: 150)")
    parser.add_argument("--rounds", type=int, default=10)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="tidegauge-report-") as home:
        root = os.path.join(home, ".claude", "tidegauge")
        os.makedirs(root)
        directories = {kind: os.path.join(home, kind) for kind in ("config", "log", "history")}
        Path(root, "directories.json").write_text(json.dumps(directories))
        with ExitStack() as opened:
            stored = Stored(root, opened)
            made_up.sessions(stored, options.sessions, options.answers, now=int(time.time()))
            made_up.rate_limits(stored, 30, now=int(time.time()))
        environ = {"PATH": os.environ["PATH"], "HOME": home, "PYTHONPATH": REPOSITORY}
        page = os.path.join(home, "page.html")
        seconds = sorted(
            _run([sys.executable, "-m", "commands", "report", "--output", page], environ) for _ in range(options.rounds)
        )
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        megabytes = os.path.getsize(page) / 1e6
    print(
        f"{options.sessions:,} sessions of {options.answers:,} answers, {options.rounds} runs: "
        f"median {statistics.median(seconds):.2f} s, slowest {seconds[-1]:.2f} s, "
        f"{(used.ru_utime + used.ru_stime) / options.rounds:.2f} s of a processor each; the page has {megabytes:.2f} MB"
    )


def _run(command: list[str], environ: dict[str, str]) -> float:
    begun = time.perf_counter()
    subprocess.run(command, env=environ, check=True, capture_output=True)
    return time.perf_counter() - begun


if __name__ == "__main__":
    main()
