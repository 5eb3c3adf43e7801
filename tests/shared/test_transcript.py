import json
import os
import threading
from pathlib import Path
from typing import Any

import pytest

from shared import lines
from shared.reading import Usage
from shared.transcript import ANSWERS, HISTORY_BYTES, Tail, read_tail
from tests.transcripts import (
    NEW_CLIENT,
    OLD_CLIENT,
    Transcript,
    captured,
    captured_subagent,
    compact,
)

VERSIONS = (OLD_CLIENT, NEW_CLIENT)


def tail(transcript: Transcript | Path, tool_use_id: str = "", *, is_subagent: bool = False) -> Tail:
    path = transcript if isinstance(transcript, Path) else transcript.path
    found = read_tail(str(path), tool_use_id, is_subagent=is_subagent)
    assert found is not None
    return found


def cut(source: Path, target: Path, count: int) -> Path:
    """The first `count` lines of a captured transcript: the file as it once was."""
    target.write_bytes(b"".join(source.read_bytes().splitlines(keepends=True)[:count]))
    return target


# The captured clients


@pytest.mark.parametrize(
    ("version", "count", "tokens"),
    [
        (OLD_CLIENT, 7, None),
        (OLD_CLIENT, 8, 21_000),
        (OLD_CLIENT, 11, 52_000),
        (OLD_CLIENT, 13, 90_003),
        (OLD_CLIENT, 19, 134_003),
        (OLD_CLIENT, 37, 169_000),
        (OLD_CLIENT, 38, 837),
        (OLD_CLIENT, 41, 837),
        (OLD_CLIENT, 42, 24_000),
        (OLD_CLIENT, 52, 827),
        (OLD_CLIENT, 64, 13_003),
        (NEW_CLIENT, 23, None),
        (NEW_CLIENT, 24, 21_000),
        (NEW_CLIENT, 34, 21_000),
        (NEW_CLIENT, 47, 90_003),
        (NEW_CLIENT, 58, 134_003),
        (NEW_CLIENT, 59, 10_503),
        (NEW_CLIENT, 87, 169_000),
        (NEW_CLIENT, 88, 3_227),
        (NEW_CLIENT, 110, 3_227),
        (NEW_CLIENT, 111, 24_000),
        (NEW_CLIENT, 137, 3_079),
        (NEW_CLIENT, 165, 3_079),
        (NEW_CLIENT, 176, 3),
    ],
)
def test_a_captured_session_is_read_at_every_point(
    tmp_path: Path, version: str, count: int, tokens: int | None
) -> None:
    assert tail(cut(captured(version), tmp_path / "session.jsonl", count)).tokens == tokens


@pytest.mark.parametrize("version", VERSIONS)
def test_a_captured_session_never_reads_differently_than_line_by_line(tmp_path: Path, version: str) -> None:
    path = tmp_path / "session.jsonl"
    path.touch()
    expected = None
    for text in captured(version).read_bytes().splitlines(keepends=True):
        with path.open("ab") as file:
            file.write(text)
        line = json.loads(text)
        if line["type"] == "assistant":
            usage = line["message"]["usage"]
            expected = sum(usage[f"{kind}input_tokens"] for kind in ("", "cache_creation_", "cache_read_"))
        elif line.get("subtype") == "compact_boundary":
            expected = line["compactMetadata"]["postTokens"]
        assert tail(path).tokens == expected


@pytest.mark.parametrize(("version", "tokens"), [(OLD_CLIENT, 10_503), (NEW_CLIENT, 150_003)])
def test_a_captured_subagent_is_read_from_its_own_file(version: str, tokens: int) -> None:
    assert tail(captured_subagent(version), is_subagent=True).tokens == tokens


@pytest.mark.parametrize("version", VERSIONS)
def test_a_subagents_lines_never_count_for_its_session(version: str) -> None:
    assert tail(captured_subagent(version)).answers == ()


