"""The monitor's process as the client starts it, with everything that may stand on its stdin and around it."""

import json
import os
import stat
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from shared import paths
from tests import scratch
from tests.monitor.scene import CRITICAL, EXHAUSTED, NORMAL, WARNING, Scene, level_in
from tests.transcripts import Transcript, captured, compact

PAYLOADS = sorted((Path(__file__).parent / "payloads" / "hooks").glob("*.json"))
POSIX = pytest.mark.skipif(os.name == "nt", reason="descriptors, pipes and modes of POSIX")
MOST_MEMORY = 30 << 20
MEASURE = """
import os, sys
child = os.fork()
if not child:
    os.execv(sys.argv[1], sys.argv[1:])
_, status, usage = os.wait4(child, 0)
sys.stderr.write(f"{os.waitstatus_to_exitcode(status)} {usage.ru_maxrss * (1 if sys.platform == 'darwin' else 1024)}")
"""
"""Runs a command and tells its exit code and its peak memory. A small process of its own: a child begins with
the peak of the process that it was forked from."""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return scratch.install(tmp_path)


@pytest.fixture
def scene(root: Path, tmp_path: Path) -> Scene:
    return Scene(root, Transcript(tmp_path / "projects" / f"{Scene.session_id}.jsonl"))


def told(done: "subprocess.CompletedProcess[bytes]") -> str:
    """The level that a process told; the process did nothing else."""
    assert (done.returncode, done.stderr) == (0, b"")
    return level_in(json.loads(done.stdout)["hookSpecificOutput"]["additionalContext"]) if done.stdout else ""


def stdin_of(scene: Scene, *arguments: Any, **fields: Any) -> bytes:
    return json.dumps(scene.payload(*arguments, **fields)).encode()


# Whatever is on stdin


