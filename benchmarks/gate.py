"""`python -m benchmarks.gate --transcripts DIRECTORY`: the launcher against the monitor, over your transcripts.

At each tool use of each session the transcript is as long as it was then. One installation's launcher decides whether
its monitor runs; in the other the monitor always runs. Messages of only the second were held back. Both are played
twice: with the answer that calls the tool already written, and written late. The transcripts are only read.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from functools import partial
from io import FileIO
from pathlib import Path
from typing import BinaryIO, NamedTuple
from unittest import mock

import msgspec

from benchmarks.case import Unexpected
from benchmarks.installation import REPOSITORY
from installer.program.launchers import PACKAGED
from monitor import dispatch
from shared import paths
from shared.client import client
from shared.files import lenient
from shared.transcript.line import TranscriptMessage, line_in
from shared.transcript.records import answer_in

SESSION = "replayed"
CONFIG = "[hooks]\npivot = false\nstaleness = false\n"
"""What the pivot tells, and when, is no matter of a bound."""
WRITTEN_SECONDS_AGO = 0.05
"""The age of the newest line: it is a replay, and no client waits between its steps."""
OURS = "CLAUDE_", "ANTHROPIC_", "DISABLE_", "TIDEGAUGE_"
"""Beginnings of variables that bear on the window, or on us."""


class Use(NamedTuple):
    """A tool use: where its answer's first line begins and the line that holds the call ends, in bytes; its event."""

    id: str
    begins: int
    ends: int
    tool_input: bytes
    """As it is written, like the response."""
    tool_response: bytes


class _ResultLine(msgspec.Struct):
    """A transcript's line with the client's own copy of a result, which hooks get."""

    message: TranscriptMessage
    toolUseResult: msgspec.Raw = msgspec.Raw(b"{}")


class Tally(msgspec.Struct):
    """The counts over all sessions."""

    tool_uses: int = 0
    started: int = 0
    """Tool uses at which the launcher started its monitor."""
    due: int = 0
    """Those at which a monitor that always runs had something to say."""
    kept_back: list[str] = []
    """Those of them at which the launcher was silent."""


class ReplayStage:
    """An installation for one session: the launcher, and a monitor that runs in this process."""

    def __init__(self, folder: Path, transcript: Path, settings: str = "") -> None:
        self.root, self.transcript = folder / "tidegauge", transcript
        self.project = folder / "project"
        for directory in (self.root / "bin", self.root / "run", self.root / "environment" / "bin", self.project):
            directory.mkdir(parents=True)
        config = folder / "config" / "config.toml"
        config.parent.mkdir()
        config.write_text(CONFIG + settings)
        directories = dict.fromkeys(("config", "log", "history"), str(config.parent))
        (self.root / "directories.json").write_text(json.dumps(directories))
        for path in (config, config.parent):
            os.utime(path, (1, 1))
        for name, source in PACKAGED.items():
            shutil.copy(Path(REPOSITORY) / source, self.root / "bin" / name)
        interpreter = self.root / "environment" / "bin" / "python"
        interpreter.write_text("#!/bin/sh\necho started\n")
        interpreter.chmod(0o755)

    def starts(self, use: Use) -> bool:
        """Whether the launcher starts its monitor; without a gate it always does."""
        return not os.path.exists(paths.gate(str(self.root), SESSION)) or self._launches(use)

    def _launches(self, use: Use) -> bool:
        command = ["sh", str(self.root / "bin" / "monitor")]
        environment = {"PATH": os.environ["PATH"], client.SESSION_VARIABLE: SESSION}
        result = subprocess.run(command, env=environment, input=self.event(use), check=True, capture_output=True)
        return bool(result.stdout)

    def says(self, use: Use) -> bool:
        """Whether the monitor has something to say."""
        return bool(dispatch.main(self.event(use), str(self.root)).stdout)

    def check(self) -> None:
        """Raise Unexpected if the monitor has failed, and was silent for that reason."""
        log = Path(paths.log_file(str(self.root)))
        if log.exists():
            raise Unexpected(log.read_text()[:300])

    def event(self, use: Use) -> bytes:
        """The stdin of a tool use."""
        event = {
            "session_id": SESSION,
            "transcript_path": str(self.transcript),
            "cwd": str(self.project),
            "hook_event_name": client.POST_TOOL_USE,
            "tool_name": "Bash",
            "tool_input": msgspec.Raw(use.tool_input),
            "tool_response": msgspec.Raw(use.tool_response),
            "tool_use_id": use.id,
        }
        return msgspec.json.encode(event)


