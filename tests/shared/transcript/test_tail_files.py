import gc
import json
import os
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, cast

import pytest

from shared.transcript import jsonl
from shared.transcript.branch import HISTORY_BYTES
from shared.transcript.line import TranscriptLine, line_in
from shared.transcript.tail import open_transcript, read_tail
from tests.transcripts import NEW_CLIENT, OLD_CLIENT, Transcript, captured, compact, tail_of


def test_a_half_written_last_line_is_ignored_for_the_answer_before(transcript: Transcript) -> None:
    transcript.answer(42_000)
    ended = transcript.size
    line = captured(NEW_CLIENT).read_bytes().splitlines()[80]
    for length in (1, 20, 400, len(line) - 1):
        transcript.path.write_bytes(transcript.path.read_bytes()[:ended] + line[:length])
        tail = tail_of(transcript)
        assert (tail.tokens, tail.ended, tail.size) == (42_000, ended, ended + length)


def test_a_last_line_without_its_newline_counts_but_has_not_ended(transcript: Transcript) -> None:
    transcript.answer(30_000)
    ended = transcript.size
    transcript.answer(42_000)
    transcript.path.write_bytes(transcript.path.read_bytes().rstrip(b"\n"))
    tail = tail_of(transcript)
    assert (tail.tokens, tail.ended) == (42_000, ended)


def test_a_trailing_newline_ends_every_line(transcript: Transcript) -> None:
    transcript.answer(42_000)
    tail = tail_of(transcript)
    assert tail.ended == tail.size == transcript.size


@pytest.mark.parametrize("content", [b"", b"\n", b"\n\n\n", b"{}\n", b"\x00" * 100])
def test_a_file_without_an_answer_is_unknown_and_not_zero(transcript: Transcript, content: bytes) -> None:
    transcript.write(content)
    tail = tail_of(transcript)
    assert (tail.tokens, tail.answers, tail.compaction) == (None, (), None)
    assert tail.ended == (3 if content == b"{}\n" else 0)


def test_a_missing_file_has_no_tail(tmp_path: Path) -> None:
    assert read_tail(str(tmp_path / "none.jsonl")) is None


@pytest.mark.parametrize("path", ["", "\x00", "a" * 5_000, "."])
def test_a_path_that_cannot_be_read_has_no_tail(path: str) -> None:
    assert read_tail(path) is None


@pytest.mark.skipif(os.name == "nt", reason="pipes of POSIX")
def test_a_pipe_does_not_block(tmp_path: Path) -> None:
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
    assert tail_of(transcript).tokens == 42_000


def test_a_resumed_session_continues_after_its_copied_lines(transcript: Transcript) -> None:
    transcript.write(captured(OLD_CLIENT).read_bytes())
    transcript.answer(50_000)
    assert tail_of(transcript).tokens == 50_000


def test_unusual_characters_do_not_break_a_line(transcript: Transcript) -> None:
    transcript.answer(42_000, tool_use_ids=(), text="a\u2028b\u2029c\u0085d\x0b\x0ce\U0001f600é")
    transcript.prompt("\u2028" * 3)
    assert tail_of(transcript).tokens == 42_000


@pytest.mark.parametrize("shift", range(4))
def test_a_character_may_be_split_between_two_chunks(
    transcript: Transcript, monkeypatch: pytest.MonkeyPatch, shift: int
) -> None:
    transcript.answer(42_000, tool_use_ids=(), text="\U0001f600" * 500)
    monkeypatch.setattr(jsonl, "CHUNK", 64 + shift)
    assert tail_of(transcript).tokens == 42_000


def test_an_answer_may_itself_be_long(transcript: Transcript) -> None:
    transcript.answer(42_000, tool_use_ids=(), text="é" * 200_000)
    assert tail_of(transcript).tokens == 42_000


@pytest.mark.parametrize("size", [80_694, 1 << 20, 50 << 20])
def test_a_long_line_after_the_answer_does_not_hide_it(transcript: Transcript, size: int) -> None:
    transcript.answer(42_000)
    transcript.result(text="x" * size)
    transcript.prompt()
    assert tail_of(transcript).tokens == 42_000


def test_a_long_line_before_the_answer_is_not_read(transcript: Transcript) -> None:
    transcript.result(text="x" * (50 << 20))
    transcript.answer(42_000)
    assert tail_of(transcript).tokens == 42_000


def test_many_shapes_between_the_answers_do_not_hide_them(transcript: Transcript) -> None:
    for turn in range(5):
        transcript.shape()
        transcript.request()
        transcript.answer(10_000 + turn)
    transcript.shape()
    tail = tail_of(transcript)
    assert [answer.tokens for answer in tail.answers] == [10_004, 10_003, 10_002, 10_001, 10_000]


def test_old_answers_are_not_searched_far_back(transcript: Transcript) -> None:
    transcript.answer(10_000)
    transcript.grow(HISTORY_BYTES + 1)
    transcript.prompt()
    transcript.answer(20_000)
    assert [answer.tokens for answer in tail_of(transcript).answers] == [20_000]


