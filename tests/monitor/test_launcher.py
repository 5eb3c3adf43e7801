"""The launcher never keeps a due warning back: real runs of the script, against gates that the monitor wrote."""

import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from monitor.session import Session, conversation_of
from monitor.warnings import gate
from shared import paths
from shared.config import Config
from shared.forecast import TURN_TOKENS
from shared.levels import LevelRules, begins_at, first_level
from shared.transcript import read_tail

MONITOR = Path(__file__).parents[2] / "monitor"
WINDOW = 200_000
WARNING_AT = begins_at(LevelRules().warning, WINDOW)
HEAD = b'{"session_id":"s","cwd":"/p","hook_event_name":"PostToolUse","tool_name":"Bash"}'
SUBAGENT_HEAD = HEAD.replace(b'"hook_event_name"', b'"agent_id":"a1","hook_event_name"')

SHELLS = [
    shell for shell in (["sh"], ["dash"], ["bash"], ["bash", "--posix"], ["busybox", "sh"]) if shutil.which(shell[0])
]

pytestmark = pytest.mark.skipif(os.name == "nt", reason="on Windows the interpreter is named directly")


class Rig:
    """A scratch installation whose interpreter only says that it was started."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "it's a root" / "tidegauge"
        self.transcript = folder / "s.jsonl"
        self.config = folder / "config" / "config.toml"
        for path in ("bin", "run", "environment/bin"):
            (self.root / path).mkdir(parents=True)
        self.config.parent.mkdir()
        self.project = folder / "a project"
        self.settings = self.project / ".claude" / "tidegauge.toml"
        self.settings.parent.mkdir(parents=True)
        (self.root / "directories.json").write_text(
            f'{{"config":"{self.config.parent}","log":"{folder}","history":"{folder}"}}'
        )
        shutil.copy(MONITOR / "launcher.sh", self.root / "bin" / "monitor")
        shutil.copy(MONITOR / "stdin_head.sh", self.root / "bin" / "stdin-head.sh")
        interpreter = self.root / "environment" / "bin" / "python"
        interpreter.write_text('#!/bin/sh\nprintf "started %s" "$_TIDEGAUGE_STDIN_HEAD"\ncat\n')
        interpreter.chmod(0o755)
        for watched in (self.config.parent, self.settings.parent):
            os.utime(watched, (1, 1))

    def append(self, *lines: bytes) -> None:
        with self.transcript.open("ab") as file:
            file.write(b"".join(line + b"\n" for line in lines))

    def session(self, **environ: str) -> Session:
        """A session whose settings were read just now."""
        return Session(str(self.root), Config(), environ, time.time() + gate.CLOCK_SECONDS, str(self.project))

    def open_gate(self, agent: str | None = None, **environ: str) -> None:
        """Do what the monitor does after a reading at NORMAL."""
        conversation = conversation_of("s", str(self.transcript), agent)
        assert conversation is not None
        tail = read_tail(conversation.transcript, is_subagent=agent is not None)
        if tail is not None and tail.tokens is not None:
            first = first_level(LevelRules(), WINDOW, None)
            gate.write(self.session(**environ), conversation, tail, tail.tokens, first)

    def bring_settings(self, text: str) -> None:
        """Do what a checkout did long ago: a project's settings, and a gate that knows of them."""
        self.settings.write_text(text)
        for path in (self.settings, self.settings.parent):
            os.utime(path, (1, 1))
        self.open_gate()

    def mark_subagents(self) -> None:
        """Do what the monitor does when a subagent starts."""
        Path(paths.subagents_mark(str(self.root), "s")).touch()

    def launch(self, stdin: bytes = HEAD, **environ: str) -> bytes:
        """What the launcher prints: nothing when it was silent, else `started` and all of stdin."""
        done = subprocess.run(
            ["sh", self.root / "bin" / "monitor"],
            input=stdin,
            env={"PATH": os.environ["PATH"], "CLAUDE_CODE_SESSION_ID": "s", **environ},
            cwd=self.project,
            capture_output=True,
            check=True,
            timeout=20,
        )
        assert done.stderr == b""
        return done.stdout

    def is_silent(self, stdin: bytes = HEAD, **environ: str) -> bool:
        return not self.launch(stdin, **environ)


