"""`python -m tests.torture.coverage_guided`: inputs for every decoder, guided by the branches they reach.

atheris (libFuzzer) keeps each input that reaches something new and goes on from it. For each decoder it starts from the
captured documents and runs for a number of seconds. Failures are an exception that the decoder's caller doesn't expect,
ten seconds for one input, and 2 GB of memory. docs/reliability.md has the figures.
"""

import argparse
import importlib.util
import multiprocessing
import os
import re
import shutil
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from tests.torture.decoders import DECODERS
from tests.torture.decoders.decoder import Decoder

MISSING = "atheris isn't installed: it has wheels for Linux on x86-64, where requirements/dev.txt brings it"
_LIMITS = ("-timeout=10", "-rss_limit_mb=2048", "-max_len=65536")
"""Seconds for one input, as many as the client gives a hook; memory; and bytes of an input."""
_MEMORY = "/dev/shm"  # noqa: S108  a folder of a name that nobody knows, in there
"""Linux keeps what is written there in memory: an input takes a fifth of the time."""
_SLACK = 60
"""Seconds that a process may take beyond its time."""
_LONGEST_REPORT = 40


class Fuzzing(NamedTuple):
    """The outcome of fuzzing one decoder."""

    inputs: int = 0
    branches_at_first: int = 0
    """That the captured documents reach."""
    branches: int = 0
    failure: str = ""
    """The end of what the process said, and where the input is."""


def main(arguments: Sequence[str]) -> int:
    """Print a row for each decoder; return 1 if one has failed, 2 if there is no atheris."""
    parser = argparse.ArgumentParser(prog="python -m tests.torture.coverage_guided", description=__doc__)
    parser.add_argument("--seconds", type=int, default=10, help="for each decoder (default: 10)")
    parser.add_argument("--corpus", type=Path, help="a folder that keeps what was found for the next run")
    parser.add_argument("--seed", type=int, default=0, help="the same inputs again for the same code (default: others)")
    parser.add_argument("decoders", nargs="*", metavar="DECODER", help="as the table names them (default: all)")
    options = parser.parse_args(arguments)
    if importlib.util.find_spec("atheris") is None:
        sys.stderr.write(f"{MISSING}\n")
        return 2
    if unknown := [name for name in options.decoders if name not in DECODERS]:
        parser.error(f"no such decoder: {', '.join(unknown)}; there are {', '.join(DECODERS)}")
    print("| decoder | inputs | failures | branches at first | in the end |\n|---|---|---|---|---|", flush=True)
    results = []
    for name in options.decoders or DECODERS:
        fuzzing = fuzzed(name, options.seconds, options.corpus, options.seed)
        counts = (fuzzing.inputs, bool(fuzzing.failure), fuzzing.branches_at_first, fuzzing.branches)
        print(f"| {name} | {' | '.join(f'{count:,}' for count in counts)} |", flush=True)
        results.append(fuzzing)
    inputs, failures = sum(result.inputs for result in results), sum(bool(result.failure) for result in results)
    print(f"| all | {inputs:,} | {failures} | | |")
    for name, one in zip(options.decoders or DECODERS, results, strict=True):
        if one.failure:
            sys.stderr.write(f"\n{name}: {one.failure}\n")
    return int(any(result.failure for result in results))


def fuzzed(name: str, seconds: int, shared_corpus: Path | None = None, seed: int = 0, at_most: int = -1) -> Fuzzing:
    """Fuzz the decoder `name` for a number of seconds, with `shared_corpus`; `seed` 0 is any seed.

    At most `at_most` inputs are tried: with a seed they are the same on slow and fast machines.
    """
    # All are forked from one process, which has spent seconds on instrumenting every branch.
    processes = multiprocessing.get_context("forkserver")
    processes.set_forkserver_preload(["tests.torture.fuzzer"])
    memory = _MEMORY if os.path.isdir(_MEMORY) else None
    with tempfile.TemporaryDirectory(prefix="tidegauge-fuzzing-", dir=memory, ignore_cleanup_errors=True) as directory:
        folder, corpus = Path(directory), shared_corpus / re.sub(r"\W+", "-", name) if shared_corpus else None
        if corpus and corpus.exists():
            shutil.copytree(corpus, folder / "corpus")
        options = (
            f"-max_total_time={seconds}",
            f"-runs={at_most}",
            f"-seed={seed}",
            "-print_final_stats=1",
            f"-artifact_prefix={folder}/",
            *_LIMITS,
        )
        process = processes.Process(target=_fuzz, args=(DECODERS[name], folder, options))
        process.start()
        process.join(seconds + _SLACK)
        if process.is_alive():
            process.kill()
            process.join()
        if corpus:
            shutil.copytree(folder / "corpus", corpus, dirs_exist_ok=True)
        output = (folder / "output").read_text(errors="replace")
        branches = [int(count) for count in re.findall(r"\bcov: (\d+)", output)] or [0]
        inputs = [int(count) for count in re.findall(r"(?:^#|number_of_executed_units: +)(\d+)", output, re.MULTILINE)]
        failure = _failure(process.exitcode, output, folder) if process.exitcode or not inputs else ""
        return Fuzzing(max(inputs, default=0), branches[0], branches[-1], failure)


def _fuzz(prepare: Callable[[Path], Decoder], folder: Path, options: Sequence[str]) -> None:
    from tests.torture.fuzzer import fuzz  # noqa: PLC0415  it needs atheris

    fuzz(prepare, folder, options)


def _failure(code: int | None, output: str, folder: Path) -> str:
    """The end of its output, and the failing input, which is moved to its final place."""
    lines = [line for line in output.splitlines() if not line.startswith(("#", "INFO: ", "stat::"))]
    paths = [path for path in folder.iterdir() if path.is_file() and path.name != "output"]
    moved = [f"The input: {shutil.move(path, tempfile.mkdtemp(prefix='tidegauge-found-'))}" for path in paths]
    return "\n".join([f"exit code {code}", *lines[-_LONGEST_REPORT:], *moved])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
