"""The launcher never keeps a due warning back, whatever is appended: real runs, against the monitor's gates."""

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shared import paths
from tests.monitor.launched import LaunchedSession
from tests.monitor.launcher_rig import HEAD, WARNING_AT, Rig, answer, result
from tests.transcripts import Transcript

pytestmark = pytest.mark.skipif(os.name == "nt", reason="on Windows the interpreter is named directly")


def test_starts_the_monitor_for_thinking_that_left_no_bytes(rig: Rig) -> None:
    rig.append(answer(WARNING_AT - 15_000, output=14_000))
    assert rig.is_silent()
    rig.append(answer(WARNING_AT - 14_900, output=14_900))

    assert not rig.is_silent()


def test_counts_what_the_newest_answer_said_before_the_gate_was_written(rig: Rig) -> None:
    rig.append(*(answer(tokens) for tokens in range(50_000, 91_000, 10_000)), answer(WARNING_AT - 10_000, output=9_000))
    rig.open_gate()
    assert rig.is_silent()
    rig.append(answer(WARNING_AT - 9_900, output=11_000))
    rig.open_gate()
    assert os.path.exists(paths.gate(str(rig.root), "s"))

    assert not rig.is_silent()


def test_counts_the_output_of_an_answer_of_several_lines_once(rig: Rig) -> None:
    rig.append(*[answer(WARNING_AT - 8_000, output=5_000)] * 3)

    assert rig.is_silent()


def test_takes_the_output_of_an_answer_from_the_line_that_knows_it(rig: Rig) -> None:
    """Before 2.1.97 the earlier lines hold a placeholder."""
    rig.append(answer(WARNING_AT - 8_000, output=2), answer(WARNING_AT - 8_000, output=8_000))

    assert not rig.is_silent()


def test_counts_what_an_answer_says_while_its_output_is_a_placeholder(rig: Rig) -> None:
    text = '{"type":"text","text":"%s"}' % ("x" * 12_000)
    rig.append(answer(WARNING_AT - 5_000, output=2, text=text))

    assert not rig.is_silent()


def test_does_not_count_what_an_answer_says_beside_its_output(rig: Rig) -> None:
    text = '{"type":"text","text":"%s"}' % ("x" * 6_000)
    rig.append(answer(WARNING_AT - 4_000, output=3_500, text=text))

    assert rig.is_silent()


def test_does_not_count_what_the_client_notes_of_its_requests(rig: Rig) -> None:
    noted = "x" * 2 * (WARNING_AT - 50_000)
    rig.append(answer(50_000), b'{"type":"api-request-shape","shape":"%s"}' % noted.encode())
    assert rig.is_silent()
    rig.append(b'{"type":"user","message":{"content":[{"type":"api-request-shape","text":"%s"}]}}' % noted.encode())
    assert not rig.is_silent()


def test_does_not_count_what_an_answer_has_counted(rig: Rig) -> None:
    rig.append(result(WARNING_AT), answer(50_000), result(WARNING_AT), answer(60_000))

    assert rig.is_silent()


def test_starts_the_monitor_when_much_was_written_since_it_looked(rig: Rig) -> None:
    rig.append(*(line for step in range(9) for line in (result(60_000), answer(50_000 + step))))

    assert not rig.is_silent()


@pytest.mark.parametrize("is_seen", [True, False])
def test_counts_a_result_between_two_lines_of_an_answer(rig: Rig, *, is_seen: bool) -> None:
    one = answer(WARNING_AT - 20_000)
    rig.append(*(answer(tokens) for tokens in range(50_000, 81_000, 10_000)), one, result(40_000), one)
    if is_seen:
        rig.open_gate()
        assert os.path.exists(paths.gate(str(rig.root), "s"))

    assert not rig.is_silent()


def result_of(name: str, size: int, copy: int = 0) -> bytes:
    """A result's line as the client writes it, with a copy of its own behind the message."""
    block = b'{"tool_use_id":"%s","type":"tool_result","content":"%s"}' % (name.encode(), b"x" * size)
    message = b'{"role":"user","content":[%s]}' % block
    return b'{"type":"user","message":%s,"toolUseResult":{"originalFile":"%s"}}' % (message, b"x" * copy)


def test_what_the_model_is_not_given_does_not_count(rig: Rig) -> None:
    room = 2 * (WARNING_AT - 40_000)
    report = b'{"isSidechain":false,"type":"progress","data":%s}' % answer(1_000)
    rig.append(result_of("toolu_1", 1_000, room), report + b" " * room)
    assert rig.is_silent()
    rig.append(result_of("toolu_2", room))
    assert not rig.is_silent()