def answer(tokens: int, model: str = "claude-opus-4-6", *, output: int = 9, said: str = "", id: str = "") -> bytes:  # noqa: A002  the client's name
    """The line of an answer; `said` is what its content holds, JSON."""
    usage = (
        b'"usage":{"input_tokens":3,"cache_creation_input_tokens":1000,"cache_read_input_tokens":%d,"output_tokens":%d}'
    )
    return (
        b'{"isSidechain":false,"message":{"id":"%s","type":"message","role":"assistant","model":"%s","content":[%s],'
        % (id.encode() or b"m%d" % tokens, model.encode(), said.encode())
        + usage % (tokens - 1003, output)
        + b'},"type":"assistant"}'
    )


def result(size: int) -> bytes:
    return b'{"type":"user","message":{"role":"user","content":"%s"}}' % (b"x" * size)


@pytest.fixture
def rig(tmp_path: Path) -> Rig:
    rig = Rig(tmp_path)
    rig.append(*(answer(tokens) for tokens in (10_000, 20_000, 30_000, 40_000)), result(100))
    rig.open_gate()
    return rig


def test_is_silent_while_nothing_was_appended(rig: Rig) -> None:
    assert rig.is_silent()


def test_is_silent_after_small_steps(rig: Rig) -> None:
    rig.append(answer(41_000), result(2_000), answer(43_000))

    assert rig.is_silent()


def test_starts_the_monitor_without_a_gate(rig: Rig) -> None:
    gate.remove(str(rig.root), "s")

    assert rig.launch() == b"started " + HEAD


@pytest.mark.parametrize("session", ["", "other", "../run/gate-s", "s/../s"])
def test_starts_the_monitor_for_another_session(rig: Rig, session: str) -> None:
    assert not rig.is_silent(CLAUDE_CODE_SESSION_ID=session)


def test_starts_the_monitor_when_usage_jumps_with_hardly_a_byte(rig: Rig) -> None:
    rig.append(answer(WARNING_AT))

    assert not rig.is_silent()


def test_starts_the_monitor_when_results_are_pending_that_could_reach_a_level(rig: Rig) -> None:
    rig.append(answer(41_000), result(70_000))

    assert not rig.is_silent()


def test_starts_the_monitor_while_too_few_turns_have_been_seen(rig: Rig) -> None:
    rig.transcript.write_bytes(answer(4_000) + b"\n")
    rig.open_gate()

    assert not rig.is_silent()


def test_starts_the_monitor_where_a_turn_as_large_as_recent_ones_could_reach_a_level(rig: Rig) -> None:
    rig.append(answer(45_000), answer(85_000), result(10))
    rig.open_gate()

    assert not rig.is_silent()


def test_starts_the_monitor_for_usage_in_a_form_that_it_does_not_know(rig: Rig) -> None:
    rig.append(answer(41_000).replace(b'"usage":{', b'"usage": {'))

    assert not rig.is_silent()


def test_starts_the_monitor_when_the_model_changes(rig: Rig) -> None:
    rig.append(answer(41_000, model="claude-haiku-4-5"))

    assert not rig.is_silent()


@pytest.mark.parametrize("kept", [0, 10, 200])
def test_starts_the_monitor_when_the_transcript_shrank(rig: Rig, kept: int) -> None:
    os.truncate(rig.transcript, kept)

    assert not rig.is_silent()


def test_starts_the_monitor_when_the_transcript_was_rewritten(rig: Rig) -> None:
    rig.transcript.write_bytes(result(5_000) + b"\n" + answer(WARNING_AT) + b"\n")

    assert not rig.is_silent()


def test_starts_the_monitor_when_the_part_already_read_now_ends_within_a_line(rig: Rig) -> None:
    rig.transcript.write_bytes(answer(WARNING_AT, said='"' + "x" * 10_000 + '"') + b"\n")

    assert not rig.is_silent()


def test_starts_the_monitor_when_the_transcript_is_gone(rig: Rig) -> None:
    rig.transcript.unlink()

    assert not rig.is_silent()


def test_starts_the_monitor_when_the_configuration_changed(rig: Rig) -> None:
    rig.config.write_text("[levels.warning]\nremaining = 90\n")

    assert not rig.is_silent()


def test_starts_the_monitor_when_the_clients_settings_changed(rig: Rig) -> None:
    (rig.root.parent / "settings.json").write_text('{"autoCompactWindow": 90000}')

    assert not rig.is_silent()


def test_starts_the_monitor_when_a_project_brings_settings_along(rig: Rig) -> None:
    rig.settings.write_text("[levels.warning]\nremaining = 60\n")

    assert not rig.is_silent()


def test_is_silent_with_a_projects_settings_that_the_gate_knows(rig: Rig) -> None:
    rig.bring_settings("[levels.warning]\nremaining = 40\n")

    assert rig.is_silent()
    assert rig.is_silent(CLAUDE_PROJECT_DIR=str(rig.project))


