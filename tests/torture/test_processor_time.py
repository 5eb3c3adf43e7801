"""Transcripts, commands and repositories made to be slow to read: none takes more processor time than others."""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest

from shared.project_files import CHECKPOINTS, EXPORTS
from tests import processor_time, scratch
from tests.monitor.launcher_rig import HEAD, Rig, answer
from tests.monitor.workshop import Workshop
from tests.torture.hostile import PAYLOADS
from tests.transcripts import Transcript

if sys.platform == "win32":
    pytest.skip("wait4", allow_module_level=True)

Count = Callable[[], None]
MOST_BYTES = 6 << 20
TOKENS = 190_000
EMPTY_BLOB = "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391"


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


def no_end_of_a_line(transcript: Transcript) -> None:
    transcript.grow(4 << 30)


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


SLOW = [no_lines, short_lines, odd_lines, commands, failures, calls_of_one_answer, prompts, no_end_of_a_line, additions]


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
        assert _seconds(workshop.root, name, payload) < _most_seconds(), payload.get("hook_event_name", name)
        tried()


GUARDED = {
    "wildcards": "cat " + " ".join(f"*{number}*b*" for number in range(9_000)),
    "a word": "cat " + "/" * 500_000,
    "assignments": "A= " * 33_000 + "cat a",
}


@pytest.mark.parametrize("command", GUARDED.values(), ids=GUARDED)
def test_a_command_before_the_read_guard(workshop: Workshop, tried: Count, command: str) -> None:
    payload = workshop.payload("PreToolUse", tool_name="Bash", tool_input={"command": command})
    assert _seconds(workshop.root, "monitor", payload, TIDEGAUGE_HOOKS__READ_GUARD="on") < _most_seconds()
    tried()


FAILURE = b"E   assert x == y " * 2_000
BEFORE_THE_LAUNCHER = {
    "failure": (b',"tool_use_id":"toolu_1","error":"%s","is_interrupt":false}' % FAILURE, b"{}"),
    "braces": (b',"tool_response":"%s","tool_use_id":"toolu_1"}' % (b"}" * 70_000), b"{}"),
    "line": (b',"tool_response":"","tool_use_id":"toolu_1"}', b'{"type":"user","message":"%s"}' % (b"x" * (50 << 20))),
}


@pytest.mark.parametrize(("rest", "line"), BEFORE_THE_LAUNCHER.values(), ids=BEFORE_THE_LAUNCHER)
def test_a_tool_use_before_the_launcher(tmp_path: Path, tried: Count, rest: bytes, line: bytes) -> None:
    rig = Rig(tmp_path)
    rig.append(answer(20_000), answer(21_000))
    rig.open_gate()
    rig.append(line)
    command = ["sh", str(rig.root / "bin" / "monitor")]
    environment = scratch.environment(rig.root) | {"CLAUDE_CODE_SESSION_ID": "s"}
    assert _seconds_of(command, HEAD[:-1] + rest, environment) < _most_seconds()
    tried()


def rewinds(number: int) -> dict[str, object]:
    if number > _HALF and number % 2:
        return {"type": "user", "parentUuid": f"p{2 * _HALF - number}", "message": {"content": "p"}}
    return _call_of_model(number) if number % 2 == 0 else {"type": "user", "parentUuid": f"p{number}", "message": {}}


def triggers(number: int) -> dict[str, object]:
    metadata = {"trigger": str(number), "preTokens": number}
    return {"type": "system", "subtype": "compact_boundary", "uuid": str(number), "compactMetadata": metadata}


_HALF = 8_000


def _call_of_model(number: int) -> dict[str, object]:
    return {"type": "assistant", "message": {"id": str(number), "usage": {"input_tokens": 1 + number % 100}}}


@pytest.mark.parametrize("strategy", ["chunk", "compress", "spawn"])
def test_a_pivot_that_a_person_asks_for(workshop: Workshop, tried: Count, strategy: str) -> None:
    prompts(workshop.transcript)
    workshop.transcript.prompt(cwd=str(workshop.project))
    folder = workshop.root.parent / "projects" / "p"
    folder.mkdir(parents=True)
    workshop.transcript.path.rename(folder / f"{workshop.session_id}.jsonl")
    session = ["--session", workshop.session_id]
    assert _seconds_of_command(workshop, "status", "--pivot", strategy, *session) < _most_seconds()
    tried()


@pytest.mark.parametrize("line", [rewinds, triggers], ids=lambda line: line.__name__)
def test_a_transcript_in_the_history(
    workshop: Workshop, tried: Count, line: Callable[[int], dict[str, object]]
) -> None:
    folder = workshop.root.parent / "projects" / "p"
    folder.mkdir(parents=True)
    for half in (range(1, _HALF), range(_HALF, 2 * _HALF)):
        with (folder / "s.jsonl").open("a") as file:
            file.writelines(json.dumps(line(number)) + "\n" for number in half)
        assert _seconds_of_command(workshop, "history", "sync") < _most_seconds()
        tried()
    assert _seconds_of_command(workshop, "history", "compactions") < _most_seconds()
    tried()