@pytest.mark.parametrize(("version", "is_long"), [(OLD_CLIENT, None), (NEW_CLIENT, False)])
def test_only_the_newer_client_tells_of_its_requests(version: str, *, is_long: bool | None) -> None:
    assert tail(captured(version)).is_long is is_long


@pytest.mark.parametrize("version", VERSIONS)
def test_a_captured_batch_is_one_answer_with_two_tools(tmp_path: Path, version: str) -> None:
    count = {OLD_CLIENT: 13, NEW_CLIENT: 42}[version]
    newest = tail(cut(captured(version), tmp_path / "session.jsonl", count)).answers[0]
    assert (newest.tool_uses, newest.usage.tokens) == (2, 90_003)


# What is no answer


def test_usage_is_input_and_both_kinds_of_cache(transcript: Transcript) -> None:
    transcript.answer(0, usage={"input_tokens": 5, "cache_creation_input_tokens": 70, "cache_read_input_tokens": 900})
    newest = tail(transcript).answers[0]
    assert newest.usage == Usage(5, 70, 900, 120)
    assert newest.usage.tokens == 975


@pytest.mark.parametrize("absent", [..., None])
def test_absent_cache_fields_are_zero(transcript: Transcript, absent: object) -> None:
    usage = {"input_tokens": 50, "cache_creation_input_tokens": absent, "cache_read_input_tokens": absent}
    transcript.answer(0, usage=usage | {"cache_creation": ..., "iterations": ..., "output_tokens": absent})
    assert tail(transcript).answers[0].usage == Usage(50, 0, 0, 0)


def test_only_the_split_of_the_cache_was_reported_once(transcript: Transcript) -> None:
    split = {"ephemeral_5m_input_tokens": 300, "ephemeral_1h_input_tokens": 40}
    transcript.answer(1_000, usage={"cache_creation_input_tokens": 0, "cache_creation": split})
    assert tail(transcript).tokens == 1_340


def test_the_split_adds_nothing_to_the_reported_sum(transcript: Transcript) -> None:
    split = {"ephemeral_5m_input_tokens": 300, "ephemeral_1h_input_tokens": 40}
    transcript.answer(1_000, usage={"cache_creation_input_tokens": 340, "cache_creation": split})
    assert tail(transcript).tokens == 1_340


def step(tokens: int, kind: str = "message") -> dict[str, Any]:
    return {"type": kind, "input_tokens": tokens, "cache_read_input_tokens": 0, "output_tokens": 7}


@pytest.mark.parametrize(
    ("iterations", "tokens"),
    [
        ([step(60_000), step(70_000)], 70_000),  # the top level sums several requests; the window held the last
        ([step(60_000), step(70_000), step(5, "advisor_message")], 70_000),
        ([step(130_000)], 130_000),
        ([], 130_000),
        (None, 130_000),
        ("several", 130_000),
        ([1, 2], 130_000),
    ],
)
def test_an_answer_of_several_requests_counts_its_last(transcript: Transcript, iterations: object, tokens: int) -> None:
    transcript.answer(130_000, usage={"iterations": iterations})
    assert tail(transcript).tokens == tokens


NOT_ANSWERS: dict[str, dict[str, Any]] = {
    "sidechain": {"tokens": 190_000, "sidechain": True},
    "error": {"tokens": 190_000, "error": True},
    "synthetic": {"tokens": 190_000, "model": "<synthetic>"},
    "all zero": {"tokens": 0},
    "text for a number": {"tokens": 190_000, "usage": {"input_tokens": "190000"}},
    "fraction": {"tokens": 190_000, "usage": {"input_tokens": 1.5}},
    "boolean": {"tokens": 190_000, "usage": {"input_tokens": True}},
    "null": {"tokens": 190_000, "usage": {"input_tokens": None}},
    "list": {"tokens": 190_000, "usage": {"cache_read_input_tokens": [1]}},
    "another type": {"tokens": 190_000, "top": {"type": "progress"}},
    "no type": {"tokens": 190_000, "top": {"type": ...}},
}