def test_starts_the_monitor_when_a_projects_settings_changed(rig: Rig) -> None:
    rig.bring_settings("[levels.warning]\nremaining = 40\n")
    rig.settings.write_text("[levels.warning]\nremaining = 60\n")

    assert not rig.is_silent()


def test_starts_the_monitor_when_a_projects_settings_were_exchanged_for_older_ones(rig: Rig) -> None:
    rig.bring_settings("[levels.warning]\nremaining = 40\n")
    older = rig.project / "older.toml"
    older.write_text("[levels.warning]\nremaining = 60\n")
    os.utime(older, (1, 1))
    older.replace(rig.settings)

    assert not rig.is_silent()


@pytest.mark.parametrize("is_whole", [True, False])
def test_starts_the_monitor_when_a_projects_settings_are_gone(rig: Rig, *, is_whole: bool) -> None:
    rig.bring_settings("[levels.warning]\nremaining = 40\n")
    if is_whole:
        shutil.rmtree(rig.settings.parent)
    else:
        rig.settings.unlink()
        os.utime(rig.settings.parent, (1, 1))

    assert not rig.is_silent()


def test_starts_the_monitor_when_settings_of_long_ago_are_moved_in(rig: Rig) -> None:
    rig.settings.write_text("[levels.warning]\nremaining = 60\n")
    for path in (rig.settings, rig.settings.parent):
        os.utime(path, (1, 1))

    assert not rig.is_silent()


def test_a_pipe_in_the_place_of_a_projects_settings_keeps_nobody_waiting(rig: Rig) -> None:
    os.mkfifo(rig.settings)

    assert not rig.is_silent()


def test_starts_the_monitor_in_another_project(rig: Rig) -> None:
    assert not rig.is_silent(CLAUDE_PROJECT_DIR=str(rig.project.parent))


def test_a_gate_is_no_younger_than_the_settings_that_it_rests_on(rig: Rig) -> None:
    conversation = conversation_of("s", str(rig.transcript), None)
    tail = read_tail(str(rig.transcript))
    assert conversation is not None
    assert tail is not None
    session = msgspec.structs.replace(rig.session(), now=time.time())
    rig.config.write_text("[levels.warning]\nremaining = 90\n")  # while the monitor is measuring
    gate.write(session, conversation, tail, 40_000, 100_000)

    assert not rig.is_silent()


def test_starts_the_monitor_when_something_was_learnt_since(rig: Rig) -> None:
    (rig.root / "learned.json").write_text("{}")

    assert not rig.is_silent()


@pytest.mark.parametrize("betas", ["context-1m-2025-08-07", "other"])
def test_starts_the_monitor_when_a_request_asks_for_another_window(rig: Rig, betas: str) -> None:
    request = b'{"type":"api-request","params":{"model":"claude-opus-4-6","betas":["%s"]}}'
    was_long = betas == "other"
    rig.append(request % (b"context-1m-2025-08-07" if was_long else b"other"), answer(41_000))
    rig.open_gate()
    assert rig.is_silent()
    rig.append(request % betas.encode(), answer(42_000))

    assert not rig.is_silent()


def test_starts_the_monitor_when_the_transcript_was_written_without_growing(rig: Rig) -> None:
    whole = rig.transcript.read_bytes()
    rig.transcript.write_bytes(whole.replace(b"38997", b"91997"))

    assert not rig.is_silent()


def test_starts_the_monitor_for_usage_that_only_the_split_tells(rig: Rig) -> None:
    split = b'"cache_creation":{"ephemeral_5m_input_tokens":90000},"output_tokens":9'
    rig.append(answer(41_000).replace(b":1000,", b":0,").replace(b'"output_tokens":9', split))

    assert not rig.is_silent()


def test_starts_the_monitor_for_settings_from_the_environment(rig: Rig) -> None:
    assert not rig.is_silent(TIDEGAUGE_LEVELS__WARNING__REMAINING="90")


@pytest.mark.parametrize(
    "broken",
    ["", "x", "1\n2\n3\n", "1\n40000\nx\nclaude-opus-4-6\n/c/config.toml\n/t\n", "1\n2\n3\nm\n/c/c.toml\n/t\n/p\n"],
)
def test_starts_the_monitor_for_a_damaged_gate(rig: Rig, broken: str) -> None:
    Path(paths.gate(str(rig.root), "s")).write_text(broken)

    assert not rig.is_silent()


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
def test_starts_the_monitor_when_the_event_cannot_be_told(rig: Rig, payload: bytes) -> None:
    rig.mark_subagents()

    assert not rig.is_silent(payload)