@pytest.mark.parametrize(
    "line",
    [
        b'{"type":"user","toolUseResult":"a","message":{"content":"%s"}}',
        b'{"type":"user","message":{"content":"\\"toolUseResult\\":%s"}}',
        b'{"type":"assistant","message":{"content":[{"input":{"toolUseResult":"%s"}}]}}',
        b'{"type":"user","message":{"content":"a","data":{"type":"progress","of":"%s"}}}',
    ],
)
def test_what_only_looks_like_that_counts(rig: Rig, line: bytes) -> None:
    rig.append(line % (b"x" * 2 * (WARNING_AT - 40_000)))
    assert not rig.is_silent()


@pytest.mark.parametrize("is_written", [True, False])
@pytest.mark.parametrize("is_monitored", [True, False])
def test_a_result_counts_as_its_hook_was_given_it_until_it_is_written(
    rig: Rig, *, is_written: bool, is_monitored: bool
) -> None:
    if is_monitored:  # at the tool use before
        rig.open_gate(limit=55_000, result_bytes=30_000, tool_use_id="toolu_1")
    else:
        rig.open_gate(limit=55_000)
        assert rig.is_silent(event("toolu_1", b'"%s"' % (b"x" * 30_000)))
    if is_written:
        rig.append(result_of("toolu_1", 1_000, 30_000))
    assert rig.is_silent(event("toolu_2")) is is_written


def call(name: str) -> str:
    return f'{{"type":"tool_use","id":"{name}","name":"Bash","input":{{}}}}'


def event(name: str, tool_input: bytes = b"{}") -> bytes:
    return HEAD[:-1] + b',"tool_input":%s,"tool_use_id":"%s","duration_ms":3}' % (tool_input, name.encode())


@pytest.mark.parametrize(("tokens", "is_silent"), [(WARNING_AT - 1, True), (WARNING_AT, False)])
def test_the_answer_that_calls_the_tool_in_hand_says_it_all(rig: Rig, tokens: int, *, is_silent: bool) -> None:
    """Once it is written nothing has to be bounded, at a session's first tool uses neither."""
    rig.open_gate(turn=None)
    rig.append(answer(tokens, output=9_000, text=call("toolu_2")), result(40_000))
    assert rig.is_silent(event("toolu_2")) is is_silent
    assert not rig.is_silent(event("toolu_3"))


def test_an_earlier_answer_that_calls_it_says_nothing(rig: Rig) -> None:
    rig.open_gate(turn=None)
    rig.append(answer(50_000, text=call("toolu_2")), answer(60_000, text=call("toolu_3")))
    assert not rig.is_silent(event("toolu_2"))


def test_what_a_tool_was_given_names_no_tool_use(rig: Rig) -> None:
    rig.open_gate(turn=None)
    rig.append(answer(50_000, text=call("toolu_2")))
    assert not rig.is_silent(event("toolu_3", b'{"tool_use_id":"toolu_2"}'))


def test_starts_the_monitor_for_tools_that_are_loaded_by_name(rig: Rig) -> None:
    rig.append(b'{"type":"user","message":{"content":"say \\"tool_reference\\""}}')
    assert rig.is_silent()
    rig.append(b'{"type":"user","message":{"content":[{"type":"tool_reference","tool_name":"WebFetch"}]}}')

    assert not rig.is_silent()


@pytest.mark.parametrize("subtype", [b"compact_boundary", b"microcompact_boundary"])
def test_starts_the_monitor_after_a_compaction(rig: Rig, subtype: bytes) -> None:
    """Also while the next answer, which shows how little is left, isn't written yet."""
    rig.append(b'{"type":"system","subtype":"%s","content":"Conversation compacted"}' % subtype)

    assert not rig.is_silent()


def test_a_rewind_keeps_nothing_back(rig: Rig) -> None:
    rig.append(answer(90_000), answer(20_000))
    assert rig.is_silent()
    rig.append(result(100), answer(WARNING_AT))

    assert not rig.is_silent()


@pytest.mark.parametrize("model", ["claude-opus-4-6-fast", "claude-opus-4"])
def test_starts_the_monitor_for_a_model_whose_name_holds_the_others(rig: Rig, model: str) -> None:
    rig.append(answer(41_000, model, text='{"type":"tool_use","input":{"model":"claude-opus-4-6","x":"y"}}'))

    assert not rig.is_silent()


FAKE = '{"usage":{"input_tokens":1,"cache_creation_input_tokens":1,"cache_read_input_tokens":1,"output_tokens":1}}'


