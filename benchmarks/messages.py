"""`python -m benchmarks.messages --transcripts DIRECTORY`: count the messages in your own sessions.

Each session is replayed twice through the hook of a tool use: once with the summary file written after each message
that names it, once without. The transcripts are only read.

Many transcripts don't tell how large the window was, and in an assumed window a message comes once. `--window SIZE`
sets it for all sessions that fit into it, so that messages are repeated.
"""

import argparse
import os
import re
import statistics
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import msgspec

from benchmarks.gate import OURS, SESSION, ReplayStage, tool_uses
from monitor import dispatch
from monitor.memory import memory as memories
from monitor.memory.memory import Memory
from shared.text.quantities import counted
from shared.transcript.line import line_in
from shared.transcript.records import answer_in

_LEVEL = re.compile(rb"CONTEXT WINDOW ([A-Z]+)")
SUMMARY = "PROJECT-SUMMARY.md"


class SessionCount(msgspec.Struct):
    """The messages that the agent read in one session."""

    messages: int = 0
    repeats: int = 0
    """Messages of a level at which the file had been written since the last one, and that hasn't risen since."""
    most: int = 0
    """Messages of one level in one window cycle, at most."""


def main(arguments: list[str]) -> int:
    """Replay every session, and print a row for each reaction to the messages."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.messages", description=__doc__)
    parser.add_argument("--transcripts", required=True, type=Path, help="a directory with .jsonl files, at any depth")
    parser.add_argument("--window", metavar="SIZE", type=int, help="tokens of every window; leaves out what is larger")
    options = parser.parse_args(arguments)
    for name in [name for name in os.environ if name.startswith(OURS)]:
        del os.environ[name]
    paths = sorted(options.transcripts.rglob("*.jsonl"))
    settings = ""
    if options.window:
        paths = [path for path in paths if most_tokens(path) <= options.window]
        settings = f"[window]\nsize = {options.window}\n"
    print(counted(len(paths), "session"))
    for title, is_written in (("written after each message", True), ("never written", False)):
        counts = (replay(path, settings, is_written=is_written) for path in paths)
        print(row(title, [count for count in counts if count.messages]))
    return 0


def most_tokens(path: Path) -> int:
    """Tokens in the window at the fullest point of the session at `path`."""
    with path.open("rb") as file:
        lines = (line_in(data) for data in file if b'"usage"' in data)
        answers = (answer_in(line, 0, is_subagent=False) for line in lines if line)
        return max((answer.tokens for answer in answers if answer), default=0)


def replay(path: Path, settings: str = "", *, is_written: bool) -> SessionCount:
    """The messages in the session at `path`; `settings` are TOML."""
    with tempfile.TemporaryDirectory(prefix="tidegauge-replay-") as scratch:
        stage = ReplayStage(Path(scratch) / "stage", Path(scratch) / "transcript.jsonl", settings)
        count, last, by_level = SessionCount(), None, Counter[tuple[str, str]]()
        for message in messages(path, stage):
            count.messages += 1
            count.repeats += message == last
            by_level[message.level, message.compaction] += 1
            if is_written:
                with (stage.project / SUMMARY).open("a") as file:
                    file.write(f"At {message.level}.\n")
                last = message
        stage.check()
        count.most = max(by_level.values(), default=0)
        return count


class LevelMessage(NamedTuple):
    """One message."""

    level: str
    compaction: str
    """What its window cycle began with."""
    rises: int
    """How often a level had risen until then, also again after a rewind."""


def messages(path: Path, stage: ReplayStage) -> Iterator[LevelMessage]:
    """The messages, as the session continues."""
    rises, memory = 0, Memory()
    with path.open("rb") as source, stage.transcript.open("wb", buffering=0) as copy:
        for use in tool_uses(path):
            copy.write(source.read(max(0, use.ends - copy.tell())))
            match = _LEVEL.search(dispatch.main(stage.event(use), str(stage.root)).stdout)
            before, memory = memory, memories.read(str(stage.root), SESSION)
            rises += memory.level.notified > before.level.notified
            if match:
                yield LevelMessage(match[1].decode(), memory.compaction, rises)


def row(title: str, counts: list[SessionCount]) -> str:
    """A line with the number of sessions, and the messages in each."""
    numbers = [count.messages for count in counts]
    mean = statistics.mean(numbers) if numbers else 0
    return (
        f"{title}: {counted(len(counts), 'session')} at a level, {mean:.1f} messages each (at most "
        f"{max(numbers, default=0)}; of one level in one window cycle at most "
        f"{max((count.most for count in counts), default=0)}), "
        f"{sum(count.repeats for count in counts)} repeated after the file was written"
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
