import pytest

from monitor.activity import fingerprint


@pytest.mark.parametrize(
    ("one", "other", "is_overlap"),
    [
        ({1, 2}, {2, 3, 4, 5}, True),
        ({1, 2, 3}, {3, 4, 5, 6}, False),
        ({1, 2, 3, 4}, {3, 4, 5, 6}, True),
        ({1}, {2}, False),
        (set(), {2}, False),
    ],
)
def test_texts_that_share_half_of_the_shorter_one_overlap(one: set[int], other: set[int], is_overlap: bool) -> None:
    assert fingerprint.overlap(one, other) is is_overlap
    assert fingerprint.overlap(other, one) is is_overlap


@pytest.mark.parametrize(
    ("text", "count"), [("", 0), ("\n", 0), ("x", 1), ("ab\nabc\n}\nelse:\n", 1), ("abc\n  abc", 1)]
)
def test_telling_lines_are_kept_and_a_single_line_always_is(text: str, count: int) -> None:
    assert len(fingerprint.of_lines(text)) == count


def test_errors_are_the_same_whatever_their_numbers() -> None:
    assert fingerprint.of_error(b"0x7f at 12.5 s, line 3") == fingerprint.of_error(b"0xab at 9 s, line 44")
    assert fingerprint.of_error(b"line 3") != fingerprint.of_error(b"row 3")
