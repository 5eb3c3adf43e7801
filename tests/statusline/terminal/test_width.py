import pytest

from statusline.terminal.width import columns, cut


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", 0),
        ("shop", 4),
        ("██░░ · …↻", 9),
        ("größe", 5),
        ("店舗", 4),
        ("e\u0301", 1),
        ("👩\u200d💻", 2),
        ("mix店", 5),
    ],
)
def test_columns_are_counted_like_a_terminals(text: str, expected: int) -> None:
    assert columns(text) == expected


@pytest.mark.parametrize(
    ("text", "limit", "expected"),
    [
        ("checkout", 8, "checkout"),
        ("checkout", 7, "checko…"),
        ("checkout", 1, "…"),
        ("checkout", 0, ""),
        ("店舗案内", 6, "店舗…"),
        ("店舗案内", 5, "店舗…"),
        ("", 0, ""),
    ],
)
def test_a_cut_text_keeps_within_its_columns(text: str, limit: int, expected: str) -> None:
    assert cut(text, limit) == expected
    assert columns(expected) <= limit