def test_is_silent_for_the_session_itself_beside_subagents(rig: Rig) -> None:
    rig.mark_subagents()

    assert rig.is_silent()


def test_hands_the_whole_payload_on(rig: Rig) -> None:
    rig.mark_subagents()
    payload = HEAD[:-1] + b',"tool_response":"' + "grüße $x `y` \\\\".encode() * 40_000 + b'"}'
    rig.append(answer(WARNING_AT))

    assert rig.launch(payload) == b"started " + payload


LIMIT = WARNING_AT - TURN_TOKENS
"""Tokens that the launcher lets pass in the rig's gate: the first level less a turn."""


def test_starts_the_monitor_for_thinking_that_left_no_bytes(rig: Rig) -> None:
    rig.append(answer(LIMIT - 15_000, output=14_000))
    assert rig.is_silent()
    rig.append(answer(LIMIT - 14_900, output=14_900))

    assert not rig.is_silent()


def test_counts_what_the_newest_answer_said_before_the_gate_was_written(rig: Rig) -> None:
    rig.append(*(answer(tokens) for tokens in range(50_000, 91_000, 10_000)), answer(LIMIT - 10_000, output=9_000))
    rig.open_gate()
    assert rig.is_silent()
    rig.append(answer(LIMIT - 9_900, output=11_000))
    rig.open_gate()
    assert gate.exists(str(rig.root), "s")

    assert not rig.is_silent()


def test_counts_the_output_of_an_answer_of_several_lines_once(rig: Rig) -> None:
    rig.append(*[answer(LIMIT - 8_000, output=5_000)] * 3)

    assert rig.is_silent()


def test_takes_the_output_of_an_answer_from_the_line_that_knows_it(rig: Rig) -> None:
    """Before 2.1.97 the earlier lines hold a placeholder."""
    rig.append(answer(LIMIT - 8_000, output=2), answer(LIMIT - 8_000, output=8_000))

    assert not rig.is_silent()


def test_does_not_count_what_an_answer_has_counted(rig: Rig) -> None:
    rig.append(result(LIMIT), answer(50_000), result(LIMIT), answer(60_000))

    assert rig.is_silent()


def test_starts_the_monitor_when_much_was_written_since_it_looked(rig: Rig) -> None:
    rig.append(*(line for step in range(5) for line in (result(60_000), answer(50_000 + step))))

    assert not rig.is_silent()


@pytest.mark.parametrize("is_seen", [True, False])
def test_counts_a_result_between_two_lines_of_an_answer(rig: Rig, *, is_seen: bool) -> None:
    one = answer(LIMIT - 20_000)
    rig.append(*(answer(tokens) for tokens in range(50_000, 81_000, 10_000)), one, result(20_000), one)
    if is_seen:
        rig.open_gate()
        assert gate.exists(str(rig.root), "s")

    assert not rig.is_silent()


def test_starts_the_monitor_for_tools_that_are_loaded_by_name(rig: Rig) -> None:
    rig.append(b'{"type":"user","message":{"content":"say \\"tool_reference\\""}}')
    assert rig.is_silent()
    rig.append(b'{"type":"user","message":{"content":[{"type":"tool_reference","tool_name":"WebFetch"}]}}')

    assert not rig.is_silent()


def test_starts_the_monitor_after_a_compaction(rig: Rig) -> None:
    rig.append(b'{"type":"system","subtype":"compact_boundary","compactMetadata":{"trigger":"auto"}}', answer(9_000))

    assert not rig.is_silent()


def test_a_rewind_keeps_nothing_back(rig: Rig) -> None:
    rig.append(answer(90_000), answer(20_000))
    assert rig.is_silent()
    rig.append(result(100), answer(WARNING_AT))

    assert not rig.is_silent()


@pytest.mark.parametrize("model", ["claude-opus-4-6-fast", "claude-opus-4"])
def test_starts_the_monitor_for_a_model_whose_name_holds_the_others(rig: Rig, model: str) -> None:
    rig.append(answer(41_000, model, said='{"type":"tool_use","input":{"model":"claude-opus-4-6","x":"y"}}'))

    assert not rig.is_silent()


FAKE = '{"usage":{"input_tokens":1,"cache_creation_input_tokens":1,"cache_read_input_tokens":1,"output_tokens":1}}'


