"""Transcripts and commands that are made to be slow to read: none takes more processor time than any other would."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest

from tests import scratch
from tests.monitor.workshop import Workshop
from tests.torture.hostile import PAYLOADS
from tests.transcripts import Transcript

if sys.platform == "win32":
    pytest.skip("wait4", allow_module_level=True)

Count = Callable[[], None]
MOST_SECONDS = 2.0
"""Of processor time; on a machine with nothing else to do each takes less than one."""
MOST_BYTES = 6 << 20
TOKENS = 190_000


def _fill(transcript: Transcript, add: Callable[[int], None]) -> None:
    number = 0
    while transcript.size < MOST_BYTES:
        number += 1
        add(number)


def no_lines(transcript: Transcript) -> None:
    transcript.write(b"\n" * MOST_BYTES)


def short_lines(transcript: Transcript) -> None:
    transcript.write(b'{"type":"assistant","message":{"id":"a","usage":{"input_tokens":1}}}\n' * (MOST_BYTES // 70))


def odd_lines(transcript: Transcript) -> None:
    line = {"type": "assistant", "isSidechain": [], "message": {"usage": {"input_tokens": "x"}, "content": [1, {}] * 9}}
    transcript.write((json.dumps(line) + "\n").encode() * (MOST_BYTES // 150))


def commands(transcript: Transcript) -> None:
    text = "cd a && pytest -q {0} | tail -3; git commit -m 'x {0}' && npm test > out 2>&1; "
    _fill(transcript, lambda number: _call(transcript, number, text.format(number) * 9))


def failures(transcript: Transcript) -> None:
    _fill(
        transcript, lambda number: _call(transcript, number, f"pytest -q t{number}.py", f"FAILED t{number}.py::b - E")
    )


def calls_of_one_answer(transcript: Transcript) -> None:
    _fill(transcript, lambda number: _parallel(transcript, number))


def prompts(transcript: Transcript) -> None:
    text = "Set it: " + "token a b c d e f Kd83xQ!4x " * 4_000
    _fill(transcript, lambda number: transcript.prompt(f"{number} {text}"))


def additions(transcript: Transcript) -> None:
    _fill(transcript, lambda _: transcript.prompt("<ide_a>" * 100_000))


def _call(transcript: Transcript, number: int, command: str, failure: str = "") -> None:
    transcript.answer(TOKENS, tool="Bash", text=command, tool_use_ids=[f"toolu_{number}"])
    transcript.result(f"toolu_{number}", failure or "ok", failed=bool(failure))


def _parallel(transcript: Transcript, number: int) -> None:
    use = {"type": "tool_use", "name": "Bash", "input": {"command": "pytest -q a"}}
    blocks = [use | {"id": f"toolu_{number}_{call}"} for call in range(3_000)]
    transcript.append(
        {"type": "assistant", "message": {"id": f"msg_{number}", "content": blocks, "usage": {"input_tokens": TOKENS}}}
    )


SLOW = [no_lines, short_lines, odd_lines, commands, failures, calls_of_one_answer, prompts, additions]


@pytest.mark.parametrize("make", SLOW, ids=lambda make: make.__name__)
def test_a_transcript(workshop: Workshop, tried: Count, make: Callable[[Transcript], None]) -> None:
    make(workshop.transcript)
    workshop.transcript.answer(TOKENS)
    status = json.loads((PAYLOADS / "statusline" / "normal.json").read_bytes())
    status |= {"transcript_path": str(workshop.transcript.path), "session_id": workshop.session_id}
    tool = {"tool_name": "Bash", "tool_input": {}, "tool_use_id": "toolu_1"}
    for name, payload in (
        ("statusline", status),
        ("monitor", workshop.payload("PreCompact", trigger="auto")),
        ("monitor", workshop.payload("UserPromptSubmit", prompt="Go on")),
        ("monitor", workshop.payload("PostToolUse", **tool)),
        ("monitor", workshop.payload("Stop")),
        ("monitor", workshop.payload("SessionStart", source="resume")),
    ):
        for state in (workshop.root / "run").glob("*"):
            state.unlink()
        assert _seconds(workshop.root, name, payload) < MOST_SECONDS, payload.get("hook_event_name", name)
        tried()


LOOPS = "for a in 1 2; " + "; ".join(
    f"for {after} in ${before} ${before}" for before, after in pairwise("abcdefghijklmnopqrstu")
)
GUARDED = {
    "wildcards": "cat " + " ".join(f"*{number}*b*" for number in range(20_000)),
    "braces": "cat " + " ".join(["{" + ",".join(map(str, range(200))) + "}*b"] * 300),
    "loops": f"{LOOPS}; cat $u",
}


@pytest.mark.parametrize("command", GUARDED.values(), ids=GUARDED)
def test_a_command_before_the_read_guard(workshop: Workshop, tried: Count, command: str) -> None:
    for number in range(300):
        (workshop.project / f"a-rather-long-name-{number}").touch()
    payload = workshop.payload("PreToolUse", tool_name="Bash", tool_input={"command": command})
    assert _seconds(workshop.root, "monitor", payload, TIDEGAUGE_HOOKS__READ_GUARD="on") < MOST_SECONDS
    tried()


def _seconds(root: Path, name: str, payload: dict[str, object], **environ: str) -> float:
    """Seconds of processor time that a process takes to answer."""
    environment = scratch.environment(root) | environ
    with subprocess.Popen(
        scratch.command(root, name), stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, env=environment
    ) as process:
        assert process.stdin is not None
        process.stdin.write(json.dumps(payload).encode())
        process.stdin.close()
        _, code, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(code)
    assert process.returncode == 0
    return usage.ru_utime + usage.ru_stime
