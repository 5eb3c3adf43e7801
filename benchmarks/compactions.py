"""`python -m benchmarks.compactions --transcripts DIRECTORY`: what a compaction lost, and who had named it.

Of each compaction in the transcripts: the files read again and the checks run again within the next 20 tool uses,
among those that were used before it. Counted is what the client's summary names of these, and what five lines name
next to it: ours, or a plain list. The transcripts are only read, and nothing but counts is printed.
"""

import argparse
import random
import sys
import tempfile
import time
from collections.abc import Callable, Collection, Iterator
from pathlib import Path
from typing import NamedTuple

from monitor.activity import reader
from monitor.activity.activity import Activity
from monitor.activity.checks.command import checks_in
from monitor.checkpoints.checkpoint import Checkpoint
from monitor.checkpoints.lost import missing
from monitor.checkpoints.save import describe
from monitor.session import Conversation, Project, Session
from shared.client.tools import READ_KINDS, TOOLS
from shared.settings.config import Config
from shared.transcript.line import TranscriptLine, line_in

TOOL_USES, LINES, CHECKS = 20, 5, 3
SEED = 9
_SESSION = "replayed"


class MeasuredCompaction(NamedTuple):
    """One compaction, with what came before and after."""

    checkpoint: Checkpoint
    activity: Activity
    summary: str
    again: frozenset[str]
    """Files by path, checks by the bare command: used before it, and again soon after."""


def compactions(transcript: Path) -> Iterator[MeasuredCompaction]:
    """Those of one session, each known by its summary."""
    lines = transcript.read_bytes().splitlines(keepends=True)
    parsed = [line_in(data) for data in lines]
    for number, line in enumerate(parsed):
        if line is None or not line.isCompactSummary or line.isSidechain or line.message is None:
            continue
        checkpoint, activity = _before(b"".join(lines[: _boundary(parsed, number)]))
        known = {*activity.edited, *activity.read, *activity.checks}
        again = known.intersection(_needed(parsed[number + 1 :]))
        yield MeasuredCompaction(checkpoint, activity, line.message.text, frozenset(again))


def _boundary(parsed: list[TranscriptLine | None], summary: int) -> int:
    """The line before the summary at which the compaction begins."""
    before = parsed[summary - 1] if summary else None
    return summary - 1 if before is not None and before.type == "system" else summary


def _before(transcript: bytes) -> tuple[Checkpoint, Activity]:
    with tempfile.TemporaryDirectory(prefix="tidegauge-compactions-") as scratch:
        path = Path(scratch) / "transcript.jsonl"
        path.write_bytes(transcript)
        (Path(scratch) / "run").mkdir()
        session = Session(scratch, Config(), {}, time.time(), scratch)
        conversation = Conversation(_SESSION, str(path))
        checkpoint = describe(conversation, session, Project(scratch, scratch), "auto", None)
        return checkpoint, reader.read(scratch, _SESSION, str(path))


def _needed(after: list[TranscriptLine | None]) -> Iterator[str]:
    """What the tool uses right after a compaction read and check."""
    left = TOOL_USES
    for line in after:
        if line is None or line.isSidechain or line.message is None:
            continue
        if line.isCompactSummary:
            return
        for block in line.message.blocks:
            given = block.arguments if block.type == "tool_use" else None
            tool = TOOLS.get(block.name)
            if given is None or left == 0:
                continue
            left -= 1
            target = given.get(tool.target) if tool else None
            if tool and isinstance(target, str) and tool.kind in READ_KINDS:
                yield target
            elif tool and isinstance(target, str) and tool.kind == "command":
                yield from (run.command for run in checks_in(target))


def ours(compaction: MeasuredCompaction) -> list[str]:
    """What the alert tells of files and checks, in its order."""
    left = missing(compaction.checkpoint, compaction.summary)
    checks = [check.command for check in left.checks]
    return [*checks[:CHECKS], *(use.path for use in (*left.files_edited, *left.files_read))][:LINES]