@pytest.mark.parametrize("arguments", NOT_ANSWERS.values(), ids=NOT_ANSWERS.keys())
def test_what_is_no_real_answer_is_skipped(transcript: Transcript, arguments: dict[str, Any]) -> None:
    transcript.answer(42_000, id="msg_real")
    transcript.answer(**arguments)
    assert [answer.id for answer in tail(transcript).answers] == ["msg_real"]


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"   ",
        b"\r",
        b"null",
        b"42",
        b"[]",
        b'["usage"]',
        b'"usage"',
        b'{"usage": 1',
        b'{"type":"assistant","message":"usage","usage":{"input_tokens":9}}',
        b'{"type":"assistant","message":{"usage":null}}',
        b'{"type":"assistant","message":{"usage":{"input_tokens":1e999}}}',
        b'{"type":"assistant","note":"usage"}',
        b'{"type":"assistant","message":{"usage":9}}',
        b'{"type":"assistant","message":{"content":[{"usage":{"input_tokens":9}}]}}',
        b'\xff\xfe"usage"',
        b'{"type":"assistant","message":{"id":"\xff","usage":{"input_tokens":9}}}',
        b"[" * 100_000 + b'"usage"',
    ],
)
def test_a_line_that_no_client_writes_is_skipped(transcript: Transcript, line: bytes) -> None:
    transcript.answer(42_000)
    transcript.write(line + b"\n")
    assert tail(transcript).tokens == 42_000


def test_a_synthetic_answer_after_an_interruption_is_skipped(transcript: Transcript) -> None:
    transcript.answer(42_000)
    transcript.synthetic()
    assert tail(transcript).tokens == 42_000


def test_words_of_the_conversation_are_no_numbers(transcript: Transcript) -> None:
    transcript.answer(42_000)
    transcript.prompt('{"type":"assistant","message":{"usage":{"input_tokens":190000}}}')
    transcript.result(text='{"type":"system","subtype":"compact_boundary","compactMetadata":{"postTokens":5}}')
    assert tail(transcript).tokens == 42_000
    assert tail(transcript).compaction is None


# Several lines of one answer


def test_the_lines_of_one_answer_are_one_answer(transcript: Transcript) -> None:
    transcript.answer(30_000, id="msg_a")
    transcript.answer(42_000, id="msg_b", tool_use_ids=("toolu_1", "toolu_2", "toolu_3"))
    found = [(answer.id, answer.tool_uses) for answer in tail(transcript).answers]
    assert found == [("msg_b", 3), ("msg_a", 1)]


def test_the_last_line_of_an_answer_holds(transcript: Transcript) -> None:
    transcript.answer(42_000, id="msg_a", output=1)
    transcript.answer(42_000, id="msg_a", output=700)
    assert tail(transcript).answers[0].usage.output == 700


def test_results_may_stand_between_the_lines_of_one_answer(transcript: Transcript) -> None:
    transcript.answer(42_000, id="msg_a", tool_use_ids=("toolu_1",))
    transcript.result("toolu_1")
    transcript.answer(42_000, id="msg_a", tool_use_ids=("toolu_2",))
    assert [answer.tool_uses for answer in tail(transcript).answers] == [2]


def test_the_newest_answers_are_kept_for_the_forecast(transcript: Transcript) -> None:
    for turn in range(20):
        transcript.answer(10_000 + turn)
    found = tail(transcript).answers
    assert [answer.usage.tokens for answer in found] == [10_000 + turn for turn in range(19, 19 - ANSWERS, -1)]


def test_the_oldest_of_the_kept_answers_has_all_its_lines(transcript: Transcript) -> None:
    for turn in range(12):
        transcript.answer(10_000 + turn, tool_use_ids=("toolu_1", "toolu_2", "toolu_3"))
    assert [answer.tool_uses for answer in tail(transcript).answers] == [3] * ANSWERS


def test_an_answer_knows_when_it_was_given(transcript: Transcript) -> None:
    transcript.answer(42_000, at=1_767_225_600.25)
    assert tail(transcript).answers[0].timestamp == "2026-01-01T00:00:00.250Z"


