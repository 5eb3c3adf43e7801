"""The launcher never holds a due warning back, whatever is appended: real runs against the monitor's gates."""

import os

import pytest

from shared import paths
from tests.monitor.launcher_rig import HEAD, WARNING_AT, Rig, answer, result

pytestmark = pytest.mark.skipif(os.name == "nt", reason="on Windows the interpreter is named directly")


def test_starts_the_monitor_for_thinking_that_left_no_bytes(rig: Rig) -> None:
    rig.append(answer(WARNING_AT - 15_000, output=14_000))
    assert rig.is_silent()
    rig.append(answer(WARNING_AT - 14_900, output=14_900))

    assert not rig.is_silent()


def test_counts_the_newest_answers_text_from_before_the_gate(rig: Rig) -> None:
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


def test_takes_an_answers_output_from_the_line_that_has_it(rig: Rig) -> None:
    """Before 2.1.97 the earlier lines hold a placeholder."""
    rig.append(answer(WARNING_AT - 8_000, output=2), answer(WARNING_AT - 8_000, output=8_000))

    assert not rig.is_silent()


def test_counts_an_answers_text_while_its_output_is_a_placeholder(rig: Rig) -> None:
    text = '{"type":"text","text":"%s"}' % ("x" * 12_000)
    rig.append(answer(WARNING_AT - 5_000, output=2, text=text))

    assert not rig.is_silent()


def test_does_not_count_an_answers_text_beside_its_output(rig: Rig) -> None:
    text = '{"type":"text","text":"%s"}' % ("x" * 6_000)
    rig.append(answer(WARNING_AT - 4_000, output=3_500, text=text))

    assert rig.is_silent()


def test_does_not_count_the_clients_records_of_its_requests(rig: Rig) -> None:
    noted = "x" * 2 * (WARNING_AT - 50_000)
    rig.append(answer(50_000), b'{"type":"api-request-shape","shape":"%s"}' % noted.encode())
    assert rig.is_silent()
    rig.append(b'{"type":"user","message":{"content":[{"type":"api-request-shape","text":"%s"}]}}' % noted.encode())
    assert not rig.is_silent()


def test_does_not_count_what_an_answers_usage_includes(rig: Rig) -> None:
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
    """A result's line as the client writes it, with its own copy after the message."""
    block = b'{"tool_use_id":"%s","type":"tool_result","content":"%s"}' % (name.encode(), b"x" * size)
    message = b'{"role":"user","content":[%s]}' % block
    return b'{"type":"user","message":%s,"toolUseResult":{"originalFile":"%s"}}' % (message, b"x" * copy)


def test_lines_not_sent_to_the_model_do_not_count(rig: Rig) -> None:
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
def test_lines_that_only_look_like_that_count(rig: Rig, line: bytes) -> None:
    rig.append(line % (b"x" * 2 * (WARNING_AT - 40_000)))
    assert not rig.is_silent()


@pytest.mark.parametrize("is_written", [True, False])
@pytest.mark.parametrize("is_monitored", [True, False])
def test_a_result_counts_by_its_hooks_payload_until_it_is_written(
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
def test_the_answer_that_calls_the_current_tool_is_sufficient(rig: Rig, tokens: int, *, is_silent: bool) -> None:
    """Once it is written nothing has to be estimated, even at a session's first tool uses."""
    rig.open_gate(turn=None)
    rig.append(answer(tokens, output=9_000, text=call("toolu_2")), result(40_000))
    assert rig.is_silent(event("toolu_2")) is is_silent
    assert not rig.is_silent(event("toolu_3"))


def test_an_earlier_answer_that_calls_it_is_not_sufficient(rig: Rig) -> None:
    rig.open_gate(turn=None)
    rig.append(answer(50_000, text=call("toolu_2")), answer(60_000, text=call("toolu_3")))
    assert not rig.is_silent(event("toolu_2"))


def test_a_tools_input_names_no_tool_use(rig: Rig) -> None:
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
    """It does so also before the next answer, which shows how little remains in the window, is written."""
    rig.append(b'{"type":"system","subtype":"%s","content":"Conversation compacted"}' % subtype)

    assert not rig.is_silent()


def test_a_rewind_holds_nothing_back(rig: Rig) -> None:
    rig.append(answer(90_000), answer(20_000))
    assert rig.is_silent()
    rig.append(result(100), answer(WARNING_AT))

    assert not rig.is_silent()


@pytest.mark.parametrize("model", ["claude-opus-4-6-fast", "claude-opus-4"])
def test_starts_the_monitor_for_a_model_whose_name_holds_the_others(rig: Rig, model: str) -> None:
    rig.append(answer(41_000, model, text='{"type":"tool_use","input":{"model":"claude-opus-4-6","x":"y"}}'))

    assert not rig.is_silent()


FAKE = '{"usage":{"input_tokens":1,"cache_creation_input_tokens":1,"cache_read_input_tokens":1,"output_tokens":1}}'


def test_a_tools_input_is_not_mistaken_for_the_answers_usage(rig: Rig) -> None:
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
def test_other_lines_do_not_count_as_an_answer(rig: Rig, line: bytes) -> None:
    rig.append(answer(50_000), result(2 * (WARNING_AT - 50_000)), line)

    assert not rig.is_silent()