def unfiltered(compaction: MeasuredCompaction) -> list[str]:
    """The same without a look at the summary."""
    checks = [check.command for check in compaction.checkpoint.checks]
    return [*checks[:CHECKS], *(use.path for use in compaction.checkpoint.files_edited)][:LINES]


def newest_files(compaction: MeasuredCompaction) -> list[str]:
    calls = reversed(compaction.activity.log.calls)
    return list(dict.fromkeys(call.path for call in calls if (call.is_read or call.is_edit) and call.is_done))[:LINES]


def random_files(compaction: MeasuredCompaction) -> list[str]:
    files = sorted({*compaction.activity.edited, *compaction.activity.read})
    chosen = random.Random(f"{SEED} {len(files)}")  # noqa: S311  the same files in each run
    return chosen.sample(files, min(LINES, len(files)))


CHOICES: dict[str, Callable[[MeasuredCompaction], list[str]]] = {
    "ours: what the summary lacks": ours,
    "ours, without a look at the summary": unfiltered,
    "the newest five files": newest_files,
    "five files at random": random_files,
}


def table(compactions: list[MeasuredCompaction]) -> str:
    """What was needed again, and what of it each choice of five lines named, as Markdown."""
    again = sum(len(one.again) for one in compactions)
    lacked = [_lacked(one, one.again) for one in compactions]
    lines = [
        f"{len(compactions)} compactions; {again} files and checks were needed again within {TOOL_USES} tool uses:",
        f"the summary names {again - sum(map(len, lacked))} of them, and lacks {sum(map(len, lacked))}.",
        "",
        "| five lines | named | needed again | needed, and not in the summary | repeat the summary |",
        "|---|---|---|---|---|",
    ]
    for name, choice in CHOICES.items():
        named = [choice(one) for one in compactions]
        needed = sum(len(one.again.intersection(these)) for one, these in zip(compactions, named, strict=True))
        new = sum(len(these.intersection(those)) for these, those in zip(lacked, named, strict=True))
        messages = sum(map(len, named))
        repeated = messages - sum(len(_lacked(one, these)) for one, these in zip(compactions, named, strict=True))
        lines.append(f"| {name} | {messages} | {needed} | {new} | {repeated} |")
    return "\n".join(lines) + "\n"


def _lacked(compaction: MeasuredCompaction, names: Collection[str]) -> set[str]:
    """Those of `names` that the summary doesn't name."""
    left = missing(compaction.checkpoint, compaction.summary)
    uses = {use.path for use in (*left.files_edited, *left.files_read)}
    return uses.union(check.command for check in left.checks).intersection(names)


def facts(compactions: list[MeasuredCompaction]) -> str:
    """How much of each kind of fact the summaries hold, as Markdown."""
    kinds: dict[str, Callable[[Checkpoint], int]] = {
        "files edited": lambda one: len(one.files_edited),
        "checks": lambda one: len(one.checks),
        "commands that failed": lambda one: len(one.failing_commands),
        "open tasks": lambda one: len(one.todo),
        "requests": lambda one: len(one.words.requests) if one.words else 0,
    }
    lines = ["| kind of fact | known | lacking in the summary, wholly or in part |", "|---|---|---|"]
    for kind, count in kinds.items():
        known = sum(count(one.checkpoint) for one in compactions)
        left = sum(count(missing(one.checkpoint, one.summary)) for one in compactions)
        lines.append(f"| {kind} | {known} | {left} |")
    return "\n".join(lines) + "\n"


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.compactions", description=__doc__)
    parser.add_argument("--transcripts", required=True, type=Path, help="a directory with .jsonl files, at any depth")
    options = parser.parse_args(arguments)
    result = [one for path in sorted(options.transcripts.rglob("*.jsonl")) for one in compactions(path)]
    print(table(result), facts(result), sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