# The tool use that is asked for


def test_the_tail_tells_whether_it_holds_the_tool_use(transcript: Transcript) -> None:
    transcript.answer(42_000, tool_use_ids=("toolu_1", "toolu_12"))
    transcript.result("toolu_1")
    assert tail(transcript, "toolu_1").holds_tool_use
    assert tail(transcript, "toolu_12").holds_tool_use
    assert not tail(transcript, "toolu_2").holds_tool_use
    assert not tail(transcript, "toolu").holds_tool_use
    assert not tail(transcript).holds_tool_use


def test_a_result_alone_is_not_the_answer_that_called_it(transcript: Transcript) -> None:
    transcript.answer(42_000, tool_use_ids=("toolu_1",))
    transcript.result("toolu_2")
    assert not tail(transcript, "toolu_2").holds_tool_use


def test_the_tool_use_of_an_earlier_line_of_the_answer_is_found(transcript: Transcript) -> None:
    transcript.answer(42_000, id="msg_a", tool_use_ids=("toolu_1", "toolu_2"))
    transcript.answer(42_000, id="msg_a", tool_use_ids=(), text="and a word")
    assert tail(transcript, "toolu_1").holds_tool_use


# Compactions


def test_usage_before_a_compaction_is_not_used(transcript: Transcript) -> None:
    transcript.answer(169_000)
    transcript.boundary(169_124, 3_227, id="compaction-1")
    found = tail(transcript)
    assert (found.tokens, found.answers) == (3_227, ())
    assert found.compaction is not None
    assert (found.compaction.id, found.compaction.trigger) == ("compaction-1", "auto")
    assert (found.compaction.before, found.compaction.after) == (169_124, 3_227)


def test_a_compaction_that_does_not_tell_its_tokens_leaves_them_unknown(transcript: Transcript) -> None:
    transcript.answer(169_000)
    transcript.boundary(after=None)
    assert tail(transcript).tokens is None


def test_an_answer_after_a_compaction_counts(transcript: Transcript) -> None:
    transcript.answer(169_000)
    transcript.boundary()
    transcript.answer(24_000)
    found = tail(transcript)
    assert (found.tokens, len(found.answers)) == (24_000, 1)
    assert found.compaction is not None


def test_the_newest_of_several_compactions_counts(transcript: Transcript) -> None:
    transcript.boundary(id="first")
    transcript.answer(27_000)
    transcript.boundary(27_053, 827, trigger="manual", id="second")
    found = tail(transcript).compaction
    assert found is not None
    assert (found.id, found.trigger) == ("second", "manual")


@pytest.mark.parametrize("metadata", [..., None, {}, {"trigger": "auto"}])
def test_a_boundary_without_its_numbers_is_still_one(transcript: Transcript, metadata: object) -> None:
    transcript.answer(169_000)
    line: dict[str, Any] = {"type": "system", "subtype": "compact_boundary", "compactMetadata": metadata, "uuid": "c"}
    transcript.append({name: value for name, value in line.items() if value is not ...})
    found = tail(transcript)
    assert found.tokens is None
    assert found.compaction is not None


def test_a_subagents_compaction_is_not_its_sessions(transcript: Transcript) -> None:
    transcript.answer(42_000)
    transcript.append({"type": "system", "subtype": "compact_boundary", "isSidechain": True, "uuid": "c"})
    assert tail(transcript).tokens == 42_000


def test_a_subagents_own_compaction_counts_for_it(transcript: Transcript) -> None:
    own = transcript.subagent("a1")
    own.answer(169_000)
    own.boundary(after=2_000)
    assert tail(own, is_subagent=True).tokens == 2_000


# The window that requests ask for


@pytest.mark.parametrize("is_long", [True, False])
def test_the_newest_request_tells_of_a_long_window(transcript: Transcript, *, is_long: bool) -> None:
    transcript.request(is_long=not is_long)
    transcript.answer(10_000)
    transcript.request(is_long=is_long)
    transcript.answer(20_000)
    assert tail(transcript).is_long is is_long