def test_a_tools_input_is_not_taken_for_the_answers_usage(rig: Rig) -> None:
    rig.append(answer(WARNING_AT, text='{"type":"tool_use","input":' + FAKE + "}"))

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
    rig.append(answer(50_000), result(2 * (WARNING_AT - 50_000)), line)

    assert not rig.is_silent()


class Step(NamedTuple):
    """One turn, and what the client has written of it when the turn's hooks run."""

    output: int
    """Tokens that the answer says it has put out: what the next one's window holds beyond the results."""
    results: list[int]
    """Bytes of each parallel call's result, two of them a token: dense, but a token takes more than one byte."""
    lag: str
    """`none`, `answer` where the client has not written the answer yet, `result` where not the one before it either."""
    event: str
    """What happens before the turn: `write` of the summary file, `rewind`, `compaction`, or nothing."""


STEPS = st.builds(
    Step,
    st.integers(0, 500) | st.integers(0, 9_000),
    st.lists(st.integers(0, 800), min_size=1, max_size=3) | st.lists(st.integers(0, 14_000), min_size=1, max_size=3),
    st.sampled_from(["none", "none", "answer", "result"]),
    st.sampled_from([*[""] * 8, "write", "rewind", "compaction"]),
)


class Twins:
    """A session through the launcher, and its twin in which the monitor sees every tool use."""

    def __init__(self, folder: Path, tokens: int, **environ: str) -> None:
        self._sessions = [LaunchedSession(folder / name, **environ) for name in ("launched", "seen")]
        self._whole = Transcript(folder / "whole.jsonl").record_requests()
        self._tokens, self._uses, self._written = tokens, 0, 0
        self._late = ""
        for number in range(12, 0, -1):
            self._whole.answer(tokens - 150 * number, id=f"msg_before_{number}", tool_use_ids=[])

    def play(self, step: Step) -> list[tuple[str, str]]:
        """What both are told with each tool use of a turn."""
        self._happen(step.event)
        names = [f"toolu_{self._uses + number}" for number in range(len(step.results))]
        self._uses += len(names)
        before_result = self._whole.size
        if self._late:
            self._whole.result(*self._late_result())
        before_answer = self._whole.size
        self._whole.answer(self._tokens, id=f"msg_{names[0]}", tool_use_ids=names, output=step.output)
        self._show({"none": self._whole.size, "answer": before_answer, "result": before_result}[step.lag])
        messages = [self._messages(name, "x" * size) for name, size in zip(names, step.results, strict=True)]
        for name, size in list(zip(names, step.results, strict=True))[:-1]:
            self._whole.result(name, "x" * size)
        self._late, self._late_bytes = names[-1], step.results[-1]
        self._tokens += step.output + sum(step.results) // 2
        return messages

    def _late_result(self) -> tuple[str, str]:
        return self._late, "x" * self._late_bytes

    def _messages(self, name: str, text: str) -> tuple[str, str]:
        launched, whole = self._sessions
        return launched.use(name, text), whole.use_in_monitor(name, text)

    def _happen(self, event: str) -> None:
        if event == "write":
            for session in self._sessions:
                session.write_summary(f"after {self._uses} tool uses")
        elif event == "rewind":
            self._tokens = max(60_000, self._tokens - 40_000)
        elif event == "compaction":
            # By hand: an automatic one at any fill would be learned as the limit, by whichever monitor sees it.
            self._whole.boundary(self._tokens, 9_000, trigger="manual")
            self._tokens, self._late = 100_000, ""

    def _show(self, size: int) -> None:
        """Have both transcripts hold the first `size` bytes, or what they held if that is more."""
        data = self._whole.path.read_bytes()[self._written : max(size, self._written)]
        self._written += len(data)
        for session in self._sessions:
            if data:
                session.transcript.write(data)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    with patch("monitor.measuring.snapshot.LAG_SECONDS", 0):
        yield tmp_path_factory.mktemp("launcher")  # which waits for no export that is still being written there


@settings(max_examples=15)
@given(
    start=st.integers(70_000, 175_000),
    steps=st.lists(STEPS, min_size=4, max_size=16),
    is_compacted=st.booleans(),
)
def test_the_launcher_changes_nothing_that_is_said(
    folder: Path, start: int, steps: list[Step], *, is_compacted: bool
) -> None:
    """At all levels, however the client's writes lag behind, and whatever happens between the turns."""
    environ = {} if is_compacted else {"DISABLE_AUTO_COMPACT": "1"}
    twins = Twins(Path(tempfile.mkdtemp(dir=folder)), start, **environ)
    for number, step in enumerate(steps):
        for launched, expected in twins.play(step):
            assert launched == expected, (number, step)
