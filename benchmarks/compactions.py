"""`python -m benchmarks.compactions --transcripts DIRECTORY`: measure what compactions lost.

For each compaction in the transcripts: the files read again and the checks run again within the next 20 tool uses,
among those used before it. It counts how many of these, and of every kind of fact, the client's summary names. The
transcripts are only read, and only counts are printed.
"""

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from monitor.activity import reader
from monitor.activity.checks.command import checks_in
from monitor.checkpoints.checkpoint import Checkpoint
from monitor.checkpoints.compaction import Summary, missing
from monitor.checkpoints.save import describe
from monitor.session import Conversation, Project, Session
from shared.client.tools import READ_KINDS, TOOLS
from shared.settings.config import Config
from shared.transcript.line import TranscriptLine, line_in

TOOL_USES = 20
_SESSION = "replayed"


class MeasuredCompaction(NamedTuple):
    """One compaction, with what came before and after."""

    checkpoint: Checkpoint
    summary: str
    again: frozenset[str]
    """Files by path, checks by the bare command: used before it, and again soon after."""


def compactions(transcript: Path) -> Iterator[MeasuredCompaction]:
    """One session's compactions, each recognised by its summary."""
    lines = transcript.read_bytes().splitlines(keepends=True)
    parsed = [line_in(data) for data in lines]
    for number, line in enumerate(parsed):
        if line is None or not line.isCompactSummary or line.isSidechain or line.message is None:
            continue
        checkpoint, names = _before(b"".join(lines[: _boundary(parsed, number)]))
        again = names.intersection(_needed(parsed[number + 1 :]))
        yield MeasuredCompaction(checkpoint, line.message.text, again)


def _boundary(parsed: list[TranscriptLine | None], summary: int) -> int:
    """The index of the line before the summary at which the compaction begins."""
    before = parsed[summary - 1] if summary else None
    return summary - 1 if before is not None and before.type == "system" else summary


def _before(transcript: bytes) -> tuple[Checkpoint, frozenset[str]]:
    """The checkpoint of a transcript with these lines, and all the files and checks in it."""
    with tempfile.TemporaryDirectory(prefix="tidegauge-compactions-") as scratch:
        path = Path(scratch) / "transcript.jsonl"
        path.write_bytes(transcript)
        (Path(scratch) / "run").mkdir()
        session = Session(scratch, Config(), {}, time.time(), scratch)
        conversation = Conversation(_SESSION, str(path))
        checkpoint = describe(conversation, session, Project(scratch, scratch), "auto", None)
        activity = reader.read(scratch, _SESSION, str(path))
        return checkpoint, frozenset({*activity.edited, *activity.read, *activity.checks})


def _needed(after: list[TranscriptLine | None]) -> Iterator[str]:
    """The files read and checks run by the tool uses right after a compaction."""
    uses = TOOL_USES
    for line in after:
        if line is None or line.isSidechain or line.message is None:
            continue
        if line.isCompactSummary:
            return
        for block in line.message.blocks:
            arguments = block.arguments if block.type == "tool_use" else None
            tool = TOOLS.get(block.name)
            if arguments is None or uses == 0:
                continue
            uses -= 1
            target = arguments.get(tool.target) if tool else None
            if tool and isinstance(target, str) and tool.kind in READ_KINDS:
                yield target
            elif tool and isinstance(target, str) and tool.kind == "command":
                yield from (run.command for run in checks_in(target))


def repetitions(compactions: list[MeasuredCompaction]) -> str:
    """The files and checks needed again, and how many of them the summaries name."""
    again = [(Summary(compaction.summary), name) for compaction in compactions for name in compaction.again]
    total = sum(summary.names(os.path.basename(name) if os.path.isabs(name) else name) for summary, name in again)
    return (
        f"{len(compactions)} compactions; {len(again)} files and checks were needed again within {TOOL_USES} tool uses:"
        f"\nthe summary names {total} of them, and lacks {len(again) - total}.\n"
    )


def facts(compactions: list[MeasuredCompaction]) -> str:
    """The share of each kind of fact that the summaries hold, as Markdown."""
    kinds: dict[str, Callable[[Checkpoint], int]] = {
        "commands that failed": lambda one: len(one.failing_commands),
        "open tasks": lambda one: len(one.todo),
        "requests": lambda one: len(one.words.requests) if one.words else 0,
    }
    lines = ["| kind of fact | known | lacking in the summary, wholly or in part |", "|---|---|---|"]
    for kind, count in kinds.items():
        total = sum(count(compaction.checkpoint) for compaction in compactions)
        missing_count = sum(count(missing(compaction.checkpoint, compaction.summary)) for compaction in compactions)
        lines.append(f"| {kind} | {total} | {missing_count} |")
    return "\n".join(lines) + "\n"


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.compactions", description=__doc__)
    parser.add_argument("--transcripts", required=True, type=Path, help="a directory with .jsonl files, at any depth")
    options = parser.parse_args(arguments)
    result = [compaction for path in sorted(options.transcripts.rglob("*.jsonl")) for compaction in compactions(path)]
    print(repetitions(result), facts(result), sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