def test_a_request_after_the_answer_counts(transcript: Transcript) -> None:
    transcript.answer(20_000)
    transcript.request(is_long=True)
    assert tail(transcript).is_long is True


def test_a_request_of_another_model_says_nothing_of_this_ones_window(transcript: Transcript) -> None:
    transcript.request(is_long=True)
    transcript.request(model="claude-haiku-4-5")
    transcript.answer(20_000)
    assert tail(transcript).is_long is True


def test_a_request_of_another_model_after_the_answer_says_nothing_either(transcript: Transcript) -> None:
    transcript.request(is_long=True)
    transcript.answer(20_000)
    transcript.request(model="claude-haiku-4-5")
    assert tail(transcript).is_long is True


def test_a_request_is_found_behind_the_long_line_of_its_shape(transcript: Transcript) -> None:
    transcript.request(is_long=True)
    transcript.shape()
    transcript.answer(20_000)
    transcript.shape()
    assert tail(transcript).is_long is True


@pytest.mark.parametrize("parameters", [None, {}, {"betas": None}, {"betas": [1]}, "betas"])
def test_a_request_without_betas_is_passed_over(transcript: Transcript, parameters: object) -> None:
    transcript.answer(20_000)
    transcript.append({"type": "api-request", "params": parameters})
    assert tail(transcript).tokens == 20_000
    assert tail(transcript).is_long is not True


# Torn, missing and foreign files


def test_a_half_written_last_line_leaves_the_answer_before_it(transcript: Transcript) -> None:
    transcript.answer(42_000)
    ended = transcript.size
    line = captured(NEW_CLIENT).read_bytes().splitlines()[80]
    for length in (1, 20, 400, len(line) - 1):
        transcript.path.write_bytes(transcript.path.read_bytes()[:ended] + line[:length])
        found = tail(transcript)
        assert (found.tokens, found.ended, found.size) == (42_000, ended, ended + length)


def test_a_last_line_without_its_newline_counts_but_has_not_ended(transcript: Transcript) -> None:
    transcript.answer(30_000)
    ended = transcript.size
    transcript.answer(42_000)
    transcript.path.write_bytes(transcript.path.read_bytes().rstrip(b"\n"))
    found = tail(transcript)
    assert (found.tokens, found.ended) == (42_000, ended)


def test_everything_has_ended_with_a_newline(transcript: Transcript) -> None:
    transcript.answer(42_000)
    found = tail(transcript)
    assert found.ended == found.size == transcript.size


@pytest.mark.parametrize("content", [b"", b"\n", b"\n\n\n", b"{}\n", b"\x00" * 100])
def test_a_file_without_an_answer_is_unknown_and_not_zero(transcript: Transcript, content: bytes) -> None:
    transcript.write(content)
    found = tail(transcript)
    assert (found.tokens, found.answers, found.compaction) == (None, (), None)


def test_a_missing_file_has_no_tail(tmp_path: Path) -> None:
    assert read_tail(str(tmp_path / "none.jsonl")) is None


@pytest.mark.parametrize("path", ["", "\x00", "a" * 5_000, "."])
def test_a_path_that_cannot_be_read_has_no_tail(path: str) -> None:
    assert read_tail(path) is None


@pytest.mark.skipif(os.name == "nt", reason="pipes of POSIX")
def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    thread = threading.Thread(target=read_tail, args=(str(pipe),), daemon=True)
    thread.start()
    thread.join(1)
    is_waiting = thread.is_alive()
    if is_waiting:
        pipe.open("wb").close()  # let it go
    assert not is_waiting


def test_lines_that_were_copied_from_another_session_count(transcript: Transcript) -> None:
    transcript.answer(42_000, top={"sessionId": "11111111-2222-4333-8444-555555555555"})  # --resume, --fork-session
    assert tail(transcript).tokens == 42_000


def test_a_resumed_session_goes_on_after_its_copied_lines(transcript: Transcript) -> None:
    transcript.write(captured(OLD_CLIENT).read_bytes())
    transcript.answer(50_000)
    assert tail(transcript).tokens == 50_000


