"""The launcher never keeps a due warning back, whatever is appended: real runs, against the monitor's gates."""

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from monitor.warnings import gate
from shared.forecast import TURN_TOKENS
from tests.monitor.launcher_rig import LIMIT, WARNING_AT, Rig, answer, result

pytestmark = pytest.mark.skipif(os.name == "nt", reason="on Windows the interpreter is named directly")


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


@settings(max_examples=60, deadline=None)
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