_LARGE = {
    "numbers": b"[" + b"1e308," * (5 << 20) + b"1]",
    "lists": b"[" + b"[]," * (10 << 20) + b"1]",
    "fields": b"{" + b",".join(b'"%d":1' % number for number in range(2_500_000)) + b"}",
    "halves of characters": b'"' + rb"\ud83d" * (5 << 20) + b'"',
}
"""Values of 30 MB in an event of the client's."""


@pytest.mark.parametrize("value", _LARGE)
def test_a_large_event(workshop: Workshop, tried: Count, value: str) -> None:
    workshop.configure("hooks.read_guard = true")
    for tool, argument in (("Read", "file_path"), ("Bash", "command"), ("Bash", "description"), ("Agent", "prompt")):
        arguments = b'{"pattern":1,"%s":%s}' % (argument.encode(), _LARGE[value])
        event = json.dumps(workshop.payload("PreToolUse", tool_name=tool, tool_input=0)).encode()
        event = event.replace(b'"tool_input": 0', b'"tool_input":' + arguments)
        assert len(event) > len(arguments)
        seconds = _seconds_of(scratch.command(workshop.root, "monitor"), event, scratch.environment(workshop.root))
        assert seconds < processor_time.allowed(1)
        tried()
    line = b'{"session_id":"%s","model":%s}' % (workshop.session_id.encode(), _LARGE[value])
    seconds = _seconds_of(scratch.command(workshop.root, "statusline"), line, scratch.environment(workshop.root))
    assert seconds < processor_time.allowed(1)
    tried()


def packed_references(project: Path) -> None:
    (project / ".git" / "refs" / "heads" / "main").unlink()
    lines = [f"ref: refs/heads/{after} refs/heads/{before}" for before, after in pairwise(("main", *"abcdef"))]
    (project / ".git" / "packed-refs").write_text("\n" * (15 << 20) + "\n".join(lines))


def patterns(project: Path) -> None:
    (project / ".gitignore").write_text("\n".join(f"**/{'*a' * 9}*b{number}" for number in range(5_000)))
    for number in range(1_000):
        (project / f"{'a' * 200}{number}").touch()


def checkpoints(project: Path) -> None:
    folder = project / CHECKPOINTS
    folder.mkdir(parents=True)
    (folder / "any").write_text(json.dumps({"dirty_files": ["a"] * 200_000, "session_info": {}}))
    for number in range(300):
        name = folder / f"cx-{number:03}-checkpoint.json"
        name.hardlink_to(folder / "any")
        name.with_name(f"{name.name}.proof").write_text("0" * 64)


def exports(project: Path) -> None:
    (project / EXPORTS).mkdir(parents=True)
    for number in range(4_000):
        (project / EXPORTS / f"{300_000 + number}-export").touch()


def submodules(project: Path) -> None:
    """Submodules that each have a copy of the project's repository as their own: git would take 18 s for them."""
    entries = "".join(f"160000 {EMPTY_BLOB}\ts{number}\n" for number in range(2_000))
    command = ["git", "update-index", "--add", "--index-info"]
    subprocess.run(command, cwd=project, input=entries, text=True, check=True)
    for number in range(2_000):
        (project / f"s{number}").mkdir()
        (project / f"s{number}" / ".git").symlink_to(project / ".git")
    sections = (f'[submodule "s{number}"]\n\tpath = s{number}\n\turl = ../a\n' for number in range(2_000))
    (project / ".gitmodules").write_text("".join(sections))


REPOSITORIES = (packed_references, patterns, checkpoints, exports, submodules)


@pytest.mark.parametrize("make", REPOSITORIES, ids=lambda make: make.__name__)
def test_a_repository(workshop: Workshop, tried: Count, make: Callable[[Path], None]) -> None:
    workshop.repository()
    make(workshop.project)
    workshop.transcript.answer(TOKENS)
    tool = {"tool_name": "Bash", "tool_input": {}, "tool_use_id": "toolu_1"}
    for payload in (workshop.payload("PostToolUse", **tool), workshop.payload("PreCompact", trigger="auto")):
        assert _seconds(workshop.root, "monitor", payload) < _most_seconds(), payload["hook_event_name"]
        tried()


def _most_seconds() -> float:
    """The limit of processor time in seconds; on an idle machine each case takes about one or less."""
    return processor_time.allowed(2)


def _seconds(root: Path, name: str, payload: dict[str, object], **environ: str) -> float:
    """Seconds of processor time that a process takes to answer."""
    return _seconds_of(scratch.command(root, name), json.dumps(payload).encode(), scratch.environment(root) | environ)


def _seconds_of_command(workshop: Workshop, *arguments: str) -> float:
    environment = scratch.environment(workshop.root) | {"PYTHONPATH": str(scratch.REPOSITORY)}
    return _seconds_of([sys.executable, "-m", "commands", *arguments], b"", environment)


def _seconds_of(command: list[str], stdin: bytes, environment: dict[str, str]) -> float:
    with tempfile.TemporaryFile() as event:
        event.write(stdin)  # all of it is there when the process looks
        event.seek(0)
        process = subprocess.Popen(command, stdin=event, stdout=subprocess.DEVNULL, env=environment)
        _, code, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(code)
    assert process.returncode == 0
    return usage.ru_utime + usage.ru_stime
