"""`python -m benchmarks.calls [--list]`: count each process's files, calls of our functions, locks and renames.

Only calls of our named functions count, a generator's at each step: newer interpreters make no calls for
comprehensions. `--list` adds each row's files, with their called functions and the number of calls.
Unlike seconds, counts are the same on every machine, however busy. Each process answers once with the profile `core`,
in a session of seven answers.
"""

import collections
import inspect
import os
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path
from types import FrameType

import msgspec

from benchmarks import payload, transcript
from benchmarks.installation import REPOSITORY
from shared import paths
from shared.client import client
from tests import scratch

SESSION = "benchmark-calls"
ANSWERS = 7
PROGRAM = tuple(f"{room}{os.sep}" for room in ("shared", "monitor", "statusline"))
TOOL_USE, STATUS_LINE = "monitor.dispatch", "statusline.line"
ROWS = {
    "tool use, quiet": (TOOL_USE, 60_000, 0),
    "tool use, WARNING": (TOOL_USE, 131_000, 0),
    "tool use, CRITICAL, with its checkpoint": (TOOL_USE, 151_000, 0),
    "tool use, CRITICAL again": (TOOL_USE, 151_000, 2),
    "status line": (STATUS_LINE, 60_000, 0),
}
"""A process's module, the tokens in the window, and how many tool uses at that level went before."""
_PLACE = "/tmp"  # noqa: S108  as deep on every machine: a repository is looked for in each directory above
_CHILD = "import sys; sys.path[:0] = sys.argv[1:3]; from benchmarks import calls; calls.answer_counted(*sys.argv[3:])"


class Count(msgspec.Struct):
    """The counts of one process's answer, without starting and importing."""

    files: dict[str, dict[str, int]] = {}
    """Files of ours of which a function was called: how often each of them was."""
    locks: int = 0
    renames: int = 0
    opened: int = 0
    """How often the transcript was opened."""
    answer: str = ""

    @property
    def calls(self) -> int:
        return sum(sum(functions.values()) for functions in self.files.values())


def main(arguments: list[str]) -> int:
    """Print a row for each process; with `--list`, also its files with their called functions."""
    print(f"{'':42} files  calls  locks  renames  transcript opened")
    for name, row in ROWS.items():
        count = count_of(*row)
        print(f"{name:42} {len(count.files):5}  {count.calls:5}  {count.locks:5}  {count.renames:7}  {count.opened:17}")
        if arguments == ["--list"]:
            print(*listed(count), sep="\n")
    return 0


def listed(count: Count) -> list[str]:
    """A line for each file: calls, path and functions, most called first."""
    lines = []
    for file, functions in sorted(count.files.items()):
        often = sorted(functions.items(), key=lambda function: -function[1])
        lines.append(f"  {sum(functions.values()):4}  {file}: " + ", ".join(f"{name} {times}" for name, times in often))
    return lines


def count_of(module: str, tokens: int, before: int = 0) -> Count:
    """Count the process `module` at `tokens` tokens, after `before` tool uses. Raises CalledProcessError."""
    with tempfile.TemporaryDirectory(prefix="tidegauge-calls-", dir=_PLACE) as folder:
        home = Path(folder)
        root, project, path = scratch.install(home, "core"), home / "shop", home / "session.jsonl"
        project.mkdir()
        Path(paths.run_directory(str(root))).mkdir()  # as the installer does
        for turn in range(1, ANSWERS + before):
            _append(path, transcript.answer(turn, tokens - transcript.GROWTH * max(0, ANSWERS - turn)))
            if turn >= ANSWERS:
                _run(module, root, payload.tool_use(SESSION, str(path), str(project), transcript.tool_use_id(turn)))
            _append(path, transcript.result(turn))
        newest = ANSWERS + before
        _append(path, transcript.answer(newest, tokens))
        if module == STATUS_LINE:
            return _run(module, root, payload.status(SESSION, str(path), str(project), tokens))
        return _run(module, root, payload.tool_use(SESSION, str(path), str(project), transcript.tool_use_id(newest)))


def _run(module: str, root: Path, stdin: bytes) -> Count:
    packages = sysconfig.get_path("purelib")
    command = [sys.executable, "-I", "-S", "-c", _CHILD, REPOSITORY, packages, module, str(root)]
    environ = scratch.environment(root) | {client.PROJECT_VARIABLE: str(root.parents[1] / "shop")}
    result = subprocess.run(command, input=stdin, env=environ, check=True, stdout=subprocess.PIPE)
    return msgspec.json.decode(result.stdout, type=Count)


def answer_counted(module: str, root: str) -> None:
    """Answer stdin as the process `module` does, and print the counts."""
    sys.dont_write_bytecode = True  # which would rename files
    __import__(module)
    if module == TOOL_USE:
        __import__("monitor.hooks.post_tool_use")
    files, events, count = dict[str, dict[str, int]](), collections.Counter[str](), Count()
    stdin = sys.stdin.buffer.read()

    def note_call(frame: FrameType, event: str, _: object) -> None:
        code = frame.f_code
        file = os.path.relpath(code.co_filename, REPOSITORY)
        is_named = code.co_flags & inspect.CO_OPTIMIZED and not code.co_name.startswith("<")  # no module, no class
        if event == "call" and is_named and file.startswith(PROGRAM):
            functions, name = files.setdefault(file, {}), code.co_qualname
            functions[name] = functions.get(name, 0) + 1

    def note_event(name: str, arguments: tuple[object, ...]) -> None:
        if name in {"fcntl.flock", "os.rename"} or (name == "open" and str(arguments[0]).endswith("session.jsonl")):
            events[name] += 1

    sys.addaudithook(note_event)
    sys.setprofile(note_call)
    answer = sys.modules[module].main(stdin, root)
    sys.setprofile(None)
    count.files = files
    count.locks, count.renames, count.opened = events["fcntl.flock"], events["os.rename"], events["open"]
    count.answer = (answer if isinstance(answer, bytes) else answer.stdout).decode()
    sys.stdout.buffer.write(msgspec.json.encode(count))


def _append(path: Path, data: bytes) -> None:
    with path.open("ab") as file:
        file.write(data)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
