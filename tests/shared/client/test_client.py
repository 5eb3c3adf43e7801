import pytest

from shared.client.client import is_on, number


@pytest.mark.parametrize(("text", "expected"), [("1", True), ("TRUE", True), ("on", True), ("0", False), ("2", False)])
def test_a_switch_is_on_by_the_clients_words(text: str, *, expected: bool) -> None:
    assert is_on({"NAME": text}, "NAME") is expected
    assert not is_on({}, "NAME")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("150000", 150_000),
        ("0", None),
        ("-1", None),
        ("1.5", None),
        (" 1", None),
        ("1e5", None),
        ("9" * 9, 999_999_999),
        ("9" * 10, None),
    ],
)
def test_a_number_is_whole_and_above_nothing(text: str, expected: int | None) -> None:
    assert number({"NAME": text}, "NAME") == expected
    assert number({}, "NAME") is None
