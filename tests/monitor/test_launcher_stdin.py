"""The launcher reads whose tool use it is from the beginning of its stdin, for which it waits a bounded time."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from shared import paths
from tests.monitor.launcher_rig import HEAD, SUBAGENT_HEAD, WARNING_AT, Rig, answer

pytestmark = pytest.mark.skipif(os.name == "nt", reason="on Windows the interpreter is named directly")

SHELLS = [
    shell for shell in (["sh"], ["dash"], ["bash"], ["bash", "--posix"], ["busybox", "sh"]) if shutil.which(shell[0])
]


def test_starts_the_monitor_for_a_subagent_without_a_gate_of_its_own(rig: Rig) -> None:
    rig.mark_subagents()

    assert rig.launch(SUBAGENT_HEAD) == b"started " + SUBAGENT_HEAD


def test_is_silent_for_a_subagent_within_its_own_gate(rig: Rig) -> None:
    own = Path(paths.subagent_transcript(str(rig.transcript), "s", "a1"))
    own.parent.mkdir(parents=True)  # tells the launcher of subagents, as the mark does
    lines = b"".join(answer(tokens) + b"\n" for tokens in (17_000, 18_000, 19_000, 20_000))
    own.write_bytes(lines.replace(b'"isSidechain":false', b'"isSidechain":true'))
    rig.open_gate("a1")

    assert rig.is_silent(SUBAGENT_HEAD)


@pytest.mark.parametrize("agent", ["", "../s", "x y", "a1.a2"])
def test_starts_the_monitor_for_an_odd_agent_id(rig: Rig, agent: str) -> None:
    rig.mark_subagents()

    assert not rig.is_silent(SUBAGENT_HEAD.replace(b"a1", agent.encode()))


@pytest.mark.parametrize("payload", [b"", b"{}", b'{"session_id":"s","cwd":"' + b"p" * 5_000 + b'"}'])
def test_starts_the_monitor_when_the_event_is_unknown(rig: Rig, payload: bytes) -> None:
    rig.mark_subagents()

    assert not rig.is_silent(payload)


def test_is_silent_for_the_session_itself_beside_subagents(rig: Rig) -> None:
    rig.mark_subagents()

    assert rig.is_silent()


@pytest.mark.parametrize("name", ["monitor", "monitor-writes"])
def test_is_silent_if_the_environment_leaves_no_room_for_the_head(rig: Rig, name: str) -> None:
    room = min(os.sysconf("SC_ARG_MAX"), 6 << 20) - 40_000  # Linux has 6 MB at most, however large the stack
    crowd = {f"V{number}": "x" * 9_980 for number in range(room // 10_000)}
    payload = HEAD[:-1] + b',"tool_response":"' + b"x" * 60_000 + b'"}'

    assert rig.is_silent(payload, name=name, **crowd)


def test_hands_the_whole_payload_on(rig: Rig) -> None:
    rig.mark_subagents()
    payload = HEAD[:-1] + b',"tool_response":"' + "grüße $x `y` \\\\".encode() * 40_000 + b'"}'
    rig.append(answer(WARNING_AT))

    assert rig.launch(payload) == b"started " + payload


@pytest.mark.parametrize(
    "field",
    ['"tool_input":{"agent_id":"a1"}', '"tool_response":{"agent_id":"a1"}', '"tool_input":{"c":"\\"agent_id\\":"}'],
)
def test_a_tools_input_does_not_name_a_subagent(rig: Rig, field: str) -> None:
    own = Path(paths.subagent_transcript(str(rig.transcript), "s", "a1"))
    own.parent.mkdir(parents=True)
    own.write_bytes(b"".join(answer(tokens) + b"\n" for tokens in (17_000, 18_000, 19_000, 20_000)))
    rig.open_gate("a1")
    payload = HEAD[:-1] + b",%s}" % field.encode()
    assert rig.is_silent(payload)
    rig.append(answer(WARNING_AT))

    assert rig.launch(payload) == b"started " + payload


@pytest.mark.parametrize(
    "field",
    [b'"agent_id" : "a1"', b'"agent_id":null', b'"cwd":"/p\\",\\"agent_id\\":\\"a1\\""', b'"cwd":"/agent_id"'],
)
def test_starts_the_monitor_for_an_unreadable_agent_id(rig: Rig, field: bytes) -> None:
    rig.mark_subagents()

    assert not rig.is_silent(HEAD.replace(b'"hook_event_name"', field + b',"hook_event_name"'))


@pytest.mark.parametrize("shell", SHELLS, ids=" ".join)
@pytest.mark.parametrize("payload", [b"", b'{"session_id":"s"', HEAD])
def test_does_not_wait_for_a_stdin_that_stays_open(rig: Rig, shell: list[str], payload: bytes) -> None:
    rig.mark_subagents()
    (rig.root / "environment" / "bin" / "python").write_text(
        '#!/bin/sh\nprintf "started %s" "$_TIDEGAUGE_STDIN_HEAD"\n'
    )
    reader, writer = os.pipe()
    with os.fdopen(reader, "rb") as stdin, os.fdopen(writer, "wb", buffering=0) as kept_open:
        kept_open.write(payload)
        result = subprocess.run(
            [*shell, rig.root / "bin" / "monitor"],
            stdin=stdin,
            env={"PATH": os.environ["PATH"], "CLAUDE_CODE_SESSION_ID": "s"},
            capture_output=True,
            check=True,
            timeout=9,
        )

    assert result.stdout == (b"" if payload == HEAD else b"started " + payload)
    assert result.stderr == b""
