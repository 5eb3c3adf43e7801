"""Outputs of the usual test runners, from the files in `outputs`.

Most were captured: a failing and a passing run of each, with a long middle left out. They begin with
`##### NAME | VERSION | EXIT CODE | COMMAND`. Those in `uncaptured.txt`, of runners that could not be had or of forms
that are rarely printed, are written after them, and begin with `##### NAME`. For a failed run ` | REASON` follows: a
part of the line that says why.
"""

from pathlib import Path
from typing import NamedTuple

_FILES = Path(__file__).parent / "outputs"
_UNCAPTURED = "uncaptured"
_MARK = "##### "


class RunnerOutput(NamedTuple):
    """One run's output."""

    name: str
    output: str
    reason: str = ""
    """Empty for a run that passed."""
    version: str = ""
    exit_code: int = 0
    command: str = ""

    @property
    def end(self) -> str:
        """The output of `| tail -20`."""
        return "\n".join(self.output.splitlines()[-20:])


def _runs(path: Path) -> list[RunnerOutput]:
    runs = []
    for part in path.read_text("utf-8").split(_MARK)[1:]:
        head, _, output = part.partition("\n")
        fields = head.split(" | ")
        if path.stem == _UNCAPTURED:
            runs.append(RunnerOutput(fields[0], output, "".join(fields[1:])))
        else:
            name, version, code, command = fields[:4]
            runs.append(RunnerOutput(name, output, " | ".join(fields[4:]), version, int(code), command))
    return runs


_BY_FILE = {path.stem: _runs(path) for path in sorted(_FILES.glob("*.txt"))}
OUTPUTS = [run for runs in _BY_FILE.values() for run in runs]
CAPTURED = [run for name, runs in _BY_FILE.items() if name != _UNCAPTURED for run in runs]
FAILED = [run for run in OUTPUTS if run.reason]
PASSED = [run for run in OUTPUTS if not run.reason]
