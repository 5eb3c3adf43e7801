"""`python -m benchmarks.mutations`: find what the tests miss, with one small fault at a time in a copy of the tree.

It draws a sample by a seed, with each room's share. A mutant faces the tests that mirror its file, then, if it
survives, its room's tests, and then those of the hooks and those beside the rooms. The figures are in
docs/reliability.md.
"""

import argparse
import glob
import os
import random
import resource
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import venv
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from benchmarks.installation import REPOSITORY
from benchmarks.mutation import Mutation, mutations

ROOMS = (
    "hooks", "activity", "checkpoints", "exporting", "guards", "measuring", "memory", "pivot", "prompts", "speakers",
)  # fmt: skip
FOLDERS = ("shared", *(f"monitor/{room}" for room in ROOMS))
LEAST = 10
"""Mutants of a folder, however small it is."""
LONGEST = 300
"""Seconds for the tests of one mutant, which may never end."""
MEMORY = 4 << 30
"""Bytes for each of their processes: a mutant may collect without end."""
JOBS = 2
"""Copies that are tested at once."""
PYTEST = ("-m", "pytest", "-x", "-q", "--no-header", "-p", "no:cacheprovider")


class Copy:
    """A copy of the tree, with an environment in which every process of a test uses this copy."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        shutil.copytree(REPOSITORY, folder, ignore=shutil.ignore_patterns(".git", ".venv*", ".clients", "__pycache__"))
        venv.create(folder / ".venv", symlinks=True)
        packages = Path(sysconfig.get_path("purelib"))
        own = folder / ".venv" / packages.relative_to(sys.prefix)
        for package in packages.iterdir():
            if package.suffix != ".pth":
                own.joinpath(package.name).symlink_to(package)
        (own / "tidegauge.pth").write_text(f"{folder}\n")

    def killer(self, mutation: Mutation) -> str:
        """The test that fails with this mutation; "" if none does."""
        file = self._folder / mutation.path
        source = file.read_bytes()
        try:
            self._write(file, mutation.applied(source))
            room, *others = wider(os.path.dirname(mutation.path))
            stages = (mirrored(mutation.path), [room], others)
            return next((failed for tests in stages if (failed := self.failure(tests))), "")
        finally:
            self._write(file, source)

    def failure(self, tests: Sequence[str], longest: int = LONGEST) -> str:
        """The first of these tests that fails within `longest` seconds; "" if none fails or there are none."""
        if not tests:
            return ""
        command = [str(self._folder / ".venv" / "bin" / "python"), *PYTEST, *tests]
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as scratch:  # pytest's, which nobody else fills
            environ = os.environ | {"TMPDIR": scratch}
            try:
                result = subprocess.run(
                    command, cwd=self._folder, env=environ, capture_output=True, text=True, check=False, timeout=longest
                )
            except subprocess.TimeoutExpired:
                return f"more than {longest} seconds"
        failed = [line for line in result.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))]
        return "" if result.returncode == 0 else [result.stdout + result.stderr, *failed][-1]

    def _write(self, file: Path, source: bytes) -> None:
        file.write_bytes(source)
        # Two mutants of one second and one length are the same to Python's cache.
        shutil.rmtree(file.parent / "__pycache__", ignore_errors=True)


def main() -> int:
    """Print each mutant's outcome and the number killed; return 1 if a test fails without a mutation."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.mutations", description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("folders", nargs="*", default=FOLDERS, help="folders of the tree (default: all)")
    options = parser.parse_args()
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    sampled = sample(options.folders, options.count, options.seed)
    with tempfile.TemporaryDirectory() as scratch, ThreadPoolExecutor(JOBS) as pool:
        copies = [Copy(Path(scratch, str(number))) for number in range(JOBS)]
        tests = list(dict.fromkeys(test for folder in options.folders for test in wider(folder)))
        if failed := copies[0].failure(tests, LONGEST * len(options.folders)):
            print(f"Fails without a mutation: {failed}")
            return 1
        shares = [(copy, sampled[number::JOBS]) for number, copy in enumerate(copies)]
        survivors = [survivor for some in pool.map(survivors_of, *zip(*shares, strict=True)) for survivor in some]
    for folder in options.folders:
        count, surviving = (sum(mutation.path.startswith(folder) for mutation in some) for some in (sampled, survivors))
        print(f"{folder}: {count - surviving} of {count} killed")
    print(f"{1 - len(survivors) / len(sampled):.1%} of {len(sampled)} killed")
    return 0


def survivors_of(copy: Copy, chosen: Sequence[Mutation]) -> list[Mutation]:
    """The mutations that no test notices."""
    survivors = []
    for mutation in chosen:
        killer = copy.killer(mutation)
        print(f"{'killed' if killer else 'SURVIVED'}  {mutation}  {killer}", flush=True)
        if not killer:
            survivors.append(mutation)
    return survivors


def sample(folders: Sequence[str], count: int, seed: int) -> list[Mutation]:
    """About `number` mutations, each folder's share in proportion to its possible ones, but at least LEAST."""
    chance = random.Random(seed)  # noqa: S311  the same sample in each run
    possible = [mutations_in(folder) for folder in folders]
    total = sum(map(len, possible))
    shares = [max(LEAST, round(count * len(result) / total)) for result in possible]
    return [chosen for result, share in zip(possible, shares, strict=True) for chosen in chance.sample(result, share)]


def mutations_in(folder: str) -> list[Mutation]:
    """All mutations of the files in a folder."""
    files = sorted(Path(REPOSITORY, folder).rglob("*.py"))
    sources = [(file.relative_to(REPOSITORY).as_posix(), file.read_bytes()) for file in files]
    return [mutation for path, source in sources for mutation in mutations(path, source)]


def mirrored(path: str) -> list[str]:
    """The tests named after a file, in any room."""
    top, name = path.split("/", maxsplit=1)[0], os.path.basename(path).removesuffix(".py")
    return sorted(glob.glob(f"tests/{top}/**/test_{name}*.py", root_dir=REPOSITORY, recursive=True))


def wider(folder: str) -> list[str]:
    """The tests of shared/ and its nearest users, or of a folder's room, plus the hooks' and those beside the rooms."""
    if folder.startswith("shared"):
        users = [f"tests/monitor/{room}" for room in ("measuring", "prompts", "speakers")]
        return ["tests/shared", "tests/statusline", "tests/test_docs.py", *users]
    loose = sorted(glob.glob("tests/monitor/test_*.py", root_dir=REPOSITORY))
    return list(dict.fromkeys([os.path.join("tests", *folder.split("/")[:2]), "tests/monitor/hooks", *loose]))


if __name__ == "__main__":
    sys.exit(main())