@pytest.fixture
def read_bytes(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The bytes read of transcripts from now on."""
    counts: list[int] = []
    backwards = jsonl.backwards

    class Counting:
        def __init__(self, file: BinaryIO) -> None:
            self._file = file
            self.seek = file.seek

        def read(self, size: int = -1, /) -> bytes:
            data = self._file.read(size)
            counts.append(len(data))
            return data

    monkeypatch.setattr(
        jsonl, "backwards", lambda file, size, bounds: backwards(cast("BinaryIO", Counting(file)), size, bounds)
    )
    return counts


@pytest.mark.parametrize("size", [0, 20 << 20, 1 << 30])
def test_the_bytes_read_do_not_grow_with_the_file(transcript: Transcript, read_bytes: list[int], size: int) -> None:
    transcript.write(captured(NEW_CLIENT).read_bytes())
    if size:
        transcript.grow(size)
    for turn in range(20):
        transcript.result(text="x" * 2_000)
        transcript.answer(42_000 + turn)
    assert tail_of(transcript).tokens == 42_019
    assert sum(read_bytes) <= HISTORY_BYTES + 2 * jsonl.CHUNK


def test_irrelevant_lines_are_skipped_by_the_chunk(transcript: Transcript, monkeypatch: pytest.MonkeyPatch) -> None:
    offsets: list[int] = []
    backwards = jsonl.backwards

    def noted(file: BinaryIO, size: int, bounds: jsonl.SearchBounds) -> Iterator[tuple[int, bytes]]:
        for offset, data in backwards(file, size, bounds):
            offsets.append(offset)
            yield offset, data

    monkeypatch.setattr(jsonl, "backwards", noted)
    transcript.answer(20_000)
    transcript.write(b"".join(b'{"type":"progress","uuid":"%d"}\n' % number for number in range(20_000)))
    transcript.answer(21_000)
    assert [answer.tokens for answer in tail_of(transcript).answers] == [21_000, 20_000]
    assert len(offsets) < 10_000


@pytest.mark.parametrize("size", [1 << 30, 8 << 30])
def test_a_huge_file_without_an_answer_is_given_up(transcript: Transcript, read_bytes: list[int], size: int) -> None:
    transcript.answer(42_000)
    transcript.grow(size)
    assert tail_of(transcript).tokens is None
    assert sum(read_bytes) <= jsonl.FARTHEST + jsonl.LONGEST


def test_a_compact_line_is_what_the_client_writes() -> None:
    text = captured(NEW_CLIENT).read_bytes().splitlines()[40]
    assert compact(json.loads(text)) == text


@pytest.mark.parametrize(("count", "expected"), [(10, [20_000, 10_000]), (11, [20_000])])
def test_an_answer_more_than_a_megabyte_before_the_newest_does_not_count(
    transcript: Transcript, count: int, expected: list[int]
) -> None:
    """It doesn't count although the chunk that is read holds it."""
    transcript.answer(10_000)
    for _ in range(count):
        transcript.grow(100_000)
    transcript.prompt()
    transcript.answer(20_000)
    assert [answer.tokens for answer in tail_of(transcript).answers] == expected


def test_an_answer_counts_whatever_precedes_its_type(transcript: Transcript) -> None:
    transcript.answer(42_000, tool_use_ids=(), text="x" * 1_000)
    line = json.loads(transcript.path.read_bytes())
    message = {"content": line["message"].pop("content")} | line.pop("message")
    transcript.path.write_bytes(compact({"message": message} | line) + b"\n")
    assert tail_of(transcript).tokens == 42_000


def test_an_answer_counts_whatever_it_calls_a_tool_with(transcript: Transcript) -> None:
    transcript.answer(42_000)
    line = json.loads(transcript.path.read_bytes())
    line["message"]["content"][0]["input"] = {"type": "user"}
    message = {"content": line["message"].pop("content")} | line["message"]
    transcript.path.write_bytes(
        compact({"type": "assistant", "message": message} | line | {"message": message}) + b"\n"
    )
    assert tail_of(transcript).tokens == 42_000


def test_only_answers_are_decoded(transcript: Transcript, monkeypatch: pytest.MonkeyPatch) -> None:
    decoded: list[bytes] = []

    def counted(data: bytes) -> TranscriptLine | None:
        decoded.append(data)
        return line_in(data)

    monkeypatch.setattr("shared.transcript.tail.line_in", counted)
    for turn in range(5):
        transcript.prompt()
        transcript.answer(20_000 + turn)
        transcript.append({"type": "user", "toolUseResult": {"usage": {"input_tokens": 5}}})  # a subagent's
    assert len(tail_of(transcript).answers) == len(decoded) == 5


def test_the_client_version_is_the_newest_answers(transcript: Transcript) -> None:
    assert tail_of(transcript).client == ""
    transcript.answer(41_000, top={"version": OLD_CLIENT})
    transcript.answer(42_000)
    assert tail_of(transcript).client == NEW_CLIENT


@pytest.mark.skipif(not os.path.isdir("/proc/self/fd"), reason="counts open files by /proc")
@pytest.mark.parametrize("is_in_cycle", [False, True])
def test_a_transcript_is_closed_with_the_last_that_holds_it(transcript: Transcript, *, is_in_cycle: bool) -> None:
    transcript.answer(42_000)
    gc.collect()
    before = os.listdir("/proc/self/fd")
    holder: list[object] = [open_transcript(str(transcript.path))]
    if is_in_cycle:
        holder.append(holder)
    assert len(os.listdir("/proc/self/fd")) == len(before) + 1
    del holder
    gc.collect()

    assert os.listdir("/proc/self/fd") == before
