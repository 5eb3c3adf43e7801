"""Lines of a file that may be long, unfinished, or growing while it is read."""

from pathlib import Path

import pytest

from history import transcript_lines
from history.transcript_lines import lines_from


@pytest.fixture(autouse=True)
def _short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transcript_lines, "LONGEST", 10)


def lines(path: Path, content: bytes, position: int = 0) -> list[tuple[int, bytes]]:
    path.write_bytes(content)
    with path.open("rb") as file:
        return list(lines_from(file, position))


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"", []),
        (b"a\n\nbc\n", [(2, b"a\n"), (3, b"\n"), (6, b"bc\n")]),
        (b"a\nunended", [(2, b"a\n"), (9, b"unended")]),
        (b"a\n" + b"x" * 35 + b"\nb\n", [(2, b"a\n"), (38, b"\n"), (40, b"b\n")]),
        (b"a\n" + b"x" * 9 + b"\nb\n", [(2, b"a\n"), (12, b"\n"), (14, b"b\n")]),
        (b"a\n" + b"x" * 35, [(2, b"a\n")]),
        (b"a\n" + b"x" * 20, [(2, b"a\n")]),
    ],
)
def test_each_line_comes_with_the_position_after_it_and_a_long_one_empty(
    tmp_path: Path, content: bytes, expected: list[tuple[int, bytes]]
) -> None:
    assert lines(tmp_path / "file", content) == expected


def test_reading_goes_on_from_a_position(tmp_path: Path) -> None:
    assert lines(tmp_path / "file", b"one\ntwo\n", 4) == [(8, b"two\n")]


def test_what_is_added_to_an_unfinished_line_while_it_is_read_is_no_line_of_its_own(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b'a\n{"b"')
    with path.open("rb") as file:
        reading = lines_from(file, 0)
        assert [next(reading), next(reading)] == [(2, b"a\n"), (6, b'{"b"')]
        with path.open("ab") as more:
            more.write(b":1}\n")

        assert list(reading) == []