def test_a_tools_input_is_not_taken_for_the_answers_usage(rig: Rig) -> None:
    rig.append(answer(WARNING_AT, said='{"type":"tool_use","input":' + FAKE + "}"))

    assert not rig.is_silent()


@pytest.mark.parametrize(
    "line",
    [
        b'{"isSidechain":false,"type":"user","toolUseResult":{"message":%s}}' % answer(1_000),
        answer(1_000).replace(b'"isSidechain":false', b'"isSidechain":true'),
        answer(1_000).replace(b'"type":"assistant"', b'"type":"progress"'),
    ],
)
def test_what_another_wrote_does_not_count_as_an_answer(rig: Rig, line: bytes) -> None:
    rig.append(answer(50_000), result(LIMIT - 50_000), line)

    assert not rig.is_silent()


@pytest.mark.parametrize("name", gate.VARIABLES)
def test_starts_the_monitor_in_another_run_or_with_another_window(rig: Rig, name: str) -> None:
    assert not rig.is_silent(HEAD, **{name: "1"})
    rig.open_gate(**{name: "1"})
    assert rig.is_silent(HEAD, **{name: "1"})

    assert not rig.is_silent(HEAD, **{name: "2"})


@pytest.mark.parametrize("name", ["settings.json", "settings.local.json"])
def test_starts_the_monitor_when_a_projects_client_settings_change(rig: Rig, name: str) -> None:
    brought = rig.project / ".claude" / name
    brought.write_text("{}")
    for path in (brought, brought.parent):
        os.utime(path, (1, 1))
    assert not rig.is_silent()
    rig.open_gate()
    assert rig.is_silent()
    brought.write_text('{"autoCompactWindow": 90000}')

    assert not rig.is_silent()


@pytest.mark.parametrize("is_beside", [True, False])
def test_starts_the_monitor_when_the_clients_state_changed(rig: Rig, *, is_beside: bool) -> None:
    directory = rig.root.parents[1] if is_beside else rig.root.parent
    (directory / ".claude.json").write_text('{"autoCompactWindowsCache": {"claude-opus-4-6": 90000}}')

    assert not rig.is_silent()


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
def test_starts_the_monitor_for_an_agent_id_that_is_not_understood(rig: Rig, field: bytes) -> None:
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
        began = time.monotonic()
        done = subprocess.run(
            [*shell, rig.root / "bin" / "monitor"],
            stdin=stdin,
            env={"PATH": os.environ["PATH"], "CLAUDE_CODE_SESSION_ID": "s"},
            capture_output=True,
            check=True,
            timeout=9,
        )
        took = time.monotonic() - began

    assert done.stdout == (b"" if payload == HEAD else b"started " + payload)
    assert done.stderr == b""
    assert payload or took >= 1.9


# A step: what the turn adds to the window beyond its results, the size of its results, whether the client has
# written its answer when the hook runs, and whether the monitor then runs late, with what it read before the turn.
STEPS = st.tuples(
    st.integers(0, TURN_TOKENS),
    st.lists(st.integers(0, 30_000), max_size=3),
    st.booleans(),
    st.sampled_from(["on time", "late", "never"]),
)


@pytest.fixture(scope="module")
def folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as name:
        yield Path(name)


@settings(max_examples=60)
@given(start=st.integers(2_000, WARNING_AT), steps=st.lists(STEPS, min_size=1, max_size=12))
def test_never_keeps_a_due_warning_back(
    folder: Path, start: int, steps: list[tuple[int, list[int], bool, str]]
) -> None:
    """Whatever the turns add and however the client's writes, the hooks and the monitors interleave."""
    rig = Rig(Path(tempfile.mkdtemp(dir=folder)))
    rig.append(*(answer(start - less) for less in (300, 200, 100, 0)))
    rig.open_gate()
    tokens, unwritten = start, b""
    for extra, sizes, is_written, monitor in steps:
        rig.append(*([unwritten] if unwritten else []), *(result(size) for size in sizes))
        before = rig.transcript.read_bytes()
        tokens += extra + sum(sizes) // 2  # two bytes a token: dense, but a token takes more than one byte
        unwritten = b"" if is_written else answer(tokens)
        if is_written:
            rig.append(answer(tokens))
        if rig.is_silent():
            assert tokens < WARNING_AT
        elif monitor == "on time":
            rig.open_gate()
        elif monitor == "late":
            now = rig.transcript.read_bytes()
            rig.transcript.write_bytes(before)
            rig.open_gate()
            rig.transcript.write_bytes(now)
