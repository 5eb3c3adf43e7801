import io
from pathlib import Path
from typing import BinaryIO, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.transcript import jsonl

PIECES = st.lists(
    st.sampled_from([b"\n", b"{}", b"\r", b"caf\xc3\xa9", b"\xe2\x80\xa8", b"\x00", b"a" * 37]), max_size=40
)


def backwards(content: bytes) -> list[tuple[int, bytes]]:
    return list(jsonl.backwards(io.BytesIO(content), len(content)))


def forwards(content: bytes, longest: int) -> list[tuple[int, bytes]]:
    """The same lines by a simple method: split everything, keep what is neither empty nor too long."""
    lines, offset = [], 0
    for line in content.split(b"\n"):
        lines.append((offset, line))
        offset += len(line) + 1
    return [(offset, line) for offset, line in lines if 0 < len(line) <= longest]


@given(content=PIECES.map(b"".join), chunk=st.integers(1, 60), longest=st.integers(1, 90))
def test_any_content_in_any_chunks_is_its_lines_reversed(content: bytes, chunk: int, longest: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(jsonl, "CHUNK", chunk)
        patch.setattr(jsonl, "LONGEST", longest)
        assert backwards(content) == forwards(content, longest)[::-1]


MARKED = jsonl.SearchBounds([b"a" * 37])


@given(content=PIECES.map(b"".join), chunk=st.integers(1, 60))
def test_no_line_with_a_marker_is_left_out(content: bytes, chunk: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(jsonl, "CHUNK", chunk)
        lines = list(jsonl.backwards(io.BytesIO(content), len(content), MARKED))
    everything = backwards(content)
    wanted = [line for line in everything if b"a" * 37 in line[1]]
    assert [line for line in lines if line in wanted] == wanted
    assert set(lines) <= set(everything)


def test_text_without_a_marker_is_skipped_by_the_chunk() -> None:
    content = b"old\n" * 200_000 + b"a" * 37 + b"\n" + b"new\n" * 200_000
    lines = list(jsonl.backwards(io.BytesIO(content), len(content), MARKED))
    assert lines[0] == (len(content) - 4, b"new")
    assert (800_000, b"a" * 37) in lines
    assert len(lines) < 3 * jsonl.CHUNK // len(b"new\n")


def test_an_empty_file_has_no_lines() -> None:
    assert backwards(b"") == []


def test_a_last_line_without_newline_comes_first() -> None:
    assert backwards(b"one\ntwo") == [(4, b"two"), (0, b"one")]


def test_only_a_newline_ends_a_line() -> None:
    content = "a\u2028b\u0085c\rd\x0be".encode()
    assert backwards(content + b"\n") == [(0, content)]


@pytest.mark.parametrize("length", [jsonl.CHUNK - 1, jsonl.CHUNK, jsonl.CHUNK + 1, jsonl.LONGEST])
def test_long_lines_that_may_still_hold_an_answer_are_whole(length: int) -> None:
    content = b"first\n" + b"x" * length + b"\nlast\n"
    assert [len(line) for _, line in backwards(content)] == [4, length, 5]


@pytest.mark.parametrize("length", [jsonl.LONGEST + 1, 50 << 20])
def test_a_line_too_long_to_be_an_answer_is_skipped(length: int) -> None:
    content = b"first\n" + b"x" * length + b"\nlast\n"
    assert [line for _, line in backwards(content)] == [b"last", b"first"]


def test_an_overlong_line_at_the_files_start_is_skipped() -> None:
    assert backwards(b"x" * (jsonl.LONGEST + 1) + b"\nlast\n") == [(jsonl.LONGEST + 2, b"last")]


class Hole:
    """A file of `size` bytes without a newline, which counts the bytes read."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._position = 0
        self.read_bytes = 0

    def seek(self, offset: int, whence: int = 0, /) -> int:
        assert whence == 0
        self._position = offset
        return offset

    def read(self, size: int = -1, /) -> bytes:
        count = min(size, self._size - self._position)
        self.read_bytes += count
        return bytes(count)


def test_a_file_without_a_line_takes_bounded_time() -> None:
    assert (jsonl.LONGEST, jsonl.FARTHEST) == (1 << 20, 128 << 20)
    hole = Hole(8 << 30)
    assert list(jsonl.backwards(cast("BinaryIO", hole), 8 << 30)) == []
    assert hole.read_bytes <= jsonl.FARTHEST + jsonl.LONGEST


class Counting(io.BytesIO):
    """A file in memory that counts the bytes read."""

    read_bytes = 0

    def read(self, size: int | None = -1, /) -> bytes:
        data = super().read(size)
        self.read_bytes += len(data)
        return data


def test_only_the_files_end_is_read_for_its_last_line() -> None:
    content = b"old\n" * 1_000_000 + b"new\n"
    file = Counting(content)
    assert next(jsonl.backwards(file, len(content))) == (len(content) - 4, b"new")
    assert file.read_bytes <= jsonl.CHUNK


def forward_lines(path: Path, content: bytes, position: int = 0) -> list[tuple[int, bytes]]:
    path.write_bytes(content)
    with path.open("rb") as file:
        return list(jsonl.forwards(file, position, 10))


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"", []),
        (b"a\n\nbc\n", [(2, b"a\n"), (3, b"\n"), (6, b"bc\n")]),
        (b"a\nunended", [(2, b"a\n"), (9, b"unended")]),
        (b"a\n" + b"x" * 35 + b"\nb\n", [(2, b"a\n"), (38, b"\n"), (40, b"b\n")]),
        (b"a\n" + b"x" * 9 + b"\nb\n", [(2, b"a\n"), (12, b"x" * 9 + b"\n"), (14, b"b\n")]),
        (b"a\n" + b"x" * 35, [(2, b"a\n")]),
        (b"a\n" + b"x" * 20, [(2, b"a\n")]),
    ],
)
def test_each_line_has_the_position_after_it_and_a_long_one_is_empty(
    tmp_path: Path, content: bytes, expected: list[tuple[int, bytes]]
) -> None:
    assert forward_lines(tmp_path / "file", content) == expected


def test_reading_continues_from_a_position(tmp_path: Path) -> None:
    assert forward_lines(tmp_path / "file", b"one\ntwo\n", 4) == [(8, b"two\n")]


def test_text_added_to_an_unfinished_line_while_read_is_no_separate_line(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b'a\n{"b"')
    with path.open("rb") as file:
        reading = jsonl.forwards(file, 0, 10)
        assert [next(reading), next(reading)] == [(2, b"a\n"), (6, b'{"b"')]
        with path.open("ab") as more:
            more.write(b":1}\n")

        assert list(reading) == []


@pytest.mark.parametrize("short", [b"\n", b"{}\n", b'{"type":"user"}\n'])
def test_lines_too_short_for_a_record_can_be_returned_together(tmp_path: Path, short: bytes) -> None:
    path, record = tmp_path / "dense.jsonl", b'{"type":"user","message":{"content":"Go on"}}\n'
    path.write_bytes(short * 100_000 + record + short * 100_000 + record + short[:-1])
    with path.open("rb") as file:
        every = list(jsonl.forwards(file, 0))
        dense = list(jsonl.forwards(file, 0, is_dense=True))
    assert [pair for pair in dense if pair[1] == record] == [pair for pair in every if pair[1] == record]
    assert dense[-1] == every[-1]
    assert len(dense) < len(every) / 100