def stdins() -> dict[bytes, str]:
    """Each captured payload whole, truncated, with null and with junk for all but its name; each with an id."""
    found: dict[bytes, str] = {}
    for path in PAYLOADS:
        text = path.read_bytes()
        payload = json.loads(text)
        name = {"hook_event_name": payload["hook_event_name"]}
        found.setdefault(text, f"{path.stem}-whole")
        found.setdefault(text[: len(text) // 2], f"{path.stem}-truncated")
        found.setdefault(compact(dict.fromkeys(payload) | name), f"{path.stem}-null")
        found.setdefault(compact({key: junk(value) for key, value in payload.items()} | name), f"{path.stem}-junk")
    return found


def junk(value: object) -> object:
    """A value of a type that the client doesn't send in this one's place."""
    return "junk" if isinstance(value, dict | list) else {"junk": [1]}


@pytest.mark.parametrize("stdin", stdins().keys(), ids=stdins().values())
def test_no_payload_makes_a_process_fail(root: Path, stdin: bytes) -> None:
    done = scratch.run(root, stdin)
    assert (done.returncode, done.stderr) == (0, b"")
    assert not done.stdout or isinstance(json.loads(done.stdout), dict)


NO_PAYLOADS = [
    b"", b" \n", b"null", b"true", b"42", b"[]", b'"PostToolUse"', b"{}", b"{", b"}", b"\x00", b"\xff\xfe{}",
    b"\xef\xbb\xbf{}", b'{"hook_event_name": "PostToolUse"}', b'{"hook_event_name": "PostToolUse", "session_id": 5}',
    b'{"hook_event_name": null, "session_id": null}', b'{"hook_event_name": {"junk": [1]}}',
    b'{"hook_event_name": "Unheard"}', b'{"hook_event_name": "__main__"}', b"[" * 100_000,
    b'{"hook_event_name": "PostToolUse", "session_id": "s", "x": ' + b"[" * 5_000 + b"]" * 5_000 + b"}",
]  # fmt: skip


@pytest.mark.parametrize("stdin", NO_PAYLOADS)
def test_what_is_no_payload_is_answered_by_silence(root: Path, stdin: bytes) -> None:
    done = scratch.run(root, stdin)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_garbage_is_one_line_in_the_log_and_a_mark_until_the_next_success(root: Path) -> None:
    mark = root / "run" / "failed-monitor"
    scratch.run(root, b"garbage")
    assert (len(scratch.log(root)), mark.exists()) == (1, True)
    scratch.run(root, b"")
    assert (len(scratch.log(root)), mark.exists()) == (1, False)


@pytest.mark.parametrize(
    "fields",
    [
        {"session_id": "../../escape"},
        {"session_id": "a/b"},
        {"session_id": "a\u0000b"},
        {"session_id": ""},
        {"session_id": "é"},
        {"session_id": "x" * 129},
        {"session_id": None},
        {"session_id": ...},
        {"agent_id": "../../escape"},
    ],
)
def test_an_unsafe_id_leaves_nothing(scene: Scene, fields: dict[str, Any]) -> None:
    scene.transcript.answer(EXHAUSTED)
    before = sorted(scene.root.parents[1].rglob("*"))
    assert told(scratch.run(scene.root, stdin_of(scene, **fields))) == ""
    after = [path for path in scene.root.parents[1].rglob("*") if path not in before]
    assert [path for path in after if "escape" in path.name or "memory" in path.name] == []


@POSIX
@pytest.mark.parametrize("kind", ["directory", "pipe", "device", "nul", "link to nowhere", "itself"])
def test_no_path_of_a_transcript_keeps_a_process(scene: Scene, tmp_path: Path, kind: str) -> None:
    path = tmp_path / "odd"
    if kind == "directory":
        path.mkdir()
    elif kind == "pipe":
        os.mkfifo(path)
    elif kind in {"link to nowhere", "itself"}:
        path.symlink_to(path if kind == "itself" else tmp_path / "nowhere")
    name = {"device": "/dev/zero", "nul": "a\u0000b"}.get(kind, str(path))
    assert told(scratch.run(scene.root, stdin_of(scene, transcript_path=name))) == ""


def test_a_huge_tool_response_is_no_obstacle(scene: Scene) -> None:
    scene.transcript.answer(WARNING)
    stdin = stdin_of(scene, tool_response={"stdout": "x}\n" * 7_000_000})
    assert told(scratch.run(scene.root, stdin)) == "WARNING"


def test_an_unclosed_stdin_ends_by_itself(root: Path) -> None:
    """Long before the client's ten seconds are over."""
    processes = []
    for text in (b"", b'{"hook_event_name": "PostToolUse", '):
        process = subprocess.Popen(
            scratch.command(root),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env=scratch.environment(root),
            bufsize=0,
        )
        assert process.stdin is not None
        process.stdin.write(text)
        processes.append(process)
    for process in processes:
        with process:
            assert process.wait(8) == 0
            assert process.stdout is not None
            assert process.stdout.read() == b""


def test_an_unclosed_stdin_is_answered_when_the_payload_is_complete(scene: Scene) -> None:
    scene.transcript.answer(WARNING)
    with subprocess.Popen(
        scratch.command(scene.root),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=scratch.environment(scene.root),
        bufsize=0,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(stdin_of(scene))
        assert b"WARNING" in process.stdout.read()
        assert process.wait(5) == 0


# Whatever surrounds it


def test_the_answer_is_exactly_what_the_client_takes(scene: Scene) -> None:
    scene.transcript.answer(WARNING)
    answer = json.loads(scratch.run(scene.root, stdin_of(scene)).stdout)
    assert list(answer) == ["hookSpecificOutput"]
    assert list(answer["hookSpecificOutput"]) == ["hookEventName", "additionalContext"]
    assert answer["hookSpecificOutput"]["hookEventName"] == "PostToolUse"


def test_a_failing_tool_is_answered_in_its_own_name(scene: Scene) -> None:
    scene.transcript.answer(WARNING)
    done = scratch.run(scene.root, stdin_of(scene, event="PostToolUseFailure", error="Exit code 3", tool_response=...))
    assert json.loads(done.stdout)["hookSpecificOutput"]["hookEventName"] == "PostToolUseFailure"
    assert told(done) == "WARNING"


def test_a_parallel_batch_gives_exactly_one_message(scene: Scene) -> None:
    """Real processes at the same time, as the client starts them, on one answer with several tools."""
    for round_ in range(2):
        names = [f"toolu_{round_}_{number}" for number in range(5)]
        scene.transcript.answer(EXHAUSTED, id=f"msg_{round_}", tool_use_ids=names)
        processes = [
            subprocess.Popen(
                scratch.command(scene.root),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                env=scratch.environment(scene.root),
            )
            for _ in names
        ]
        answers = []
        for process, name in zip(processes, names, strict=True):
            assert process.stdin is not None
            process.stdin.write(stdin_of(scene, name))
            process.stdin.close()
        for process in processes:
            assert process.stdout is not None
            answers.append(process.stdout.read())
            process.stdout.close()
            assert process.wait(10) == 0
        assert len([answer for answer in answers if answer]) == 1
    assert scratch.log(scene.root) == []


def test_a_batch_whose_answer_is_written_late_gives_exactly_one_message(scene: Scene) -> None:
    scene.transcript.answer(WARNING - 5_000)
    names = [f"toolu_{number}" for number in range(4)]
    answers: list[str] = []

    def hook(name: str) -> None:
        answers.append(told(scratch.run(scene.root, stdin_of(scene, name))))

    hooks = [threading.Thread(target=hook, args=(name,)) for name in names]
    for thread in hooks:
        thread.start()
    time.sleep(0.05)
    scene.transcript.answer(WARNING, id="msg_late", tool_use_ids=names)
    for thread in hooks:
        thread.join()
    assert sorted(answers) == ["", "", "", "WARNING"]


def test_a_crossing_that_is_written_late_is_told_with_its_own_result(scene: Scene) -> None:
    scene.transcript.answer(WARNING - 5_000)
    with subprocess.Popen(
        scratch.command(scene.root),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=scratch.environment(scene.root),
    ) as process:
        time.sleep(0.1)  # it stands and waits for its stdin
        assert process.stdin is not None
        process.stdin.write(stdin_of(scene, "toolu_late"))
        process.stdin.close()
        time.sleep(0.08)
        scene.transcript.answer(WARNING, tool_use_ids=["toolu_late"])
        assert process.stdout is not None
        assert b"WARNING" in process.stdout.read()


def test_a_projects_modules_are_not_taken_for_ours(scene: Scene, tmp_path: Path) -> None:
    project = tmp_path / "project"
    for name in ("shared", "monitor", "msgspec", "time", "select"):
        (project / name).mkdir(parents=True)
        (project / name / "__init__.py").write_text("print('shadowed')")
    scene.transcript.answer(WARNING)
    done = subprocess.run(
        scratch.command(scene.root),
        input=stdin_of(scene),
        capture_output=True,
        cwd=project,
        env=scratch.environment(scene.root) | {"PYTHONPATH": str(project), "PYTHONSTARTUP": str(project)},
        timeout=10,
        check=False,
    )
    assert told(done) == "WARNING"


@pytest.mark.parametrize("missing", ["HOME", "PATH", "directories.json"])
def test_a_poor_environment_is_enough(scene: Scene, missing: str) -> None:
    scene.transcript.answer(WARNING)
    environ = scratch.environment(scene.root)
    environ.pop(missing, None)
    (scene.root / missing).unlink(missing_ok=True)
    done = subprocess.run(
        scratch.command(scene.root), input=stdin_of(scene), capture_output=True, env=environ, timeout=10, check=False
    )
    assert told(done) == "WARNING"


def test_a_half_replaced_environment_is_silent(scene: Scene) -> None:
    scene.transcript.answer(WARNING)
    scratch.write_entry(scene.root, "monitor", "monitor.dispatch", [str(scene.root)])
    assert told(scratch.run(scene.root, stdin_of(scene))) == ""


def test_a_missing_module_is_silent_and_logged(scene: Scene) -> None:
    scratch.write_entry(scene.root, "monitor", "monitor.nothing", [str(scratch.REPOSITORY)])
    assert told(scratch.run(scene.root, stdin_of(scene))) == ""


@pytest.mark.parametrize("tokens", [NORMAL, WARNING])
def test_a_root_in_which_nothing_can_be_written_is_no_error(scene: Scene, tokens: int) -> None:
    (scene.root / "run").write_text("no directory")
    scene.transcript.answer(tokens)
    done = scratch.run(scene.root, stdin_of(scene))
    assert (done.returncode, done.stderr) == (0, b"")


@POSIX
@pytest.mark.skipif(os.name != "nt" and os.geteuid() == 0, reason="nothing is read-only for root")
def test_a_read_only_home_is_no_error(scene: Scene) -> None:
    scene.transcript.answer(WARNING)
    scene.root.chmod(stat.S_IRUSR | stat.S_IXUSR)
    try:
        done = scratch.run(scene.root, stdin_of(scene))
    finally:
        scene.root.chmod(stat.S_IRWXU)
    assert (done.returncode, done.stderr) == (0, b"")


@POSIX
def test_a_client_that_has_gone_is_no_error(scene: Scene) -> None:
    scene.transcript.answer(WARNING)
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        scratch.command(scene.root),
        input=stdin_of(scene),
        stdout=writing,
        stderr=subprocess.PIPE,
        env=scratch.environment(scene.root),
        timeout=10,
        check=False,
    )
    os.close(writing)
    assert (done.returncode, done.stderr) == (0, b"")


def test_a_memory_that_somebody_holds_for_ever_is_given_up(scene: Scene) -> None:
    holder = (
        "import fcntl, os, sys, time\n"
        "os.makedirs(os.path.dirname(sys.argv[1]), exist_ok=True)\n"
        "file = open(sys.argv[1], 'w'); fcntl.flock(file, fcntl.LOCK_EX); print('held', flush=True); time.sleep(60)"
    )
    memory = paths.memory(str(scene.root), scene.session_id)
    scene.transcript.answer(EXHAUSTED)
    with subprocess.Popen([sys.executable, "-c", holder, memory], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"held\n"
        assert told(scratch.run(scene.root, stdin_of(scene))) == ""
        process.kill()
    assert len(scratch.log(scene.root)) == 1
    assert told(scratch.run(scene.root, stdin_of(scene))) == "EXHAUSTED"


def test_the_module_answers_a_hook_as_the_entry_script_does(scene: Scene) -> None:
    scene.transcript.answer(WARNING)
    done = subprocess.run(
        [sys.executable, "-m", "monitor"],
        input=stdin_of(scene),
        capture_output=True,
        cwd=scratch.REPOSITORY,
        env=scratch.environment(scene.root) | {"CLAUDE_CONFIG_DIR": str(scene.root.parent)},
        timeout=10,
        check=False,
    )
    assert told(done) == "WARNING"


# Large transcripts


@pytest.mark.skipif(sys.platform == "win32", reason="measured by POSIX's wait4")
@pytest.mark.parametrize("size", [1 << 20, 1 << 30])
@pytest.mark.parametrize("is_answered", [True, False])
def test_memory_is_flat_whatever_the_transcripts_size(scene: Scene, size: int, *, is_answered: bool) -> None:
    """With an answer behind a hole of `size` bytes, and with nothing but the hole."""
    scene.transcript.prompt()
    scene.transcript.grow(size)
    if is_answered:
        scene.transcript.write(captured("2.1.330").read_bytes())
        scene.transcript.answer(CRITICAL)
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", MEASURE, *scratch.command(scene.root)],
        input=stdin_of(scene),
        capture_output=True,
        env=scratch.environment(scene.root),
        timeout=20,
        check=True,
    )
    code, peak = done.stderr.split()
    assert int(code) == 0
    assert int(peak) <= MOST_MEMORY
    assert (b"CRITICAL" in done.stdout) is is_answered


@pytest.mark.skipif(sys.platform == "win32", reason="measured by POSIX's wait4")
def test_memory_is_flat_whatever_the_lines_length(scene: Scene) -> None:
    scene.transcript.answer(CRITICAL)
    for _ in range(50):
        scene.transcript.grow(1 << 20)
    scene.transcript.grow(50 << 20)
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", MEASURE, *scratch.command(scene.root)],
        input=stdin_of(scene),
        capture_output=True,
        env=scratch.environment(scene.root),
        timeout=20,
        check=True,
    )
    assert int(done.stderr.split()[1]) <= MOST_MEMORY
    assert b"CRITICAL" in done.stdout