# Characters


def test_unusual_characters_do_not_break_a_line(transcript: Transcript) -> None:
    transcript.answer(42_000, tool_use_ids=(), text="a\u2028b\u2029c\u0085d\x0b\x0ce\U0001f600é")
    transcript.prompt("\u2028" * 3)
    assert tail(transcript).tokens == 42_000


@pytest.mark.parametrize("shift", range(4))
def test_a_character_may_lie_across_the_border_of_two_chunks(
    transcript: Transcript, monkeypatch: pytest.MonkeyPatch, shift: int
) -> None:
    transcript.answer(42_000, tool_use_ids=(), text="\U0001f600" * 500)
    monkeypatch.setattr(lines, "CHUNK", 64 + shift)
    assert tail(transcript).tokens == 42_000


def test_an_answer_may_itself_be_long(transcript: Transcript) -> None:
    transcript.answer(42_000, tool_use_ids=(), text="é" * 200_000)
    assert tail(transcript).tokens == 42_000


# Long lines and large files


@pytest.mark.parametrize("size", [80_694, 1 << 20, 50 << 20])
def test_a_long_line_after_the_answer_does_not_hide_it(transcript: Transcript, size: int) -> None:
    transcript.answer(42_000)
    transcript.result(text="x" * size)
    transcript.prompt()
    assert tail(transcript).tokens == 42_000


def test_a_long_line_before_the_answer_is_not_read(transcript: Transcript) -> None:
    transcript.result(text="x" * (50 << 20))
    transcript.answer(42_000)
    assert tail(transcript).tokens == 42_000


def test_many_shapes_between_the_answers_do_not_hide_them(transcript: Transcript) -> None:
    for turn in range(5):
        transcript.shape()
        transcript.request()
        transcript.answer(10_000 + turn)
    transcript.shape()
    found = tail(transcript)
    assert [answer.usage.tokens for answer in found.answers] == [10_004, 10_003, 10_002, 10_001, 10_000]


def test_old_answers_are_not_looked_for_far_back(transcript: Transcript) -> None:
    transcript.answer(10_000)
    transcript.grow(HISTORY_BYTES + 1)
    transcript.prompt()
    transcript.answer(20_000)
    assert [answer.usage.tokens for answer in tail(transcript).answers] == [20_000]


@pytest.fixture
def read_bytes(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """What is read of transcripts from now on, in bytes."""
    counts: list[int] = []
    backwards = lines.backwards

    class Counting:
        def __init__(self, file: lines.Readable) -> None:
            self._file = file
            self.seek = file.seek

        def read(self, size: int = -1, /) -> bytes | None:
            data = self._file.read(size)
            counts.append(len(data or b""))
            return data

    monkeypatch.setattr(lines, "backwards", lambda file, size: backwards(Counting(file), size))
    return counts


@pytest.mark.parametrize("size", [0, 20 << 20, 1 << 30])
def test_what_is_read_does_not_grow_with_the_file(transcript: Transcript, read_bytes: list[int], size: int) -> None:
    transcript.write(captured(NEW_CLIENT).read_bytes())
    if size:
        transcript.grow(size)
    for turn in range(20):
        transcript.result(text="x" * 2_000)
        transcript.answer(42_000 + turn)
    assert tail(transcript).tokens == 42_019
    assert sum(read_bytes) <= HISTORY_BYTES + 2 * lines.CHUNK


@pytest.mark.parametrize("size", [1 << 30, 8 << 30])
def test_a_huge_file_without_an_answer_is_given_up(transcript: Transcript, read_bytes: list[int], size: int) -> None:
    transcript.answer(42_000)
    transcript.grow(size)
    assert tail(transcript).tokens is None
    assert sum(read_bytes) <= lines.FARTHEST + lines.LONGEST


def test_a_compact_line_is_what_the_client_writes() -> None:
    text = captured(NEW_CLIENT).read_bytes().splitlines()[40]
    assert compact(json.loads(text)) == text