def main(arguments: list[str]) -> int:
    """Play every session; return 1 if any message was held back."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.gate", description=__doc__)
    parser.add_argument("--transcripts", required=True, type=Path, help="a directory with .jsonl files, at any depth")
    options = parser.parse_args(arguments)
    for name in [name for name in os.environ if name.startswith(OURS)]:
        del os.environ[name]
    written, late = Tally(), Tally()
    sessions = sorted(options.transcripts.rglob("*.jsonl"))
    for path in sessions:
        with tempfile.TemporaryDirectory(prefix="tidegauge-replay-") as scratch:
            play(path, Path(scratch), written, late)
    print(f"{len(sessions)} sessions")
    print("\n".join([_row("answers written", written), _row("answers late", late)]))
    kept_back = [*written.kept_back, *late.kept_back]
    print("\n".join(kept_back[:20]), end="\n" if kept_back else "")
    return 1 if kept_back else 0


def play(path: Path, scratch: Path, written: Tally, late: Tally) -> None:
    """Play the session at `path` in `scratch`, an empty directory. Raises Unexpected if a monitor fails."""
    for tally, name, is_late in ((written, "written", False), (late, "late", True)):
        launched = _replay(path, scratch / f"{name} launched", is_late=is_late)
        always = _replay(path, scratch / f"{name} always", is_late=is_late, is_gated=False)
        for (use, is_started, says), (_, _, is_due) in zip(launched, always, strict=True):
            tally.tool_uses += 1
            tally.started += is_started
            tally.due += is_due
            if is_due and not says:
                tally.kept_back.append(f"kept back: {path}, {use.id}")


def _replay(path: Path, folder: Path, *, is_late: bool, is_gated: bool = True) -> Iterator[tuple[Use, bool, bool]]:
    """For each tool use of a session, whether the monitor ran, and whether it had something to say.

    A client that `is_late` writes the answer that calls the tool once the monitor waits for it or is done.
    """
    stage = ReplayStage(folder, folder.with_suffix(".jsonl"))
    with path.open("rb") as source, stage.transcript.open("wb", buffering=0) as copy:
        for use in tool_uses(path):
            write = partial(_extend, source, copy, use.ends)
            _extend(source, copy, use.begins if is_late else use.ends)
            is_started = not is_gated or stage.starts(use)
            with mock.patch("time.sleep", lambda _, write=write: write()):
                says = is_started and stage.says(use)
            write()
            yield use, is_started, says
    stage.check()


def tool_uses(path: Path) -> Iterator[Use]:
    """The tool uses in a session's transcript, in order, without its subagents'."""
    offset, begins, newest = 0, 0, ""
    responses = _responses(path)
    with path.open("rb") as file:
        for data in file:
            line = line_in(data) if b'"usage"' in data else None
            answer = answer_in(line, offset, is_subagent=False) if line else None
            if line and line.message and answer:
                begins, newest = (begins if answer.id == newest else offset), answer.id
                for block in line.message.blocks:
                    if block.type == "tool_use":
                        response = responses.get(block.id, b"{}")
                        yield Use(block.id, begins, offset + len(data), bytes(block.input), response)
            offset += len(data)


def _responses(path: Path) -> dict[str, bytes]:
    """The client's payload for the hooks of each tool use, as far as the transcript holds it."""
    with path.open("rb") as file:
        lines = [lenient.decode_or(data, _ResultLine, None) for data in file if b'"toolUseResult":' in data]
    return {
        block.tool_use_id: bytes(line.toolUseResult)
        for line in lines
        if line
        for block in line.message.blocks
        if block.tool_use_id
    }


def _extend(source: BinaryIO, copy: FileIO, size: int) -> None:
    """Bring a transcript's copy up to `size` bytes, unless it has them already."""
    missing = size - copy.tell()
    if missing > 0:
        copy.write(source.read(missing))
        written_at = time.time() - WRITTEN_SECONDS_AGO
        os.utime(copy.fileno(), (written_at, written_at))


def _row(title: str, tally: Tally) -> str:
    share = 100 * tally.started / max(1, tally.tool_uses)
    return (
        f"{title}: {tally.tool_uses:,} tool uses, the interpreter started at {tally.started:,} ({share:.1f}%); "
        f"{tally.due:,} messages due, {len(tally.kept_back):,} kept back"
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
